import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { ApiError, MyAppointment } from '@tendon/sdk'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useRefresh, useWrite } from '#ui/api/hooks.ts'
import { EmptyState } from '#ui/feedback/empty-state.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useNow } from '#ui/format/use-now.ts'
import { ButtonLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { useClinic } from '#ui/session/clinic.tsx'
import { BookingFlow } from '../../parts/book/booking-flow.tsx'
import { CurrentTime } from '../../parts/book/current-time.tsx'
import { HeldSummary } from '../../parts/book/held-time.tsx'
import { NotMovable } from '../../parts/book/not-movable.tsx'
import { isChangeable, possibleChanges } from '../../parts/book/possible-changes.ts'
import { useMyVisits } from '../../parts/visits/my-visits.ts'

/** Moves a visit. The old time is kept until the new one is booked. */
export function MoveVisitPage() {
  const t = useTranslations('portal')
  const { id } = useParams({ from: '/$clinic/visits/$id/move' })
  const visits = useMyVisits()
  return (
    <Page title={t('booking.moveTitle')}>
      <Loaded query={visits}>
        {({ upcoming, waiting, past }) => {
          const visit = [...upcoming, ...waiting, ...past].find((one) => one.id === id)
          if (visit) return <Move visit={visit} />
          return <EmptyState title={t('visits.gone')} text={t('visits.goneText')} action={<ToVisits />} />
        }}
      </Loaded>
    </Page>
  )
}

function ToVisits() {
  const t = useTranslations('portal.visits')
  const { slug } = useClinic()
  return (
    <ButtonLink size="md" to="/$clinic/visits" params={{ clinic: slug }}>
      {t('toVisits')}
    </ButtonLink>
  )
}

function Move({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal.booking')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isBooked = useRef(false)
  const refresh = useRefresh()
  // A visit that was cancelled meanwhile says so.
  const refreshState = ({ code }: ApiError) => {
    if (code === 'invalid_transition') void refresh(['/v1/me/appointments'])
  }
  const move = useWrite('POST /v1/me/appointments/{id}/reschedule', {
    onDone: () => {
      isBooked.current = true
      toast({ text: t('moved') })
      // Reload the visits only after leaving, because this visit no longer exists.
      void navigate({ to: '/$clinic/visits', params: { clinic: slug }, replace: true }).then(() =>
        client.invalidateQueries(),
      )
    },
  })
  const can = possibleChanges(visit, useNow())
  const isMovable = isChangeable(visit.status) && (can === 'both' || can === 'move')
  if (!isMovable && !move.isPending && !move.isSuccess)
    return <NotMovable visit={visit} slug={slug} action={<ToVisits />} />
  return (
    <Stack gap="lg">
      <CurrentTime visit={visit}>
        <ButtonLink variant="default" size="md" to="/$clinic/visits" params={{ clinic: slug }}>
          {t('keep')}
        </ButtonLink>
      </CurrentTime>
      <BookingFlow organization={slug} moved={visit} isBooked={isBooked}>
        {(chosen) => (
          <Stack gap="lg">
            <HeldSummary chosen={chosen} cost={visit} key={chosen.held.hold.id} />
            <Problem error={move.error} />
            <Button
              size="md"
              loading={move.isPending}
              onClick={() =>
                move.mutate(
                  { params: { id: visit.id }, body: { hold_id: chosen.held.hold.id } },
                  { onError: refreshState },
                )
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
