import { NativeSelect, Stack, Text } from '@mantine/core'
import type { AvailableSlot, Service } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useServiceName } from '#ui/format/use-service-name.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { BookingProblem } from '../appointments/full-day.tsx'
import { VISIT_READS } from '../appointments/visit-reads.ts'
import { PatientPicker } from '../patients/patient-picker.tsx'

interface BookSlotProps {
  slot: AvailableSlot | undefined
  service: Service
  onClose: () => void
}

/** Books a free time of the calendar for a patient. */
export function BookSlot({ slot, service, onClose }: BookSlotProps) {
  const t = useTranslations('console.record.appointments')
  return (
    <Dialog open={slot !== undefined} title={t('book')} onClose={onClose}>
      {slot && <ChoosePatient slot={slot} service={service} onClose={onClose} />}
    </Dialog>
  )
}

function ChoosePatient({ slot, service, onClose }: BookSlotProps & { slot: AvailableSlot }) {
  const tVisits = useTranslations('console.record.appointments')
  const serviceName = useServiceName()
  const format = useFormatter()
  const { time_zone } = useClinic()
  const specialists = useWholeList('GET /v1/specialists', { query: { sort: 'name' } })
  const specialist = specialists.data?.items.find(({ id }) => id === slot.specialist_id)
  const write = useWrite('POST /v1/appointments', {
    refresh: VISIT_READS,
    onDone: () => {
      toast({ text: tVisits('booked') })
      onClose()
    },
  })
  const form = useApiForm(write, { patient_id: '', mode: service.modes[0] ?? 'in_person' }, { isGuarded: false })
  const { patient_id } = form.values
  const { starts_at, specialist_id, location_id } = slot
  const time = { service_id: service.id, specialist_id, location_id, starts_at }
  const book = (limit: { over_limit?: true }) =>
    form.onSubmit((body) => write.mutate({ body: { ...body, ...time, status: 'confirmed', ...limit } }))
  return (
    <form onSubmit={book({})} noValidate>
      <Stack>
        <Text fw={600}>
          {serviceName(service)},{' '}
          {format.dateTime(new Date(slot.starts_at), { dateStyle: 'full', timeStyle: 'short', timeZone: time_zone })}
        </Text>
        {specialist && <Text>{tVisits('withSpecialist', { name: specialist.name })}</Text>}
        <PatientPicker
          value={patient_id}
          error={form.error('patient_id')}
          onChange={(id) => form.set('patient_id', id)}
        />
        {service.modes.length > 1 && (
          <NativeSelect
            {...form.select('mode')}
            label={tVisits('mode')}
            data={service.modes.map((value) => ({ value, label: tVisits(`modes.${value}`) }))}
          />
        )}
        <BookingProblem
          write={{ error: form.problem, isPending: write.isPending }}
          serviceId={service.id}
          action="book"
          onAnyway={book({ over_limit: true })}
        />
        <SubmitButtons write={write} label={tVisits('book')} onCancel={onClose} disabled={patient_id === ''} />
      </Stack>
    </form>
  )
}
