import { Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import type { Appointment, AvailableSlot, NewAppointment, Patient, Service } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '../../../ui/api/hooks.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Problem, useCountdown } from '../../../ui/feedback/problem.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { useFieldProblems } from '../../../ui/field-form/field-problems.ts'
import { dayIn } from '../../../ui/format/dates.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { PatientPicker } from '../patients/patient-picker.tsx'
import { FreeTimes } from './free-times.tsx'
import { NoService } from './no-service.tsx'
import { type Repeat, RepeatVisit, useCountSeries } from './repeat-visit.tsx'
import { VISIT_READS } from './visit-reads.ts'

interface BookVisitProps {
  /** Omitted: the person who books chooses one. */
  patient?: Pick<Patient, 'id'>
  open: boolean
  onClose: () => void
  /** The visit to move; omitted for a new visit. */
  move?: Appointment | undefined
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

function ChooseTime({ patient, onClose, move, onMoved }: Omit<BookVisitProps, 'open'>) {
  const t = useTranslations('console.record.appointments')
  const tAction = useTranslations('ui.action')
  const tVisits = useTranslations('console.visits')
  const { time_zone } = useClinic()
  const services = useWholeList('GET /v1/services', { query: { status: 'active' } }, { enabled: !move })
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const [serviceId, setServiceId] = useState('')
  const [specialistId, setSpecialistId] = useState(move?.specialist_id ?? '')
  const [mode, setMode] = useState(move?.mode)
  const [day, setDay] = useState(() => dayIn(time_zone, new Date()))
  const [patientId, setPatientId] = useState(patient?.id ?? '')
  const [slot, setSlot] = useState<AvailableSlot>()
  const [meetingUrl, setMeetingUrl] = useState('')
  const [repeat, setRepeat] = useState<Repeat>()
  const countSeries = useCountSeries()
  const problemsOf = useFieldProblems()
  const book = useWrite('POST /v1/appointments', {
    refresh: VISIT_READS,
    onDone: ({ data }) => {
      onClose()
      if (data.series_id === null) toast({ text: t('booked') })
      else
        void countSeries(data.series_id)
          .then((count) => t('bookedSeries', { count }))
          .catch(() => t('booked'))
          .then((text) => toast({ text }))
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
  const service = services.data?.items.find(({ id }) => id === serviceId) ?? services.data?.items[0]
  const offering = (specialists.data?.items ?? []).filter(({ id }) => isOffering(service, id))
  const shownServiceId = move?.service_id ?? service?.id
  if (services.data && !service) return <NoService />
  const problems = problemsOf(write.error)
  const modeNow = mode ?? service?.modes[0] ?? 'in_person'
  const send = () => {
    if (!slot) return
    if (move) reschedule.mutate({ params: { id: move.id }, body: { starts_at: slot.starts_at } })
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
            data={(services.data?.items ?? []).map(({ id, name, duration_minutes }) => ({
              value: id,
              label: `${name} (${duration_minutes} min)`,
            }))}
            onChange={(event) => {
              setServiceId(event.currentTarget.value)
              setSpecialistId('')
              setMode(undefined)
              setSlot(undefined)
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
              setSlot(undefined)
            }}
          />
          {(service?.modes.length ?? 0) > 1 && (
            <NativeSelect
              label={t('mode')}
              value={modeNow}
              data={(service?.modes ?? []).map((value) => ({ value, label: t(`modes.${value}`) }))}
              onChange={(event) => {
                setMode(event.currentTarget.value as typeof modeNow)
                setSlot(undefined)
              }}
            />
          )}
        </>
      )}
      {shownServiceId !== undefined && (
        <FreeTimes
          serviceId={shownServiceId}
          specialistId={specialistId}
          offering={offering}
          mode={modeNow}
          day={day}
          onDay={(next) => {
            setDay(next)
            setSlot(undefined)
          }}
          chosen={slot}
          onChoose={setSlot}
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
      <Problem error={problems.meeting_url === undefined ? (write.error ?? services.error) : null} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {tAction('cancel')}
        </Button>
        <Button disabled={!slot || (!move && patientId === '') || wait > 0} loading={write.isPending} onClick={send}>
          {move ? t('act.move') : t('book')}
        </Button>
      </Group>
    </Stack>
  )
}
