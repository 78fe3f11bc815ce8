import { Button, Stack } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import type { Booking } from '@tendon/sdk'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '../../../ui/api/hooks.ts'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'
import { InZone } from '../../../ui/i18n/i18n.tsx'
import { PublicFrame } from '../../frame/public-frame.tsx'
import { BookingFlow, type Chosen } from '../book/booking-flow.tsx'
import { CurrentTime } from '../book/current-time.tsx'
import { HeldSummary } from '../book/held-time.tsx'

/** Moves a booking. The old time is kept until the new one is booked. */
export function MoveBookingPage() {
  const t = useTranslations('portal.booking')
  const token = useParam('token')
  const booking = useRead('GET /v1/public/bookings/{token}', { params: { token } })
  return (
    <PublicFrame clinic={booking.data?.data.organization}>
      <Page title={t('moveTitle')}>
        <Loaded query={booking}>
          {({ data }) => (
            <InZone zone={data.time_zone}>
              <Move booking={data} token={token} />
            </InZone>
          )}
        </Loaded>
      </Page>
    </PublicFrame>
  )
}

function Move({ booking, token }: { booking: Booking; token: string }) {
  const t = useTranslations('portal.booking')
  const navigate = useNavigate()
  const isBooked = useRef(false)
  const move = useWrite('POST /v1/public/bookings/{token}/reschedule', {
    refresh: ['/v1/public/bookings'],
    onDone: () => {
      isBooked.current = true
      toast({ text: t('moved') })
      void navigate({ to: '/bookings/$token', params: { token }, replace: true })
    },
  })
  return (
    <Stack gap="lg">
      <CurrentTime startsAt={booking.starts_at}>
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => <Link {...props} to="/bookings/$token" params={{ token }} />}
        >
          {t('keep')}
        </Button>
      </CurrentTime>
      <BookingFlow
        organization={booking.organization.slug}
        fixed={{ service: booking.service.id, mode: booking.mode }}
        isBooked={isBooked}
      >
        {(chosen: Chosen) => (
          <Stack gap="lg">
            <HeldSummary chosen={chosen} key={chosen.held.hold.id} />
            <Problem error={move.error} />
            <Button
              size="md"
              loading={move.isPending}
              onClick={() => move.mutate({ params: { token }, body: { hold_id: chosen.held.hold.id } })}
            >
              {t('moveNow')}
            </Button>
          </Stack>
        )}
      </BookingFlow>
    </Stack>
  )
}
