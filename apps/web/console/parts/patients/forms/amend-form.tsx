import { Button, Stack } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import type { Form } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { useClinic } from '#ui/session/clinic.tsx'

/** Creates a form that amends a signed one. */
export function AmendForm({ form }: { form: Form }) {
  const t = useTranslations('console.record.forms')
  const { slug } = useClinic()
  const { id } = useParams({ from: '/$clinic/patients/$id' })
  const navigate = useNavigate()
  const write = useWrite('POST /v1/forms', {
    refresh: ['/v1/forms'],
    onDone: ({ data }) => {
      toast({ text: t('amended') })
      void navigate({ to: '/$clinic/patients/$id/forms/$formId', params: { clinic: slug, id, formId: data.id } })
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
