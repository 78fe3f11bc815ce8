import { Stack, TextInput } from '@mantine/core'
import type { Patient } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { Problem } from '#ui/feedback/problem.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { PatientPicker } from '../patients/patient-picker.tsx'
import { ChooseService } from './choose-service.tsx'
import { FreeTimes } from './free-times.tsx'
import { BookingProblem } from './full-day.tsx'
import { NoService } from './no-service.tsx'
import { RepeatVisit } from './repeat-visit.tsx'
import { useNewVisit } from './use-new-visit.ts'

interface NewVisitProps {
  /** Omitted: the person who books chooses one. */
  patient: Pick<Patient, 'id'> | undefined
  onClose: () => void
}

/** Books a visit at a free time. */
export function NewVisit({ patient, onClose }: NewVisitProps) {
  const t = useTranslations('console.record.appointments')
  const tVisits = useTranslations('console.visits')
  const visit = useNewVisit(patient, onClose)
  const { form, write, time, services, service, mode } = visit
  const { patient_id, specialist_id } = form.values
  if (services.data && !service) return <NoService />
  return (
    <form onSubmit={visit.submit({})} noValidate>
      <Stack>
        {!patient && (
          <PatientPicker
            value={patient_id}
            error={form.error('patient_id')}
            onChange={(id) => form.set('patient_id', id)}
          />
        )}
        <ChooseService visit={visit} />
        {service && (
          <FreeTimes
            {...time.shown}
            serviceId={service.id}
            specialistId={specialist_id}
            offering={visit.offering}
            mode={mode}
          />
        )}
        {mode === 'video' && (
          <TextInput
            {...form.text('meeting_url')}
            label={tVisits('meetingUrl')}
            description={tVisits('meetingUrlHelp')}
            placeholder="https://"
          />
        )}
        <RepeatVisit form={form} />
        <BookingProblem
          write={{ error: form.problem, isPending: write.isPending }}
          serviceId={service?.id}
          action="book"
          onAnyway={visit.submit({ over_limit: true })}
        />
        <Problem error={services.error} />
        <SubmitButtons write={write} label={t('book')} onCancel={onClose} disabled={!time.slot || patient_id === ''} />
      </Stack>
    </form>
  )
}
