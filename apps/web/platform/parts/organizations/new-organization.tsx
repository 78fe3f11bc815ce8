import { NativeSelect, Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { TIME_ZONES } from '#ui/format/time-zones.ts'

const START = { name: '', slug: '', language_code: 'ro', time_zone: 'Europe/Bucharest' }

export function NewOrganization({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('platform.organizations')
  return (
    <Dialog open={open} title={t('new')} onClose={onClose}>
      <NewOrganizationForm onClose={onClose} />
    </Dialog>
  )
}

function NewOrganizationForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('platform.organizations')
  const frame = useTranslations('ui')
  const navigate = useNavigate()
  const write = useWrite('POST /v1/organizations', {
    refresh: ['/v1/organizations'],
    onDone: ({ data }) => {
      toast({ text: t('createdToast', { name: data.name }) })
      void navigate({ to: '/organizations/$id', params: { id: data.id } })
    },
  })
  const form = useApiForm(write, START)
  return (
    <form onSubmit={form.onSubmit((body) => write.mutate({ body }))} noValidate>
      <Stack>
        <TextInput {...form.text('name')} label={t('name')} required data-autofocus />
        <TextInput {...form.text('slug')} label={t('slug')} description={t('slugHelp')} required />
        <NativeSelect
          {...form.text('language_code')}
          label={t('language')}
          data={[
            { value: 'ro', label: frame('frame.ro') },
            { value: 'en', label: frame('frame.en') },
          ]}
        />
        <NativeSelect {...form.text('time_zone')} label={t('timeZone')} data={TIME_ZONES} />
        <Problem error={form.problem} />
        <SubmitButtons write={write} label={frame('action.create')} onCancel={onClose} />
      </Stack>
    </form>
  )
}
