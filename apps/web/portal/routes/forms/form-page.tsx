import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import type { Form } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '#ui/api/hooks.ts'
import { Loaded, Skeletons } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { AnswerConflict } from '#ui/field-form/answer-conflict.tsx'
import { useAnswerProblems } from '#ui/field-form/answer-problems.ts'
import { requiredProgress } from '#ui/field-form/answer-rules.ts'
import { FieldForm } from '#ui/field-form/field-form.tsx'
import { focusFirstProblem, useFieldProblems } from '#ui/field-form/field-problems.ts'
import { FileQuestion } from '#ui/field-form/file-question.tsx'
import { SaveLine } from '#ui/field-form/save-line.tsx'
import { type ShownQuestion, translatedFields, translatedTitle } from '#ui/field-form/translated.ts'
import { type Answers, useAnswers } from '#ui/field-form/use-answers.ts'
import { BackLink } from '#ui/frame/links.tsx'
import { Page } from '#ui/frame/page.tsx'
import { PrintButton } from '#ui/frame/print-button.tsx'
import { useLanguage } from '#ui/i18n/i18n.tsx'
import { IconCircleCheck } from '#ui/icons/index.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { Corrections } from '../../parts/forms/corrections.tsx'
import { SignForm } from '../../parts/forms/sign-form.tsx'

/** A form to fill in on a phone. Answers are saved while the person types, so that leaving the page loses nothing. */
export function FormPage() {
  const t = useTranslations('portal.forms')
  const { language } = useLanguage()
  const { slug } = useClinic()
  const form = useRead('GET /v1/forms/{id}', { params: { id: useParams({ from: '/$clinic/forms/$id' }).id } })
  return (
    <Page
      title={form.data ? translatedTitle(form.data.data, language) : t('title')}
      documentTitle={t('title')}
      back={
        <BackLink to="/$clinic/forms" params={{ clinic: slug }}>
          {t('back')}
        </BackLink>
      }
      actions={<PrintButton />}
    >
      <Loaded query={form} skeleton={<Skeletons rows={6} height={64} />}>
        {({ data }) => <OneForm key={data.id} form={data} />}
      </Loaded>
    </Page>
  )
}

const keysOf = (files: Form['files']): ReadonlySet<string> => new Set(Object.keys(files))

function SignedForm({ form }: { form: Form }) {
  const t = useTranslations('portal.forms')
  const { language } = useLanguage()
  return (
    <Stack gap="lg">
      <Corrections form={form} />
      {form.amended_by_form_id === null && <Alert color="gray">{t('readOnly')}</Alert>}
      <FieldForm
        fields={translatedFields(form, language)}
        values={form.values}
        files={keysOf(form.files)}
        readOnly
        onChange={() => undefined}
        renderFile={(field, key) => (
          <FileQuestion formId={form.id} field={field} name={key} file={form.files[key]} error={undefined} readOnly />
        )}
      />
    </Stack>
  )
}

function OneForm({ form }: { form: Form }) {
  const { language } = useLanguage()
  const fields = translatedFields(form, language)
  const answers = useAnswers(form, fields)
  // Answers that came too late for a signed form are still shown: the refusal says what to do.
  if (form.status === 'signed' && answers.state === 'saved') return <SignedForm form={form} />
  return <OpenForm form={form} fields={fields} answers={answers} />
}

interface OpenFormProps {
  form: Form
  fields: readonly ShownQuestion[]
  answers: Answers
}

function OpenForm({ form, fields, answers }: OpenFormProps) {
  const t = useTranslations('portal.forms')
  const problemsOf = useAnswerProblems()
  const refusedOf = useFieldProblems()
  const [tried, setTried] = useState(false)
  const [isFinished, setFinished] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const files = keysOf(form.files)
  const { wrong, missing } = problemsOf(fields, answers.values, files)
  const refused = refusedOf(answers.refused)
  const isMarked = (key: string) => tried || left.has(key) || (answers.state === 'refused' && key in refused)
  // Show an error only after the person has left the field, not while they type.
  const seen = Object.fromEntries(Object.entries({ ...refused, ...wrong }).filter(([key]) => isMarked(key)))
  const asked = Object.fromEntries(Object.entries(missing).filter(([key]) => tried || key in refused))
  const errors = { ...seen, ...asked }

  async function finish() {
    setTried(true)
    const open = [...Object.keys(missing), ...Object.keys(wrong)]
    if (open.length > 0) {
      setFinished(false)
      focusFirstProblem(open)
      void answers.flush()
      return
    }
    setFinished(await answers.flush())
  }

  return (
    <Stack gap="lg">
      <Corrections form={form} />
      <Text c="dimmed">{t('private')}</Text>
      <RequiredProgress form={form} answers={answers} />
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears which field was left */}
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          void finish()
        }}
        onBlur={({ target }) => {
          const name = target.getAttribute('name')
          if (name !== null) setLeft(new Set(left).add(name))
        }}
      >
        <Stack gap="lg">
          <FieldForm
            fields={fields}
            values={answers.values}
            files={files}
            errors={errors}
            asPatient
            onChange={(key, value) => {
              setFinished(false)
              answers.answer(key, value)
            }}
            renderFile={(field, key) => (
              <FileQuestion
                formId={form.id}
                field={field}
                name={key}
                file={form.files[key]}
                error={errors[key]}
                readOnly={field.read_only === true}
              />
            )}
          />
          {tried && Object.keys(missing).length > 0 && (
            <Alert color="red" variant="outline" role="alert">
              {t('openLeft', { count: Object.keys(missing).length })}
            </Alert>
          )}
          <Problem error={answers.error} />
          <AnswerConflict answers={answers} fields={fields} />
          {isFinished && (
            <Alert color="tendon" role="status" icon={<IconCircleCheck />} title={t('finished')}>
              {form.signed_by === 'patient' ? t('signText') : t('finishedText')}
            </Alert>
          )}
          <Group justify="space-between">
            <SaveLine answers={answers} fieldCount={fields.length} />
            <Button type="submit" size="md">
              {t('finish')}
            </Button>
          </Group>
        </Stack>
      </form>
      {isFinished && form.signed_by === 'patient' && <SignForm id={form.id} />}
    </Stack>
  )
}

interface RequiredProgressProps {
  form: Form
  answers: Answers
}

function RequiredProgress({ form, answers: { values, refused } }: RequiredProgressProps) {
  const t = useTranslations('portal.forms')
  const { total, answered } = requiredProgress(form.fields, {
    values,
    files: keysOf(form.files),
    stored: form.values,
    refused: Object.keys(refused.fields),
  })
  if (total === 0) return null
  const label = t('progress', { answered, total })
  return (
    <Stack gap={4}>
      <Progress value={(answered / total) * 100} aria-label={label} />
      <Text size="sm" c="dimmed">
        {label}
      </Text>
    </Stack>
  )
}
