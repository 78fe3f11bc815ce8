import type { Patient, Service } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { isRecord } from '#ui/form/body.ts'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useSeriesText } from './series-text.ts'
import { useChosenTime } from './use-chosen-time.ts'
import { VISIT_READS } from './visit-reads.ts'

export type NewVisit = ReturnType<typeof useNewVisit>
export type NewVisitForm = NewVisit['form']

/** A service without specialists is offered by all. */
const isOffering = (service: Service | undefined, id: string): boolean =>
  service !== undefined && (service.specialist_ids.length === 0 || service.specialist_ids.includes(id))

/** The form of a visit at a free time. Without a choice it has the first service, in its first mode, with any specialist. */
export function useNewVisit(patient: Pick<Patient, 'id'> | undefined, onClose: () => void) {
  const t = useTranslations('console')
  const seriesText = useSeriesText()
  const services = useWholeList('GET /v1/services', { query: { status: 'active' } })
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const serviceOf = (id: unknown) => services.data?.items.find((one) => one.id === id) ?? services.data?.items[0]
  const write = useWrite('POST /v1/appointments', {
    refresh: VISIT_READS,
    onDone: ({ data }) => {
      const { repeat } = write.variables?.body ?? {}
      onClose()
      toast(repeat ? seriesText(data, repeat.count) : { text: t('record.appointments.booked') })
    },
  })
  const form = useApiForm(
    write,
    {
      patient_id: patient?.id ?? '',
      service_id: '',
      specialist_id: '',
      mode: '',
      meeting_url: '',
      repeat: { every_weeks: 0, count: 6, on_conflict: 'skip' },
    },
    {
      isGuarded: false,
      adapt: ({ meeting_url, repeat, ...body }) => ({
        ...body,
        ...(meeting_url !== null && (body.mode ?? serviceOf(body.service_id)?.modes[0]) === 'video'
          ? { meeting_url }
          : {}),
        ...(isRecord(repeat) && repeat.every_weeks !== 0 ? { repeat } : {}),
      }),
      problemTexts: { meeting_url: t('visits.meetingUrlProblem') },
    },
  )
  // Choices are quickly made again; only the typed link is worth a question.
  useUnsavedGuard(form.values.meeting_url.trim() !== '' && !write.isPending && !write.isSuccess)
  const time = useChosenTime(write)
  const service = serviceOf(form.values.service_id)
  const mode = form.values.mode === '' ? (service?.modes[0] ?? 'in_person') : form.values.mode
  const { slot } = time
  return {
    form,
    write,
    time,
    services,
    service,
    mode,
    offering: (specialists.data?.items ?? []).filter(({ id }) => isOffering(service, id)),
    submit: (limit: { over_limit?: true }) =>
      form.onSubmit((body) => {
        if (!slot || !service) return
        const { starts_at, specialist_id, location_id } = slot
        const chosen = { service_id: service.id, specialist_id, location_id, mode, starts_at }
        write.mutate({ body: { ...body, ...chosen, status: 'confirmed', ...limit } })
      }),
  }
}
