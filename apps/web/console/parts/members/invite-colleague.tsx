import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/field-form/use-api-form.ts'
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
  const form = useApiForm({ email: '', name: '', role_id: '' }, write)
  const items = roles.data?.items ?? []
  const first = items.find(({ code }) => code === 'specialist') ?? items[0]
  const role = form.values.role_id || (first?.id ?? '')
  const send = form.onSubmit(({ email, name }) =>
    write.mutate({ params: { id }, body: { email, role_id: role, ...(name.trim() === '' ? {} : { name }) } }),
  )
  const nameOf = (code: string, name: string) => {
    const key = `roles.${code}` as 'roles.admin'
    return t.has(key) ? t(key) : name
  }
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <TextInput {...form.bind('email')} label={t('email')} type="email" required autoComplete="off" />
        <TextInput {...form.bind('name')} label={t('name')} autoComplete="off" />
        <NativeSelect
          {...form.bind('role_id')}
          value={role}
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
