import { Stack, Title } from '@mantine/core'
import type { MyConsentState } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { PrintButton } from '#ui/frame/print-button.tsx'
import { IconShieldCheck } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { ConsentCard } from '../../parts/me/consent-card.tsx'
import { MyPage } from '../../parts/me/my-page.tsx'

/** The consents at this clinic and on the platform, current and past, and the effects of a withdrawal. */
export function ConsentsPage() {
  const t = useTranslations('portal.consents')
  const { id, name } = useClinic()
  const consents = useRead('GET /v1/me/consents')
  return (
    <MyPage title={t('title')} actions={<PrintButton />}>
      <Loaded query={consents}>
        {({ data }) => {
          // Hide purposes that have no text and no past consent.
          const known = data
            .filter(({ text, history }) => text !== null || history.length > 0)
            .sort((one, other) => Number(other.current !== null) - Number(one.current !== null))
          const here = known.filter(({ organization_id }) => organization_id === id)
          const platform = known.filter(({ organization_id }) => organization_id === null)
          if (known.length === 0) return <EmptyState icon={IconShieldCheck} title={t('none')} text={t('noneText')} />
          return (
            <Stack gap="xl">
              <Group title={name} states={here} />
              <Group title={t('platform')} states={platform} />
            </Stack>
          )
        }}
      </Loaded>
    </MyPage>
  )
}

function Group({ title, states }: { title: string; states: readonly MyConsentState[] }) {
  if (states.length === 0) return null
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{title}</Title>
      {states.map((state) => (
        <ConsentCard key={state.purpose_code} state={state} />
      ))}
    </Stack>
  )
}
