import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { openFields, visibleFields } from '@tendon/contracts/form-values'
import type { Form, FormQuestion } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useRead } from '../../../ui/api/hooks.ts'
import { Loaded, Skeletons } from '../../../ui/feedback/loading.tsx'
import { Problem } from '../../../ui/feedback/problem.tsx'
import { useAnswerProblems } from '../../../ui/field-form/answer-problems.ts'
import { FieldForm } from '../../../ui/field-form/field-form.tsx'
import { focusFirstProblem } from '../../../ui/field-form/field-problems.ts'
import { FileQuestion } from '../../../ui/field-form/file-question.tsx'
import { translatedFields, translatedTitle } from '../../../ui/field-form/translated.ts'
import { useAnswers } from '../../../ui/field-form/use-answers.ts'
import { BackLink } from '../../../ui/frame/back-link.tsx'
import { Page } from '../../../ui/frame/page.tsx'
import { PrintButton } from '../../../ui/frame/print-button.tsx'
import { useParam } from '../../../ui/frame/use-param.ts'
import { useLanguage } from '../../../ui/i18n/i18n.tsx'
import { IconCircleCheck } from '../../../ui/icons/index.ts'
import { useClinic } from '../../../ui/session/clinic.tsx'
import { SaveLine } from './save-line.tsx'
import { SignForm } from './sign-form.tsx'

/** A form to fill in on a phone. Answers are saved while the person types, so that leaving the page loses nothing. */
export function FormPage() {
  const t = useTranslations('portal.forms')
  const { language } = useLanguage()
  const { slug } = useClinic()
  const form = useRead('GET /v1/forms/{id}', { params: { id: useParam('id') } })
  return (
    <Page
      title={form.data ? translatedTitle(form.data.data, language) : t('title')}
      documentTitle={t('title')}
      back={<BackLink to={`/${slug}/forms`}>{t('back')}</BackLink>}
      actions={<PrintButton />}
    >
      <Loaded query={form} skeleton={<Skeletons rows={6} height={64} />}>
        {({ data }) =>
          data.status === 'signed' ? (
            <SignedForm form={data} />
          ) : (
            <OpenForm
              form={data}
              reread={async () => {
                const { data: fresh } = await form.refetch()
                return fresh?.data
              }}
            />
          )
        }
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
      <Alert color="gray">{t('readOnly')}</Alert>
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

function OpenForm({ form, reread }: { form: Form; reread: () => Promise<Form | undefined> }) {
  const t = useTranslations('portal.forms')
  const { language } = useLanguage()
  const answers = useAnswers(form)
  const problemsOf = useAnswerProblems()
  const [tried, setTried] = useState(false)
  const [isFinished, setFinished] = useState(false)
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const fields = translatedFields(form, language)
  const files = keysOf(form.files)
  const { wrong, missing } = problemsOf(fields, answers.values, files)
  // Show an error only after the person has left the field, not while they type.
  const seen = Object.fromEntries(Object.entries(wrong).filter(([key]) => tried || left.has(key)))
  const errors = { ...(tried ? missing : {}), ...seen }
  const isStale = answers.error?.status === 409 && answers.error.code === 'stale_version'

  async function showTheirs() {
    const fresh = await reread()
    if (fresh) answers.rebase(fresh)
  }

  async function finish() {
    setTried(true)
    const open = [...Object.keys(missing), ...Object.keys(wrong)]
    if (open.length > 0) {
      setFinished(false)
      focusFirstProblem(open)
      return
    }
    setFinished(await answers.flush())
  }

  return (
    <Stack gap="lg">
      <Text c="dimmed">{t('private')}</Text>
      <RequiredProgress fields={fields} values={answers.values} files={files} />
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
          {isStale ? (
            <Alert color="orange" role="alert">
              <Stack gap="sm" align="flex-start">
                <Text>{t('theirs')}</Text>
                <Button size="md" onClick={() => void showTheirs()}>
                  {t('reload')}
                </Button>
              </Stack>
            </Alert>
          ) : (
            <Problem error={answers.error} />
          )}
          {isFinished && (
            <Alert color="tendon" role="status" icon={<IconCircleCheck />} title={t('finished')}>
              {form.signed_by === 'patient' ? t('signText') : t('finishedText')}
            </Alert>
          )}
          <Group justify="space-between">
            <SaveLine state={answers.state} onSave={() => void answers.flush()} />
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
  fields: readonly FormQuestion[]
  values: Form['values']
  files: ReadonlySet<string>
}

function RequiredProgress({ fields, values, files }: RequiredProgressProps) {
  const t = useTranslations('portal.forms')
  const asked = visibleFields(fields as never, values, files) as unknown as FormQuestion[]
  const total = asked.filter(({ required }) => required).length
  const answered = total - openFields(fields as never, values, files).length
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
