import { Button, Group, NativeSelect, Stack, Text } from '@mantine/core'
import type { Appointment, AvailableSlot, Patient } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useList, useWrite } from '../../../../ui/api/hooks.ts'
import { Dialog } from '../../../../ui/feedback/dialog.tsx'
import { Problem, useCountdown } from '../../../../ui/feedback/problem.tsx'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { dayIn } from '../../../../ui/format/dates.ts'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import { FreeTimes } from './free-times.tsx'

interface BookVisitProps {
  patient: Pick<Patient, 'id'>
  open: boolean
  onClose: () => void
  /** The visit to move; omitted for a new visit. */
  move?: Appointment | undefined
}

/** Books a visit at a free time, or moves one. */
export function BookVisit({ patient, open, onClose, move }: BookVisitProps) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={open} title={move ? t('moveTitle') : t('book')} onClose={onClose} size="md">
      <ChooseTime patient={patient} onClose={onClose} move={move} />
    </Dialog>
  )
}

function ChooseTime({ patient, onClose, move }: Omit<BookVisitProps, 'open'>) {
  const t = useTranslations('console.record.appointments')
  const tAction = useTranslations('ui.action')
  const { time_zone } = useClinic()
  const services = useList('GET /v1/services', { query: { status: 'active', limit: 100 } })
  const specialists = useList('GET /v1/specialists/picker', { query: { limit: 100 } })
  const [serviceId, setServiceId] = useState(move?.service_id ?? '')
  const [specialistId, setSpecialistId] = useState(move?.specialist_id ?? '')
  const [mode, setMode] = useState(move?.mode)
  const [day, setDay] = useState(() => dayIn(time_zone, new Date()))
  const [slot, setSlot] = useState<AvailableSlot>()
  const done = (text: string) => ({
    refresh: ['/v1/appointments', '/v1/availability'],
    onDone: () => {
      toast({ text })
      onClose()
    },
  })
  const book = useWrite('POST /v1/appointments', done(t('booked')))
  const reschedule = useWrite('POST /v1/appointments/{id}/reschedule', done(t('moved')))
  const write = move ? reschedule : book
  const wait = useCountdown(write.error)
  const service = services.data?.items.find(({ id }) => id === serviceId) ?? services.data?.items[0]
  if (services.data && !service) return <Text>{t('noService')}</Text>
  const modeNow = mode ?? service?.modes[0] ?? 'in_person'
  const send = () => {
    if (!slot || !service) return
    if (move) reschedule.mutate({ params: { id: move.id }, body: { starts_at: slot.starts_at } })
    else
      book.mutate({
        body: {
          service_id: service.id,
          specialist_id: slot.specialist_id,
          location_id: slot.location_id,
          patient_id: patient.id,
          mode: modeNow,
          starts_at: slot.starts_at,
          status: 'confirmed',
        },
      })
  }
  return (
    <Stack>
      {!move && (
        <>
          <NativeSelect
            label={t('service')}
            value={service?.id ?? ''}
            data={(services.data?.items ?? []).map(({ id, name, duration_minutes }) => ({
              value: id,
              label: `${name} (${duration_minutes} min)`,
            }))}
            onChange={(event) => {
              setServiceId(event.currentTarget.value)
              setSlot(undefined)
            }}
          />
          <NativeSelect
            label={t('specialist')}
            value={specialistId}
            data={[
              { value: '', label: t('anySpecialist') },
              ...(specialists.data?.items ?? [])
                .filter(({ id }) => service?.specialist_ids.includes(id))
                .map(({ id, name }) => ({ value: id, label: name })),
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
              onChange={(event) => setMode(event.currentTarget.value as typeof modeNow)}
            />
          )}
        </>
      )}
      {service && (
        <FreeTimes
          serviceId={service.id}
          specialistId={specialistId}
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
      <Problem error={write.error ?? services.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {tAction('cancel')}
        </Button>
        <Button disabled={!slot || wait > 0} loading={write.isPending} onClick={send}>
          {move ? t('act.move') : t('book')}
        </Button>
      </Group>
    </Stack>
  )
}
