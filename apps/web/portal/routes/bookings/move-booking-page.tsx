import { Button, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ApiError, Booking } from '@tendon/sdk'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useRefresh, useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { InZone } from '#ui/i18n/i18n.tsx'
import { PublicFrame } from '../../frame/public-frame.tsx'
import { BookingFlow, type Chosen } from '../../parts/book/booking-flow.tsx'
import { CurrentTime } from '../../parts/book/current-time.tsx'
import { HeldSummary } from '../../parts/book/held-time.tsx'
import { NotMovable } from '../../parts/book/not-movable.tsx'
import { isChangeable, possibleChanges } from '../../parts/book/possible-changes.ts'

/** Moves a booking. The old time is kept until the new one is booked. */
export function MoveBookingPage() {
  const t = useTranslations('portal.booking')
  const { token } = useParams({ from: '/bookings/$token/move' })
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
  const refresh = useRefresh()
  // A booking that was cancelled meanwhile says so.
  const refreshState = ({ code }: ApiError) => {
    if (code === 'invalid_transition') void refresh(['/v1/public/bookings'])
  }
  const isBooked = useRef(false)
  const move = useWrite('POST /v1/public/bookings/{token}/reschedule', {
    refresh: ['/v1/public/bookings'],
    onDone: () => {
      isBooked.current = true
      toast({ text: t('moved') })
      void navigate({ to: '/bookings/$token', params: { token }, replace: true })
    },
  })
  const toBooking = (label: string) => (
    <ButtonLink variant="default" size="md" to="/bookings/$token" params={{ token }}>
      {label}
    </ButtonLink>
  )
  const can = possibleChanges(booking, useNow())
  const isMovable = isChangeable(booking.status) && (can === 'both' || can === 'move')
  if (!isMovable && !move.isPending && !move.isSuccess)
    return <NotMovable visit={booking} slug={booking.organization.slug} action={toBooking(t('toBooking'))} />
  return (
    <Stack gap="lg">
      <CurrentTime visit={booking}>{toBooking(t('keep'))}</CurrentTime>
      <BookingFlow organization={booking.organization.slug} moved={booking} isBooked={isBooked}>
        {(chosen: Chosen) => (
          <Stack gap="lg">
            <HeldSummary chosen={chosen} cost={booking} key={chosen.held.hold.id} />
            <Problem error={move.error} />
            <Button
              size="md"
              loading={move.isPending}
              onClick={() =>
                move.mutate({ params: { token }, body: { hold_id: chosen.held.hold.id } }, { onError: refreshState })
              }
            >
              {t('moveNow')}
            </Button>
          </Stack>
        )}
      </BookingFlow>
    </Stack>
  )
}
