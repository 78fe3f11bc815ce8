import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Booking } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useRefresh, useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { InZone } from '#ui/i18n/i18n.tsx'
import { IconCalendar } from '#ui/icons/index.ts'
import { signInUrl } from '#ui/session/sign-in.ts'
import { PublicFrame } from '../../frame/public-frame.tsx'
import { CalendarButton } from '../../parts/book/calendar-button.tsx'
import { ChangeDeadline } from '../../parts/book/change-deadline.tsx'
import { isChangeable, possibleChanges } from '../../parts/book/possible-changes.ts'
import { useServiceNames } from '../../parts/book/service-names.ts'
import { VisitFacts } from '../../parts/book/visit-facts.tsx'
import { VisitStatus } from '../../parts/book/visit-status.tsx'

/** A booking, opened by the link in its mail. Shows no patient's name, because the link may be forwarded. */
export function BookingPage() {
  const t = useTranslations('portal.booking')
  const { token } = useParams({ from: '/bookings/$token' })
  const booking = useRead('GET /v1/public/bookings/{token}', { params: { token } })
  const nameOf = useServiceNames(booking.data?.data.organization.slug ?? '')
  const isGone = booking.error?.status === 404 || booking.error?.status === 422
  return (
    <PublicFrame clinic={booking.data?.data.organization}>
      <Page title={t('title')}>
        {isGone ? (
          <EmptyState icon={IconCalendar} title={t('gone')} text={t('goneText')} />
        ) : (
          <Loaded query={booking}>
            {({ data }) => (
              <InZone zone={data.time_zone}>
                <OneBooking booking={{ ...data, service: nameOf(data.service) }} token={token} />
              </InZone>
            )}
          </Loaded>
        )}
      </Page>
    </PublicFrame>
  )
}

function OneBooking({ booking, token }: { booking: Booking; token: string }) {
  const t = useTranslations('portal.booking')
  const isOpen = isChangeable(booking.status)
  return (
    <Stack gap="lg">
      <VisitFacts visit={booking} reference={booking.reference} status={<VisitStatus status={booking.status} />}>
        {isOpen && <Changes booking={booking} token={token} />}
      </VisitFacts>
      {isOpen ? (
        <Stack gap="xs" component="section">
          <Title order={2}>{t('yours')}</Title>
          <Text>{t('yoursText')}</Text>
          <Button
            component="a"
            href={signInUrl(`/portal/${booking.organization.slug}/visits`)}
            variant="default"
            size="md"
            w="fit-content"
          >
            {t('signIn')}
          </Button>
        </Stack>
      ) : (
        <Button component="a" href={`/portal/${booking.organization.slug}/book`} size="md" w="fit-content">
          {t('bookAgain')}
        </Button>
      )}
    </Stack>
  )
}

function Changes({ booking, token }: { booking: Booking; token: string }) {
  const t = useTranslations('portal.booking')
  const refresh = useRefresh()
  const [asking, setAsking] = useState(false)
  const cancel = useWrite('DELETE /v1/public/bookings/{token}', {
    refresh: ['/v1/public/bookings'],
    onDone: () => {
      setAsking(false)
      toast({ text: t('cancelled') })
    },
  })
  const can = possibleChanges(booking, useNow())
  return (
    <Stack gap="sm">
      <ChangeDeadline deadlines={booking} slug={booking.organization.slug} location={booking.location} />
      <Group gap="xs" className="phone-wide">
        <CalendarButton visit={booking} clinic={booking.organization.name} />
        {(can === 'both' || can === 'move') && (
          <ButtonLink variant="default" size="md" to="/bookings/$token/move" params={{ token }}>
            {t('move')}
          </ButtonLink>
        )}
        {(can === 'both' || can === 'cancel') && (
          <Button variant="default" size="md" onClick={() => setAsking(true)}>
            {t('cancel')}
          </Button>
        )}
      </Group>
      <Confirm
        open={asking}
        title={t('cancelTitle')}
        text={t('cancelText')}
        action={t('cancel')}
        keep={t('keepVisit')}
        danger
        pending={cancel.isPending}
        error={cancel.error}
        onConfirm={() => cancel.mutate({ params: { token } })}
        onClose={() => {
          setAsking(false)
          // After a refusal the booking may be another than the page shows.
          if (cancel.error) void refresh(['/v1/public/bookings'])
          cancel.reset()
        }}
      />
    </Stack>
  )
}
