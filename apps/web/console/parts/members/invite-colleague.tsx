import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useClinic } from '#ui/session/clinic.tsx'

export function InviteColleague({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('console.colleague')
  return (
    <Dialog open={open} title={t('title')} onClose={onClose}>
      <InviteForm onClose={onClose} />
    </Dialog>
  )
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('console.colleague')
  const { id } = useClinic()
  const roles = useWholeList('GET /v1/organizations/{id}/roles', { params: { id }, query: { sort: 'name' } })
  const write = useWrite('POST /v1/organizations/{id}/members', {
    refresh: [`/v1/organizations/{id}/members`],
    onDone: () => {
      toast({ text: t('done') })
      onClose()
    },
  })
  const items = roles.data?.items ?? []
  const first = items.find(({ code }) => code === 'specialist') ?? items[0]
  const form = useApiForm(
    write,
    { email: '', name: '', role_id: '' },
    { adapt: (body) => ({ ...body, role_id: body.role_id === '' ? first?.id : body.role_id }) },
  )
  const role_id = form.values.role_id || (first?.id ?? '')
  const send = form.onSubmit((body) => write.mutate({ params: { id }, body }))
  const nameOf = (code: string, name: string) => {
    const key = `roles.${code}` as 'roles.admin'
    return t.has(key) ? t(key) : name
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <TextInput {...form.text('email')} label={t('email')} type="email" required autoComplete="off" />
        <TextInput {...form.text('name')} label={t('name')} autoComplete="off" />
        <NativeSelect
          {...form.text('role_id')}
          value={role_id}
          label={t('role')}
          description={t('roleHelp')}
          data={items.map((one) => ({ value: one.id, label: one.is_system ? nameOf(one.code, one.name) : one.name }))}
        />
        <Problem error={form.problem ?? roles.error} />
        <SubmitButtons write={write} label={t('action')} onCancel={onClose} />
      </Stack>
    </form>
  )
}
