import { Text } from '@mantine/core'
import { useTranslations } from 'use-intl'

/** Nothing can be booked before the clinic has a service. */
export function NoService() {
  const t = useTranslations('console.record.appointments')
  return <Text>{t('noService')}</Text>
}
