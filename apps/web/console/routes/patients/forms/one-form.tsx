import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { openFields, valueKeyOf } from '@tendon/contracts/form-values'
import type { Form } from '@tendon/sdk'
import { useEffect, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { Confirm } from '../../../../ui/feedback/confirm.tsx'
import { Conflict } from '../../../../ui/feedback/conflict.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { useAnswerProblems } from '../../../../ui/field-form/answer-problems.ts'
import { FieldForm } from '../../../../ui/field-form/field-form.tsx'
import { useFieldProblems } from '../../../../ui/field-form/field-problems.ts'
import { FileQuestion } from '../../../../ui/field-form/file-question.tsx'
import { translatedFields, translatedTitle } from '../../../../ui/field-form/translated.ts'
import { useAnswers } from '../../../../ui/field-form/use-answers.ts'
import { useMay } from '../../../../ui/session/me.ts'
import { AmendForm } from './amend-form.tsx'

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The questions with their answers. `readAgain` reloads the stored form. */
export function OneForm({ form, readAgain }: { form: Form; readAgain: () => void }) {
  const t = useTranslations('console.record.forms')
  const tSave = useTranslations('ui.form')
  const format = useFormatter()
  const locale = useLocale()
  const may = useMay()
  const refused = useFieldProblems()
  const problemsOf = useAnswerProblems()
  const fields = translatedFields(form, locale)
  const answers = useAnswers(form)
  const [signing, setSigning] = useState(false)
  const isSigned = form.status === 'signed'
  const isReadOnly = isSigned || !may('forms.fill_own')
  const sign = useWrite('POST /v1/forms/{id}/sign', {
    refresh: ['/v1/forms'],
    onDone: () => {
      setSigning(false)
      toast({ text: t('signed') })
    },
  })
  const stale = staleOf(answers.error)
  const staleVersion = stale?.version
  useEffect(() => {
    if (staleVersion !== undefined) readAgain()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each refusal
  }, [staleVersion])
  const files = new Set(Object.keys(form.files))
  const { wrong } = problemsOf(fields, answers.values, files)
  const errors = { ...refused(stale ? null : answers.error), ...wrong }
  const isOpen = openFields(fields as never, answers.values, files).length > 0 || Object.keys(wrong).length > 0
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <Title order={2}>{translatedTitle(form, locale)}</Title>
          <Text c="dimmed" role="status">
            {isSigned
              ? form.signed_at &&
                t('signedAt', {
                  when: format.dateTime(new Date(form.signed_at), { dateStyle: 'medium', timeStyle: 'short' }),
                })
              : {
                  saved: tSave('saved'),
                  saving: tSave('saving'),
                  waiting: tSave('notSaved'),
                  failed: tSave('notSaved'),
                }[answers.state]}
          </Text>
        </Group>
        {form.amends_form_id !== null && <Alert variant="outline">{t('amends')}</Alert>}
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
        <Problem error={stale || Object.keys(refused(answers.error)).length > 0 ? null : answers.error} />
        {!isSigned && isOpen && <Text c="dimmed">{t('open')}</Text>}
        <Group justify="flex-end" className="no-print">
          {!isSigned && form.signed_by === 'patient' && <Text c="dimmed">{t('patientSigns')}</Text>}
          {!isSigned && form.signed_by === 'staff' && may('forms.sign') && (
            <Button disabled={isOpen} onClick={() => void answers.flush().then((saved) => saved && setSigning(true))}>
              {t('sign')}
            </Button>
          )}
          {isSigned && may('forms.create') && <AmendForm form={form} />}
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
      <Conflict
        stale={stale}
        differences={fields
          .map((field) => ({ label: field.label ?? field.key, key: valueKeyOf(field) }))
          .filter(({ key }) => shown(form.values[key]) !== shown(answers.values[key]))
          .map(({ label, key }) => ({ label, theirs: shown(form.values[key]), mine: shown(answers.values[key]) }))}
        onTheirs={() => answers.replace(form)}
        onMine={() => answers.rebase(form)}
        onClose={() => answers.rebase(form)}
      />
    </Paper>
  )
}
