import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { openFields } from '@tendon/contracts/form-values'
import type { Form } from '@tendon/sdk'
import { useState } from 'react'
import { useFormatter, useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { AnswerConflict } from '#ui/field-form/answer-conflict.tsx'
import { useAnswerProblems } from '#ui/field-form/answer-problems.ts'
import { FieldForm } from '#ui/field-form/field-form.tsx'
import { useFieldProblems } from '#ui/field-form/field-problems.ts'
import { FileQuestion } from '#ui/field-form/file-question.tsx'
import { SaveLine } from '#ui/field-form/save-line.tsx'
import { translatedFields, translatedTitle } from '#ui/field-form/translated.ts'
import { useAnswers } from '#ui/field-form/use-answers.ts'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { useMay } from '#ui/session/me.ts'
import { AmendForm } from './amend-form.tsx'
import { Corrections } from './corrections.tsx'

/** The questions with their answers. */
export function OneForm({ form }: { form: Form }) {
  const t = useTranslations('console.record.forms')
  const format = useFormatter()
  const { language: locale } = useLanguage()
  const may = useMay()
  const refusedOf = useFieldProblems()
  const problemsOf = useAnswerProblems()
  const fields = translatedFields(form, locale)
  const answers = useAnswers(form, fields)
  const [signing, setSigning] = useState(false)
  // Answers that came too late for a signed form are still shown: the refusal says what to do.
  const isSigned = form.status === 'signed' && answers.state === 'saved'
  const isReadOnly = isSigned || !may('forms.fill_own')
  const sign = useWrite('POST /v1/forms/{id}/sign', {
    refresh: ['/v1/forms'],
    onDone: () => {
      setSigning(false)
      toast({ text: t('signed') })
    },
  })
  const files = new Set(Object.keys(form.files))
  const { wrong, missing } = problemsOf(fields, answers.values, files)
  const refused = refusedOf(answers.refused)
  const errors = {
    ...refused,
    ...wrong,
    ...Object.fromEntries(Object.entries(missing).filter(([key]) => key in refused)),
  }
  const isOpen = openFields(fields, answers.values, files).length > 0 || Object.keys(wrong).length > 0
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <Title order={2}>{translatedTitle(form, locale)}</Title>
          {isSigned ? (
            <Text c="dimmed" role="status">
              {form.signed_at &&
                t('signedAt', {
                  when: format.dateTime(new Date(form.signed_at), { dateStyle: 'medium', timeStyle: 'short' }),
                })}
            </Text>
          ) : (
            <SaveLine answers={answers} fieldCount={fields.length} />
          )}
        </Group>
        <Corrections form={form} />
        <FieldForm
          fields={fields}
          values={answers.values}
          errors={errors}
          files={files}
          readOnly={isReadOnly}
          renderFile={(field, key) => (
            <FileQuestion
              formId={form.id}
              field={field}
              name={key}
              file={form.files[key]}
              error={errors[key]}
              readOnly={isReadOnly}
            />
          )}
          onChange={answers.answer}
        />
        <Problem error={answers.error} />
        <AnswerConflict answers={answers} fields={fields} />
        {!isSigned && isOpen && <Text c="dimmed">{t('open')}</Text>}
        <Group justify="flex-end" className="no-print">
          {!isSigned && form.signed_by === 'patient' && <Text c="dimmed">{t('patientSigns')}</Text>}
          {!isSigned && form.signed_by === 'staff' && may('forms.sign') && (
            <Button disabled={isOpen} onClick={() => void answers.flush().then((saved) => saved && setSigning(true))}>
              {t('sign')}
            </Button>
          )}
          {isSigned && form.amended_by_form_id === null && may('forms.create') && <AmendForm form={form} />}
        </Group>
      </Stack>
      <Confirm
        open={signing}
        title={t('signTitle')}
        text={t('signText')}
        action={t('sign')}
        pending={sign.isPending}
        error={sign.error}
        onConfirm={() => sign.mutate({ params: { id: form.id } })}
        onClose={() => setSigning(false)}
      />
    </Paper>
  )
}
