import { Stack, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/field-form/use-api-form.ts'

interface InviteAdminProps {
  id: string
  open: boolean
  onClose: () => void
}

export function InviteAdmin({ id, open, onClose }: InviteAdminProps) {
  const t = useTranslations('platform.organizations')
  return (
    <Dialog open={open} title={t('invite')} onClose={onClose}>
      <InviteForm id={id} onClose={onClose} />
    </Dialog>
  )
}

function InviteForm({ id, onClose }: Omit<InviteAdminProps, 'open'>) {
  const t = useTranslations('platform.organizations')
  const roles = useWholeList('GET /v1/organizations/{id}/roles', { params: { id } })
  const write = useWrite('POST /v1/organizations/{id}/members', {
    refresh: ['/v1/organizations/{id}/members'],
    onDone: ({ data }) => {
      toast({ text: t('invited', { email: data.email ?? '' }) })
      onClose()
    },
  })
  const form = useApiForm({ email: '', name: '' }, write)
  return (
    <Loaded query={roles}>
      {({ items }) => {
        const role_id = items.find(({ code }) => code === 'admin')?.id ?? ''
        const send = form.onSubmit(({ email, name }) =>
          write.mutate({ params: { id }, body: { email, role_id, ...(name === '' ? {} : { name }) } }),
        )
        return (
          <form onSubmit={send} noValidate>
            <Stack>
              <TextInput {...form.bind('email')} label={t('email')} type="email" required />
              <TextInput {...form.bind('name')} label={t('personName')} />
              <Problem error={form.problem} />
              <SubmitButtons write={write} label={t('invite')} onCancel={onClose} />
            </Stack>
          </form>
        )
      }}
    </Loaded>
  )
}
