import { Stack, TextInput } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { MemberSelect } from './member-select.tsx'

export function NewSpecialist({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('console.specialist')
  return (
    <Dialog open={open} title={t('title')} onClose={onClose}>
      <NewSpecialistForm onClose={onClose} />
    </Dialog>
  )
}

/** Lower-case letters, digits and hyphens, with a random suffix to make it unique. */
function slugOf(name: string): string {
  const plain = name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
  return `${plain.slice(0, 50) || 'specialist'}-${crypto.randomUUID().slice(0, 4)}`
}

function NewSpecialistForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('console.specialist')
  const write = useWrite('POST /v1/specialists', {
    refresh: ['/v1/specialists'],
    onDone: () => {
      toast({ text: t('done') })
      onClose()
    },
  })
  const form = useApiForm(write, { name: '', title: '', human_id: '' })
  const send = form.onSubmit((body) => write.mutate({ body: { ...body, slug: slugOf(body.name) } }))
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <TextInput {...form.text('name')} label={t('name')} required autoComplete="off" />
        <TextInput {...form.text('title')} label={t('jobTitle')} autoComplete="off" />
        <MemberSelect {...form.text('human_id')} />
        <Problem error={form.problem} />
        <SubmitButtons write={write} label={t('action')} onCancel={onClose} />
      </Stack>
    </form>
  )
}
