import { Alert, Button, Group, Stack, Text } from '@mantine/core'
import type { Appointment, WaitlistOffer } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { IconCalendar } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { BookingProblem } from './full-day.tsx'
import { VISIT_READS } from './visit-reads.ts'

const MINUTE_MS = 60_000

/** Of a waitlist entry: the time that has become free, and what was offered to the patient. */
export function WaitlistOfferPanel({ visit, readOnly }: { visit: Appointment; readOnly: boolean }) {
  const offers = useRead(
    'GET /v1/appointments/{id}/offers',
    { params: { id: visit.id } },
    // The patient may answer while the panel is open.
    { refreshEvery: MINUTE_MS },
  )
  return <Loaded query={offers}>{({ data }) => <Offers visit={visit} offers={data} readOnly={readOnly} />}</Loaded>
}

interface OffersProps {
  visit: Appointment
  offers: WaitlistOffer[]
  readOnly: boolean
}

function Offers({ visit, offers, readOnly }: OffersProps) {
  const t = useTranslations('console.visits.offer')
  const timeOf = useTime()
  const now = useNow()
  const [latest] = offers
  const isOpen = latest?.status === 'open' && latest.expires_at !== null && Date.parse(latest.expires_at) > now
  const make = useWrite('POST /v1/appointments/{id}/offer', {
    refresh: VISIT_READS,
    onDone: () => toast({ text: t('made') }),
  })
  const end = useWrite('DELETE /v1/appointments/{id}/offer', {
    refresh: VISIT_READS,
    onDone: () => toast({ text: t('ended') }),
  })
  const offer = (body: { over_limit?: true } = {}) => make.mutate({ params: { id: visit.id }, body })
  const freed = visit.freed_slot
  if (!latest && !freed) return null
  return (
    <Stack gap="xs">
      {freed && !isOpen && (
        <Alert color="tendon" variant="outline" icon={<IconCalendar />} title={t('freed')}>
          {timeOf(freed.starts_at)}
        </Alert>
      )}
      {latest && <LatestOffer offer={latest} isOpen={isOpen} />}
      <BookingProblem
        write={make}
        serviceId={visit.service_id}
        action="offer"
        onAnyway={() => offer({ over_limit: true })}
      />
      <Problem error={end.error} />
      {!readOnly && (
        <Group gap="xs" className="no-print">
          {isOpen ? (
            <Button variant="default" loading={end.isPending} onClick={() => end.mutate({ params: { id: visit.id } })}>
              {t('end')}
            </Button>
          ) : (
            freed && (
              <Button loading={make.isPending} onClick={() => offer()}>
                {t('make')}
              </Button>
            )
          )}
        </Group>
      )}
    </Stack>
  )
}

function LatestOffer({ offer, isOpen }: { offer: WaitlistOffer; isOpen: boolean }) {
  const t = useTranslations('console.visits.offer')
  const timeOf = useTime()
  const now = useNow()
  const time = timeOf(offer.starts_at)
  if (!isOpen)
    return (
      <Text size="sm">
        {offer.reason === null
          ? t(`statuses.${offer.status === 'open' ? 'expired' : offer.status}`, { time })
          : t(`reasons.${offer.reason}`, { time })}
      </Text>
    )
  return (
    <Alert color="tendon" variant="outline" icon={<IconCalendar />} title={t('open')}>
      <Text>{time}</Text>
      {offer.expires_at !== null && <Text>{t('until', { time: timeOf(offer.expires_at) })}</Text>}
      {offer.mail_at !== null && Date.parse(offer.mail_at) > now && (
        <Text size="sm">{t('mailAt', { time: timeOf(offer.mail_at) })}</Text>
      )}
    </Alert>
  )
}

/** A moment in the clinic's time zone. */
function useTime() {
  const format = useFormatter()
  const { time_zone } = useClinic()
  return (at: string) =>
    format.dateTime(new Date(at), {
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
      timeZone: time_zone,
    })
}
