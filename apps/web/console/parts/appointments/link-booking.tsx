import { Alert, Button, Stack, Text } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { PatientPicker } from '../patients/patient-picker.tsx'

/** A booking from the public page belongs to no record until staff links it. */
export function LinkBooking({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.visits.link')
  const [open, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <Alert variant="outline" color="orange">
      <Text mb="xs">{t('text')}</Text>
      <Button variant="default" size="xs" onClick={() => setOpen(true)}>
        {t('action')}
      </Button>
      <Dialog open={open} title={t('action')} onClose={close}>
        <ChoosePatient visit={visit} onClose={close} />
      </Dialog>
    </Alert>
  )
}

function ChoosePatient({ visit, onClose }: { visit: Appointment; onClose: () => void }) {
  const t = useTranslations('console.visits.link')
  const write = useWrite('POST /v1/appointments/{id}/link-patient', {
    refresh: ['/v1/appointments'],
    onDone: () => {
      onClose()
      toast({ text: t('done') })
    },
  })
  const form = useApiForm(write, { patient_id: '' }, { isGuarded: false })
  const { patient_id } = form.values
  const send = form.onSubmit((body) => write.mutate({ params: { id: visit.id }, body }))
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <PatientPicker
          value={patient_id}
          error={form.error('patient_id')}
          onChange={(id) => form.set('patient_id', id)}
          start={visit.booker?.name ?? ''}
        />
        <Problem error={form.problem} />
        <SubmitButtons write={write} label={t('action')} onCancel={onClose} disabled={patient_id === ''} />
      </Stack>
    </form>
  )
}
