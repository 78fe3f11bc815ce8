import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Page } from '../../../ui/frame/page.tsx'
import { useClinic } from '../../../ui/session/clinic.tsx'

export function TodayPage() {
  const t = useTranslations('console.today')
  const { name } = useClinic()
  return (
    <Page title={t('title')}>
      <Text>{name}</Text>
    </Page>
  )
}
