import { Button, Stack } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { MyAppointment } from '@tendon/sdk'
import { useRef } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../ui/api/hooks.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../ui/feedback/loading.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { BookingFlow } from '../book/booking-flow.tsx'
import { CurrentTime } from '../book/current-time.tsx'
import { HeldSummary } from '../book/held-time.tsx'
import { useMyVisits } from './my-visits.ts'

/** Moves a visit. The old time is kept until the new one is booked. */
export function MoveVisitPage() {
  const t = useTranslations('portal')
  const id = useParam('id')
  const { slug } = useClinic()
  const visits = useMyVisits()
  return (
    <Page title={t('booking.moveTitle')}>
      <Loaded query={visits}>
        {({ upcoming }) => {
          const visit = upcoming.find((one) => one.id === id)
          if (visit) return <Move visit={visit} />
          const action = (
            <Button
              size="md"
              renderRoot={(props) => <Link {...props} to="/$clinic/visits" params={{ clinic: slug }} />}
            >
              {t('visits.toVisits')}
            </Button>
          )
          return <EmptyState title={t('visits.gone')} text={t('visits.goneText')} action={action} />
        }}
      </Loaded>
    </Page>
  )
}

function Move({ visit }: { visit: MyAppointment }) {
  const t = useTranslations('portal.booking')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const client = useQueryClient()
  const isBooked = useRef(false)
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
  return (
    <Stack gap="lg">
      <CurrentTime startsAt={visit.starts_at ?? ''}>
        <Button
          variant="default"
          size="md"
          renderRoot={(props) => <Link {...props} to="/$clinic/visits" params={{ clinic: slug }} />}
        >
          {t('keep')}
        </Button>
      </CurrentTime>
      <BookingFlow organization={slug} fixed={{ service: visit.service.id, mode: visit.mode }} isBooked={isBooked}>
        {(chosen) => (
          <Stack gap="lg">
            <HeldSummary chosen={chosen} key={chosen.held.hold.id} />
            <Problem error={move.error} />
            <Button
              size="md"
              loading={move.isPending}
              onClick={() => move.mutate({ params: { id: visit.id }, body: { hold_id: chosen.held.hold.id } })}
            >
              {t('moveNow')}
            </Button>
          </Stack>
        )}
      </BookingFlow>
    </Stack>
  )
}
