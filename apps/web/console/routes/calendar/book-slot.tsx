import { NativeSelect, Radio, Stack, Text, TextInput } from '@mantine/core'
import '@mantine/core/styles/Radio.layer.css'
import type { AvailableSlot, Service } from '@tendon/sdk'
import { type FormEvent, useEffect, useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useList, useWrite } from '../../../ui/api/hooks.ts'
import { Dialog } from '../../../ui/feedback/dialog.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { toast } from '../../../ui/feedback/toasts.tsx'
import { SubmitButtons } from '../../../ui/field-form/submit-buttons.tsx'
import { IconSearch } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'

const WAIT_MS = 250
const MAX_PATIENTS = 6

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
  const t = useTranslations('console.calendar')
  const tVisits = useTranslations('console.record.appointments')
  const format = useFormatter()
  const { time_zone } = useClinic()
  const [text, setText] = useState('')
  const [q, setQ] = useState('')
  const [patientId, setPatientId] = useState('')
  const [mode, setMode] = useState(service.modes[0] ?? 'in_person')
  useEffect(() => {
    const timer = setTimeout(() => setQ(text.trim()), WAIT_MS)
    return () => clearTimeout(timer)
  }, [text])
  const patients = useList('GET /v1/patients/picker', { query: { q, limit: MAX_PATIENTS } })
  const write = useWrite('POST /v1/appointments', {
    refresh: ['/v1/appointments', '/v1/availability'],
    onDone: () => {
      toast({ text: tVisits('booked') })
      onClose()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const { starts_at, specialist_id, location_id } = slot
    write.mutate({
      body: {
        service_id: service.id,
        specialist_id,
        location_id,
        patient_id: patientId,
        mode,
        starts_at,
        status: 'confirmed',
      },
    })
  }
  const items = patients.data?.items ?? []
  return (
    <form onSubmit={send}>
      <Stack>
        <Text fw={600}>
          {service.name},{' '}
          {format.dateTime(new Date(slot.starts_at), { dateStyle: 'full', timeStyle: 'short', timeZone: time_zone })}
        </Text>
        <TextInput
          type="search"
          label={t('patient')}
          placeholder={t('searchPatient')}
          leftSection={<IconSearch size={18} />}
          value={text}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setText(event.currentTarget.value)}
        />
        {patients.data && items.length === 0 && <Text c="dimmed">{t('nobody')}</Text>}
        <Radio.Group aria-label={t('patient')} value={patientId} onChange={setPatientId}>
          <Stack gap={6}>
            {items.map(({ id, name, birth_date }) => (
              <Radio key={id} value={id} label={name} description={birth_date ?? undefined} />
            ))}
          </Stack>
        </Radio.Group>
        {service.modes.length > 1 && (
          <NativeSelect
            label={tVisits('mode')}
            value={mode}
            data={service.modes.map((value) => ({ value, label: tVisits(`modes.${value}`) }))}
            onChange={(event) => setMode(event.currentTarget.value as typeof mode)}
          />
        )}
        <Problem error={write.error ?? patients.error} />
        <SubmitButtons
          write={write}
          label={tVisits('book')}
          onCancel={onClose}
          disabled={!items.some(({ id }) => id === patientId)}
        />
      </Stack>
    </form>
  )
}
