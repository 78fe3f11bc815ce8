import { Stack } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { type DaySpan, FreeTimes } from './free-times.tsx'
import { BookingProblem } from './full-day.tsx'
import { useChosenTime } from './use-chosen-time.ts'
import { VISIT_READS } from './visit-reads.ts'

export interface MoveVisitProps {
  visit: Appointment
  /** Days on which no time is offered, because they become days off. */
  off?: DaySpan | undefined
  onClose: () => void
  /** Called with the id of the visit at the new time. */
  onMoved?: ((id: string) => void) | undefined
}

/** Moves a visit to another free time. */
export function MoveVisit({ visit, off, onClose, onMoved }: MoveVisitProps) {
  const t = useTranslations('console.record.appointments')
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const write = useWrite('POST /v1/appointments/{id}/reschedule', {
    refresh: VISIT_READS,
    onDone: ({ data }) => {
      toast({ text: t('moved') })
      onClose()
      onMoved?.(data.id)
    },
  })
  const form = useApiForm(write, {}, { isGuarded: false })
  const { slot, shown } = useChosenTime(write, off)
  const submit = (limit: { over_limit?: true }) =>
    form.onSubmit(() => {
      if (!slot) return
      const { starts_at, location_id } = slot
      // Somebody may work at another place that day.
      const place = location_id === null ? {} : { location_id }
      write.mutate({ params: { id: visit.id }, body: { starts_at, ...place, ...limit } })
    })
  return (
    <form onSubmit={submit({})} noValidate>
      <Stack>
        {visit.service_id !== undefined && (
          <FreeTimes
            {...shown}
            serviceId={visit.service_id}
            specialistId={visit.specialist_id ?? ''}
            offering={specialists.data?.items ?? []}
            isMove
            mode={visit.mode}
          />
        )}
        <BookingProblem
          write={{ error: form.problem, isPending: write.isPending }}
          serviceId={visit.service_id}
          action="move"
          onAnyway={submit({ over_limit: true })}
        />
        <SubmitButtons write={write} label={t('act.move')} onCancel={onClose} disabled={!slot} />
      </Stack>
    </form>
  )
}
