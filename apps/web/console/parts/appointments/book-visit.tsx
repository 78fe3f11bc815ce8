import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { Appointment, AvailableSlot, NewAppointment, Patient, Service } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem, useCountdown } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useUnsavedGuard } from '#ui/feedback/use-unsaved-guard.ts'
import { useFieldProblems } from '#ui/field-form/field-problems.ts'
import { addDays, dayIn } from '#ui/format/dates.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { PatientPicker } from '../patients/patient-picker.tsx'
import { type DaySpan, FreeTimes } from './free-times.tsx'
import { BookingProblem } from './full-day.tsx'
import { NoService } from './no-service.tsx'
import { type Repeat, RepeatVisit, useSeriesText } from './repeat-visit.tsx'
import { VISIT_READS } from './visit-reads.ts'

interface BookVisitProps {
  /** Omitted: the person who books chooses one. */
  patient?: Pick<Patient, 'id'>
  open: boolean
  onClose: () => void
  /** The visit to move; omitted for a new visit. */
  move?: Appointment | undefined
  /** Days on which no time is offered, because they become days off. */
  off?: DaySpan | undefined
  /** Called with the id of the visit at the new time. */
  onMoved?: ((id: string) => void) | undefined
}

/** Books a visit at a free time, or moves one. */
export function BookVisit({ open, ...props }: BookVisitProps) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={open} title={props.move ? t('moveTitle') : t('book')} onClose={props.onClose} size="md">
      <ChooseTime {...props} />
    </Dialog>
  )
}

/** A service without specialists is offered by all. */
const isOffering = (service: Service | undefined, id: string): boolean =>
  service !== undefined && (service.specialist_ids.length === 0 || service.specialist_ids.includes(id))

function ChooseTime({ patient, onClose, move, onMoved, off }: Omit<BookVisitProps, 'open'>) {
  const t = useTranslations('console.record.appointments')
  const tAction = useTranslations('ui.action')
  const tVisits = useTranslations('console.visits')
  const serviceName = useServiceName()
  const { time_zone } = useClinic()
  const services = useWholeList('GET /v1/services', { query: { status: 'active' } }, { enabled: !move })
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const [serviceId, setServiceId] = useState('')
  const [specialistId, setSpecialistId] = useState(move?.specialist_id ?? '')
  const [mode, setMode] = useState(move?.mode)
  const [day, setDay] = useState(() => (off ? addDays(off.to, 1) : dayIn(time_zone, new Date())))
  const [patientId, setPatientId] = useState(patient?.id ?? '')
  const [slot, setSlot] = useState<AvailableSlot>()
  const [meetingUrl, setMeetingUrl] = useState('')
  const [repeat, setRepeat] = useState<Repeat>()
  const seriesText = useSeriesText()
  const problemsOf = useFieldProblems()
  const book = useWrite('POST /v1/appointments', {
    refresh: VISIT_READS,
    onDone: ({ data }) => {
      onClose()
      toast(repeat ? seriesText(data, repeat) : { text: t('booked') })
    },
  })
  const reschedule = useWrite('POST /v1/appointments/{id}/reschedule', {
    refresh: VISIT_READS,
    onDone: ({ data }) => {
      toast({ text: t('moved') })
      onClose()
      onMoved?.(data.id)
    },
  })
  const write = move ? reschedule : book
  const wait = useCountdown(write.error)
  const choose = (next: AvailableSlot | undefined) => {
    setSlot(next)
    if (write.error) write.reset()
  }
  useUnsavedGuard(meetingUrl.trim() !== '' && !write.isPending && !write.isSuccess)
  const service = services.data?.items.find(({ id }) => id === serviceId) ?? services.data?.items[0]
  const offering = (specialists.data?.items ?? []).filter(({ id }) => isOffering(service, id))
  const shownServiceId = move?.service_id ?? service?.id
  if (services.data && !service) return <NoService />
  const problems = problemsOf(write.error)
  const modeNow = mode ?? service?.modes[0] ?? 'in_person'
  const send = (isOverLimit = false) => {
    if (!slot) return
    const limit = isOverLimit ? { over_limit: true } : {}
    if (move)
      reschedule.mutate({
        params: { id: move.id },
        // Somebody may work at another place that day.
        body: {
          starts_at: slot.starts_at,
          ...(slot.location_id === null ? {} : { location_id: slot.location_id }),
          ...limit,
        },
      })
    else if (service)
      book.mutate({
        body: {
          service_id: service.id,
          specialist_id: slot.specialist_id,
          location_id: slot.location_id,
          patient_id: patientId,
          mode: modeNow,
          starts_at: slot.starts_at,
          status: 'confirmed',
          ...(modeNow === 'video' && meetingUrl.trim() !== '' ? { meeting_url: meetingUrl.trim() } : {}),
          ...(repeat ? { repeat } : {}),
          ...limit,
        } satisfies NewAppointment,
      })
  }
  return (
    <Stack>
      {!move && (
        <>
          {!patient && <PatientPicker value={patientId} onChange={setPatientId} />}
          <NativeSelect
            label={t('service')}
            value={service?.id ?? ''}
            data={(services.data?.items ?? []).map((one) => ({
              value: one.id,
              label: `${serviceName(one)} (${one.duration_minutes} min)`,
            }))}
            onChange={(event) => {
              setServiceId(event.currentTarget.value)
              setSpecialistId('')
              setMode(undefined)
              choose(undefined)
            }}
          />
          <NativeSelect
            label={t('specialist')}
            value={specialistId}
            data={[
              { value: '', label: t('anySpecialist') },
              ...offering.map(({ id, name }) => ({ value: id, label: name })),
            ]}
            onChange={(event) => {
              setSpecialistId(event.currentTarget.value)
              choose(undefined)
            }}
          />
          {(service?.modes.length ?? 0) > 1 && (
            <NativeSelect
              label={t('mode')}
              value={modeNow}
              data={(service?.modes ?? []).map((value) => ({ value, label: t(`modes.${value}`) }))}
              onChange={(event) => {
                setMode(event.currentTarget.value as typeof modeNow)
                choose(undefined)
              }}
            />
          )}
        </>
      )}
      {shownServiceId !== undefined && (
        <FreeTimes
          serviceId={shownServiceId}
          specialistId={specialistId}
          offering={move ? (specialists.data?.items ?? []) : offering}
          isMove={move !== undefined}
          mode={modeNow}
          day={day}
          off={off}
          onDay={(next) => {
            setDay(next)
            choose(undefined)
          }}
          chosen={slot}
          onChoose={choose}
        />
      )}
      {!move && modeNow === 'video' && (
        <TextInput
          name="meeting_url"
          label={tVisits('meetingUrl')}
          description={tVisits('meetingUrlHelp')}
          placeholder="https://"
          value={meetingUrl}
          error={problems.meeting_url && tVisits('meetingUrlProblem')}
          onChange={(event) => setMeetingUrl(event.currentTarget.value)}
        />
      )}
      {!move && <RepeatVisit value={repeat} onChange={setRepeat} />}
      {problems.meeting_url === undefined && (
        <BookingProblem
          write={write}
          serviceId={shownServiceId ?? undefined}
          action={move ? 'move' : 'book'}
          onAnyway={() => send(true)}
        />
      )}
      <Problem error={services.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {tAction('cancel')}
        </Button>
        <Button
          disabled={!slot || (!move && patientId === '') || wait > 0}
          loading={write.isPending}
          onClick={() => send()}
        >
          {move ? t('act.move') : t('book')}
        </Button>
      </Group>
    </Stack>
  )
}
