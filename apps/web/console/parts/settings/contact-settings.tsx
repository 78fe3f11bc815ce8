import { Stack, TextInput } from '@mantine/core'
import type { Organization } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { FormConflict, rowsOf } from '#ui/form/form-conflict.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'

const valuesOf = ({ phone, contact_email }: Partial<Organization>) => ({
  phone: phone ?? '',
  contact_email: contact_email ?? '',
})

/** How patients reach the clinic. */
export function ContactSettings({ organization, readOnly }: { organization: Organization; readOnly: boolean }) {
  const t = useTranslations('console.settings')
  const { id } = organization
  const write = useWrite('PATCH /v1/organizations/{id}', {
    refresh: ['/v1/organizations'],
    onDone: () => toast({ text: t('saved') }),
  })
  const form = useApiForm(write, valuesOf(organization), { version: organization.version, valuesOf })
  const labels = { phone: t('contact.phone'), contact_email: t('contact.email') }
  return (
    <form
      noValidate
      onSubmit={form.onSubmit((body, version) => write.mutate({ params: { id }, body: { ...body, version } }))}
    >
      <Stack gap="lg">
        <TextInput
          {...form.text('phone')}
          size="md"
          label={labels.phone}
          description={t('contact.phoneHelp')}
          maxLength={40}
          readOnly={readOnly}
        />
        <TextInput
          {...form.text('contact_email')}
          size="md"
          label={labels.contact_email}
          maxLength={254}
          readOnly={readOnly}
        />
        <Problem error={form.problem} />
        {!readOnly && <SubmitButtons write={write} />}
      </Stack>
      <FormConflict form={form} rows={rowsOf(labels)} />
    </form>
  )
}
