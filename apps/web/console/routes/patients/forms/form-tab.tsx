import { Alert, Anchor, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { openFields } from '@tendon/contracts/form-values'
import type { Form, FormQuestion } from '@tendon/sdk'
import { useRef, useState } from 'react'
import { useFormatter, useLocale, useTranslations } from 'use-intl'
import { useRead, useWrite } from '../../../../ui/api/hooks.ts'
import { Confirm } from '../../../../ui/feedback/confirm.tsx'
import { Loaded } from '../../../../ui/feedback/loading.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { FieldForm } from '../../../../ui/field-form/field-form.tsx'
import { useFieldProblems } from '../../../../ui/field-form/field-problems.ts'
import { useAutosave } from '../../../../ui/field-form/use-autosave.ts'
import { useParam } from '../../../../ui/frame/use-param.ts'
import { useClinic } from '../../../../ui/session/clinic.tsx'
import { useMay } from '../../../../ui/session/me.ts'

/** One form of the patient: fill in (with autosave), sign, amend. */
export function FormTab() {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const id = useParam('id')
  const form = useRead('GET /v1/forms/{id}', { params: { id: useParam('formId') } })
  return (
    <Stack maw={720}>
      <Anchor component={Link} to={`/${slug}/patients/${id}/forms`} className="no-print">
        {t('back')}
      </Anchor>
      <Loaded query={form}>
        {({ data }) => <OneForm key={`${data.id} ${data.status === 'signed'}`} form={data} />}
      </Loaded>
    </Stack>
  )
}

/** Labels in the reader's language if the template has them. The values of options do not change. */
function useTranslated({ fields, translations, title }: Form): { title: string; fields: FormQuestion[] } {
  const own = (
    translations as Record<string, { title?: string | null; fields?: Record<string, { label?: string | null }> }>
  )[useLocale()]
  return {
    title: own?.title ?? title,
    fields: fields.map((field) => ({ ...field, label: own?.fields?.[field.key]?.label ?? field.label ?? field.key })),
  }
}

function OneForm({ form }: { form: Form }) {
  const t = useTranslations('console.record.forms')
  const tSave = useTranslations('ui.form')
  const format = useFormatter()
  const may = useMay()
  const problemsOf = useFieldProblems()
  const { title, fields } = useTranslated(form)
  const version = useRef(form.version)
  const [values, setValues] = useState<Record<string, unknown>>(form.values)
  const [signing, setSigning] = useState(false)
  const isSigned = form.status === 'signed'
  const refresh = ['/v1/forms']
  const save = useWrite('PUT /v1/forms/{id}')
  const { state, flush } = useAutosave(values, async (sent) => {
    const saved = await save.mutateAsync({ params: { id: form.id }, body: { values: sent, version: version.current } })
    version.current = saved.version
  })
  const sign = useWrite('POST /v1/forms/{id}/sign', {
    refresh,
    onDone: () => {
      setSigning(false)
      toast({ text: t('signed') })
    },
  })
  const files = new Set(Object.keys(form.files))
  const isOpen = openFields(fields as never, values, files).length > 0
  return (
    <Paper withBorder p="lg">
      <Stack gap="lg">
        <Group justify="space-between" align="flex-start">
          <Title order={2}>{title}</Title>
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
                }[state]}
          </Text>
        </Group>
        {form.amends_form_id !== null && <Alert variant="outline">{t('amends')}</Alert>}
        <FieldForm
          fields={fields}
          values={values}
          errors={problemsOf(save.error)}
          files={files}
          readOnly={isSigned || !may('forms.fill_own')}
          renderFile={(field, key) => (
            <div>
              <Text fw={500}>{field.label}</Text>
              <Text c="dimmed">{form.files[key]?.name ?? t('noFile')}</Text>
            </div>
          )}
          onChange={(key, value) => setValues((before) => ({ ...before, [key]: value }))}
        />
        <Problem error={Object.keys(problemsOf(save.error)).length > 0 ? null : save.error} />
        {!isSigned && isOpen && <Text c="dimmed">{t('open')}</Text>}
        <Group justify="flex-end" className="no-print">
          {!isSigned && form.signed_by === 'patient' && <Text c="dimmed">{t('patientSigns')}</Text>}
          {!isSigned && form.signed_by === 'staff' && may('forms.sign') && (
            <Button disabled={isOpen} onClick={() => void flush().then(() => setSigning(true))}>
              {t('sign')}
            </Button>
          )}
          {isSigned && may('forms.create') && <Amend form={form} />}
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

function Amend({ form }: { form: Form }) {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const id = useParam('id')
  const navigate = useNavigate()
  const write = useWrite('POST /v1/forms', {
    refresh: ['/v1/forms'],
    onDone: ({ data }) => {
      toast({ text: t('amended') })
      void navigate({ to: `/${slug}/patients/${id}/forms/${data.id}` })
    },
  })
  const { form_template_id, patient_profile_id } = form
  return (
    <Stack align="flex-end">
      <Button
        variant="default"
        loading={write.isPending}
        onClick={() => write.mutate({ body: { form_template_id, patient_profile_id, amends_form_id: form.id } })}
      >
        {t('amend')}
      </Button>
      <Problem error={write.error} />
    </Stack>
  )
}
