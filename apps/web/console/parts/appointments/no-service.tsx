import { Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { ButtonLink } from '#ui/frame/links.tsx'
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
        <ButtonLink to="/$clinic/settings/services" params={{ clinic: slug }}>
          {t('toServices')}
        </ButtonLink>
      )}
    </Stack>
  )
}
