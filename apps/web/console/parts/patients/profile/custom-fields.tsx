import { Text } from '@mantine/core'
import type { FormQuestion, PatientProfile } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { changedAnswers } from '#ui/field-form/changed-answers.ts'
import { VersionedFields } from '#ui/field-form/versioned-fields.tsx'

const keyed = (profile: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(profile).map(([key, value]) => [`field_${key}`, value]))

/** The clinic's custom fields of a patient. Only changed values are sent. */
export function CustomFields({ profile, readOnly }: { profile: PatientProfile; readOnly: boolean }) {
  const t = useTranslations('console.record.profile')
  const [base, setBase] = useState({ values: keyed(profile.profile), version: profile.version })
  const [values, setValues] = useState<Record<string, unknown>>(base.values)
  const write = useWrite('PUT /v1/patients/{id}/profile', {
    refresh: ['/v1/patients/{id}/profile'],
    onDone: (answer) => {
      setBase({ values: keyed(answer.profile), version: answer.version })
      setValues(keyed(answer.profile))
      toast({ text: t('saved') })
    },
  })
  if (profile.fields.length === 0) return <Text c="dimmed">{t('noFields')}</Text>
  const questions = profile.fields.map(
    ({ key, field_type, label, description, options, is_private }): FormQuestion => ({
      key,
      type: field_type,
      label,
      help_text: description ?? (is_private ? t('private') : null),
      options,
    }),
  )
  const changes = changedAnswers(
    questions.map(({ key }) => key),
    base.values,
    values,
  )
  return (
    <VersionedFields
      fields={questions}
      values={values}
      stored={base.values}
      onChange={setValues}
      write={write}
      version={base.version}
      onSave={(version) => write.mutate({ params: { id: profile.patient_id }, ifMatch: version, body: changes })}
      valuesOf={(row) => keyed((row.profile ?? {}) as Record<string, unknown>)}
      onTheirs={(theirs, version) => {
        setBase({ values: theirs, version })
        setValues(theirs)
      }}
      readOnly={readOnly}
      disabled={Object.keys(changes).length === 0}
    />
  )
}
