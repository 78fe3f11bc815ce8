import { Title } from '@mantine/core'
import type { Appointment, CustomField } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead, useWrite } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import type { ShownQuestion } from '#ui/field-form/translated.ts'
import { VersionedFields } from '#ui/field-form/versioned-fields.tsx'
import { useMay } from '#ui/session/me.ts'
import { useModeOptions } from './use-mode-options.ts'
import { changesOf, valuesOf } from './visit-values.ts'

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
  const [base, setBase] = useState({ values: valuesOf(visit), version: visit.version })
  const [values, setValues] = useState(base.values)
  const questions = useQuestions(fields, values.field_mode)
  const write = useWrite('PATCH /v1/appointments/{id}', {
    refresh: ['/v1/appointments'],
    onDone: ({ data }) => {
      setBase({ values: valuesOf(data), version: data.version })
      setValues(valuesOf(data))
      toast({ text: t('saved') })
    },
  })
  const changes = changesOf(
    questions.map(({ key }) => key),
    base.values,
    values,
  )
  const isChanged = Object.keys(changes).length > 0
  // A change of status increases the version, but it does not touch these fields.
  const isSame = JSON.stringify(valuesOf(visit)) === JSON.stringify(base.values)
  const version = isSame ? Math.max(visit.version, base.version) : base.version
  return (
    <VersionedFields
      heading={
        <Title order={3} size="h4">
          {t('details')}
        </Title>
      }
      fields={questions}
      values={values}
      stored={base.values}
      leaveText={t('leave')}
      onChange={setValues}
      write={write}
      version={version}
      onSave={(of) => write.mutate({ params: { id: visit.id }, body: { ...changes, version: of } })}
      valuesOf={valuesOf}
      onTheirs={(theirs, of) => {
        setBase({ values: theirs, version: of })
        setValues(theirs)
      }}
      problemTexts={{ meeting_url: t('meetingUrlProblem') }}
      readOnly={readOnly}
      disabled={!isChanged}
    />
  )
}
