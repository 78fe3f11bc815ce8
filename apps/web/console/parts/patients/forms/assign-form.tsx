import { NativeSelect, Stack, Text } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import type { Patient } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useClinic } from '#ui/session/clinic.tsx'

interface AssignFormProps {
  patient: Patient
  open: boolean
  onClose: () => void
}

/** Creates a form for the patient from a template, and opens it. */
export function AssignForm({ patient, open, onClose }: AssignFormProps) {
  const t = useTranslations('console.record.forms')
  return (
    <Dialog open={open} title={t('assign')} onClose={onClose}>
      <ChooseTemplate patient={patient} onClose={onClose} />
    </Dialog>
  )
}

function ChooseTemplate({ patient, onClose }: Omit<AssignFormProps, 'open'>) {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const templates = useWholeList('GET /v1/form-templates', { query: { sort: 'title' } })
  const write = useWrite('POST /v1/forms', {
    refresh: ['/v1/forms'],
    onDone: ({ data }) => {
      toast({ text: t('assigned') })
      onClose()
      void navigate({
        to: '/$clinic/patients/$id/forms/$formId',
        params: { clinic: slug, id: patient.id, formId: data.id },
      })
    },
  })
  // A published template can have a newer draft.
  const items = templates.data?.items.filter(({ version, status }) => version > 0 && status !== 'archived')
  const first = items?.[0]?.id ?? ''
  const form = useApiForm(
    write,
    { form_template_id: '' },
    {
      adapt: (body) => ({ form_template_id: body.form_template_id === '' ? first : body.form_template_id }),
      isGuarded: false,
    },
  )
  if (items?.length === 0) return <Text>{t('noTemplates')}</Text>
  const send = form.onSubmit((body) =>
    write.mutate({ body: { ...body, patient_profile_id: patient.patient_profile_id } }),
  )
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <NativeSelect
          {...form.select('form_template_id')}
          label={t('template')}
          value={form.values.form_template_id || first}
          data={(items ?? []).map(({ id, title, type }) => ({ value: id, label: `${title} (${t(`types.${type}`)})` }))}
        />
        <Problem error={form.problem ?? templates.error} />
        <SubmitButtons write={write} label={t('assign')} onCancel={onClose} />
      </Stack>
    </form>
  )
}
