import { Stack, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useWholeList, useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Loaded } from '#ui/feedback/loading.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'

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
  const form = useApiForm(write, { email: '', name: '' })
  return (
    <Loaded query={roles}>
      {({ items }) => {
        const role_id = items.find(({ code }) => code === 'admin')?.id ?? ''
        const send = form.onSubmit((body) => write.mutate({ params: { id }, body: { ...body, role_id } }))
        return (
          <form onSubmit={send} noValidate>
            <Stack>
              <TextInput {...form.text('email')} label={t('email')} type="email" required />
              <TextInput {...form.text('name')} label={t('personName')} />
              <Problem error={form.problem} />
              <SubmitButtons write={write} label={t('invite')} onCancel={onClose} />
            </Stack>
          </form>
        )
      }}
    </Loaded>
  )
}
