import { Alert, Button, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { IconAlertTriangle } from '#ui/icons/index.ts'

/** Somebody else has ended the plan while it was edited: what was typed can be read until the stored plan is shown. */
export function EndedMeanwhile({ onShow }: { onShow: () => void }) {
  const t = useTranslations('console.plans.endedMeanwhile')
  return (
    <Alert color="orange" variant="outline" role="alert" icon={<IconAlertTriangle />}>
      <Stack gap="sm" align="flex-start">
        <Text fw={600}>{t('title')}</Text>
        <Text>{t('text')}</Text>
        <Button variant="default" onClick={onShow}>
          {t('show')}
        </Button>
      </Stack>
    </Alert>
  )
}
