import { Paper, Stack, Text, Title } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useRead } from '../../../ui/api/hooks.ts'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'

export function OverviewTab() {
  const t = useTranslations('console.patients')
  const patient = useRead('GET /v1/patients/{id}', { params: { id: useParam('id') } })
  return (
    <Loaded query={patient}>
      {({ data: { phone, email, notes } }) => (
        <Paper withBorder p="lg" component="section" aria-labelledby="contact">
          <Stack gap="sm">
            <Title order={2} id="contact">
              {t('details')}
            </Title>
            <Fact label={t('phone')} value={phone} />
            <Fact label={t('email')} value={email} />
            <Fact label={t('notes')} value={notes} />
          </Stack>
        </Paper>
      )}
    </Loaded>
  )
}

function Fact({ label, value }: { label: string; value: string | null }) {
  const t = useTranslations('console.patients')
  return (
    <div>
      <Text size="sm" c="dimmed">
        {label}
      </Text>
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>{value ?? t('none')}</Text>
    </div>
  )
}
