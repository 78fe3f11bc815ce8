import { Title } from '@mantine/core'
import type { Appointment, CustomField } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import type { ShownQuestion } from '#ui/field-form/translated.ts'
import { QuestionForm } from '#ui/form/question-form.tsx'
import { answersTo, changesOf, checkAnswers } from '#ui/form/questions.ts'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useMay } from '#ui/session/me.ts'
import { useModeOptions } from './use-mode-options.ts'

interface VisitDetailsProps {
  visit: Appointment
  readOnly: boolean
}

/** Notes, meeting link and the clinic's own fields of a visit. */
export function VisitDetails({ visit, readOnly }: VisitDetailsProps) {
  const fields = useRead(
    'GET /v1/custom-fields',
    { query: { entity_type: 'appointment' } },
    { enabled: useMay()('custom_fields.view') },
  )
  if (fields.fetchStatus === 'idle' && fields.data === undefined && !fields.error)
    return <DetailsForm visit={visit} fields={[]} readOnly={readOnly} />
  return (
    <Loaded query={fields} skeleton={<Skeletons rows={3} />}>
      {(read) => <DetailsForm visit={visit} fields={read.fields} readOnly={readOnly} />}
    </Loaded>
  )
}

function useQuestions(fields: readonly CustomField[], mode: unknown): ShownQuestion[] {
  const t = useTranslations('console.visits')
  const tVisits = useTranslations('console.record.appointments')
  return [
    {
      key: 'mode',
      type: 'select',
      label: tVisits('mode'),
      ...useModeOptions(),
    },
    ...(mode === 'video'
      ? [{ key: 'meeting_url', type: 'text', label: t('meetingUrl'), help_text: t('meetingUrlHelp') } as const]
      : []),
    { key: 'notes', type: 'textarea', label: t('notes'), help_text: t('notesHelp') },
    { key: 'patient_note', type: 'textarea', label: t('patientNote'), help_text: t('patientNoteHelp') },
    ...fields
      .toSorted((a, b) => a.sort_order - b.sort_order)
      .map(({ key, field_type, label, description, options, is_private }) => ({
        key: `custom_fields.${key}`,
        type: field_type,
        label,
        help_text: description ?? (is_private ? t('private') : null),
        options,
      })),
  ]
}

function DetailsForm({ visit, fields, readOnly }: VisitDetailsProps & { fields: readonly CustomField[] }) {
  const t = useTranslations('console.visits')
  const write = useWrite('PATCH /v1/appointments/{id}', {
    refresh: ['/v1/appointments'],
    onDone: () => toast({ text: t('saved') }),
  })
  const valuesOf = ({ mode, meeting_url, notes, patient_note, custom_fields }: Partial<Appointment>) => ({
    mode: mode ?? ('' as const),
    meeting_url: meeting_url ?? '',
    notes: notes ?? '',
    patient_note: patient_note ?? '',
    custom_fields: answersTo(fields, custom_fields),
  })
  const form = useApiForm(write, valuesOf(visit), {
    version: visit.version,
    valuesOf,
    adapt: ({ meeting_url, ...body }, stored) =>
      changesOf({ ...body, ...(body.mode === 'video' ? { meeting_url } : {}) }, stored),
    sendsChanges: true,
    check: (values) => checkAnswers(questions, values),
    isGuarded: !readOnly,
    leaveText: t('leave'),
    problemTexts: { meeting_url: t('meetingUrlProblem') },
  })
  const questions = useQuestions(fields, form.values.mode)
  return (
    <QuestionForm
      heading={
        <Title order={3} size="h4">
          {t('details')}
        </Title>
      }
      form={form}
      write={write}
      onSubmit={form.onSubmit((body, version) =>
        write.mutate({ params: { id: visit.id }, body: { ...body, version } }),
      )}
      fields={questions}
      readOnly={readOnly}
    />
  )
}
