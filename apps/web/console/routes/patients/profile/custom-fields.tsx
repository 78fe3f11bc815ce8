import { Stack, Text } from '@mantine/core'
import type { FormQuestion, PatientProfile } from '@tendon/sdk'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { Conflict } from '../../../../ui/feedback/conflict.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { FieldForm } from '../../../../ui/field-form/field-form.tsx'
import { useFieldProblems } from '../../../../ui/field-form/field-problems.ts'
import { SubmitButtons } from '../../../../ui/field-form/submit-buttons.tsx'

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
const keyed = (profile: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(profile).map(([key, value]) => [`field_${key}`, value]))

/** The clinic's custom fields of a patient. Only changed values are sent. */
export function CustomFields({ profile, readOnly }: { profile: PatientProfile; readOnly: boolean }) {
  const t = useTranslations('console.record.profile')
  const problemsOf = useFieldProblems()
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
  const stale = staleOf(write.error)
  const theirs = stale && keyed((stale.current.profile ?? {}) as Record<string, unknown>)
  const isChanged = (key: string) => shown(values[key]) !== shown(base.values[key])
  const changes = () =>
    Object.fromEntries(
      questions
        .filter(({ key }) => isChanged(`field_${key}`))
        .map(({ key }) => {
          const value = values[`field_${key}`]
          return [key, value === '' || value === undefined ? null : value]
        }),
    )
  const save = (version: number) =>
    write.mutate({ params: { id: profile.patient_id }, ifMatch: version, body: changes() })
  const problems = problemsOf(write.error)
  const errors = Object.fromEntries(Object.entries(problems).map(([key, text]) => [`field_${key}`, text]))
  const isNamed = questions.some(({ key }) => key in problems)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (Object.keys(changes()).length > 0) save(base.version)
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <FieldForm
          fields={questions}
          values={values}
          errors={errors}
          readOnly={readOnly}
          onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
        />
        <Problem error={stale || isNamed ? null : write.error} />
        {!readOnly && <SubmitButtons write={write} />}
      </Stack>
      <Conflict
        stale={stale}
        differences={questions
          .filter(({ key }) => theirs && shown(theirs[`field_${key}`]) !== shown(values[`field_${key}`]))
          .map(({ key, label }) => ({
            label: label ?? key,
            theirs: shown(theirs?.[`field_${key}`]),
            mine: shown(values[`field_${key}`]),
          }))}
        onTheirs={() => {
          if (stale && theirs) {
            setBase({ values: theirs, version: stale.version })
            setValues(theirs)
          }
          write.reset()
        }}
        onMine={() => stale && save(stale.version)}
        onClose={() => write.reset()}
      />
    </form>
  )
}
