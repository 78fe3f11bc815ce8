import { Text } from '@mantine/core'
import type { FormQuestion, PatientProfile } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { QuestionForm } from '#ui/form/question-form.tsx'
import { answersTo, changesOf, checkAnswers } from '#ui/form/questions.ts'
import { useApiForm } from '#ui/form/use-api-form.ts'

/** The clinic's custom fields of a patient. Only changed values are sent. */
export function CustomFields({ profile, readOnly }: { profile: PatientProfile; readOnly: boolean }) {
  const t = useTranslations('console.record.profile')
  const write = useWrite('PUT /v1/patients/{id}/profile', {
    refresh: ['/v1/patients/{id}/profile'],
    onDone: () => toast({ text: t('saved') }),
  })
  const questions = profile.fields.map(
    ({ key, field_type, label, description, options, is_private }): FormQuestion => ({
      key,
      type: field_type,
      label,
      help_text: description ?? (is_private ? t('private') : null),
      options,
    }),
  )
  const valuesOf = (row: Partial<Pick<PatientProfile, 'profile'>>) => answersTo(questions, row.profile)
  const form = useApiForm(write, valuesOf(profile), {
    version: profile.version,
    valuesOf,
    adapt: changesOf,
    sendsChanges: true,
    check: (values) => checkAnswers(questions, values),
    isGuarded: !readOnly,
  })
  if (profile.fields.length === 0) return <Text c="dimmed">{t('noFields')}</Text>
  return (
    <QuestionForm
      form={form}
      write={write}
      onSubmit={form.onSubmit((body, ifMatch) => write.mutate({ params: { id: profile.patient_id }, ifMatch, body }))}
      fields={questions}
      readOnly={readOnly}
    />
  )
}
