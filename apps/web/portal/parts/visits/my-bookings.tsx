import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import type { MyBooking } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { Instant } from '#ui/format/time.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { useServiceNames } from '../book/service-names.ts'

/** Bookings made with the person's e-mail address before they signed in. The person decides, because a booking may be for a child. */
export function MyBookings() {
  const t = useTranslations('portal')
  const { id, slug } = useClinic()
  const nameOf = useServiceNames(slug)
  const bookings = useRead('GET /v1/me/bookings')
  const shown = (bookings.data?.data ?? []).filter(({ organization_id }) => organization_id === id)
  if (shown.length === 0) return null
  return (
    <Stack component="section" gap="sm">
      <Title order={2}>{t('booking.yours')}</Title>
      {shown.map((booking) => (
        <Question key={booking.id} booking={{ ...booking, service: nameOf(booking.service) }} />
      ))}
    </Stack>
  )
}

function Question({ booking }: { booking: MyBooking }) {
  const t = useTranslations('portal')
  const link = useWrite('POST /v1/me/bookings/{id}/link', {
    refresh: ['/v1/me/bookings', '/v1/me/appointments', '/v1/me/today'],
    onDone: () => toast({ text: t('visits.linked') }),
  })
  const dismiss = useWrite('POST /v1/me/bookings/{id}/dismiss', { refresh: ['/v1/me/bookings'] })
  const params = { id: booking.id }
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        <Text fw={650}>{booking.service.name}</Text>
        <Text>
          <Instant value={booking.starts_at} />
        </Text>
        <Problem error={link.error ?? dismiss.error} />
        <Group gap="xs">
          <Button size="md" loading={link.isPending} onClick={() => link.mutate({ params, body: {} })}>
            {t('visits.mine')}
          </Button>
          <Button variant="default" size="md" loading={dismiss.isPending} onClick={() => dismiss.mutate({ params })}>
            {t('visits.notMine')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  )
}
