import { Button, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useClinic } from '#ui/session/clinic.tsx'
import { useMay } from '#ui/session/me.ts'

/** Nothing can be booked before the clinic has a service. Admins can go where it is added. */
export function NoService() {
  const t = useTranslations('console.record.appointments')
  const { slug } = useClinic()
  const may = useMay()
  return (
    <Stack align="flex-start">
      <Text>{t('noService')}</Text>
      {may('services.manage') && (
        <Button component={Link} to={`/${slug}/settings/services`}>
          {t('toServices')}
        </Button>
      )}
    </Stack>
  )
}
