import { Stack, TextInput } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useClinic } from '#ui/session/clinic.tsx'

/** A name is enough for a draft. */
export function NewExercise({ open, onClose }: { open: boolean; onClose: () => void }) {
  const t = useTranslations('console.settings.exercises')
  return (
    <Dialog open={open} title={t('add')} onClose={onClose}>
      <NewExerciseForm onClose={onClose} />
    </Dialog>
  )
}

function NewExerciseForm({ onClose }: { onClose: () => void }) {
  const t = useTranslations('console.settings.exercises')
  const { slug } = useClinic()
  const navigate = useNavigate()
  const write = useWrite('POST /v1/exercises', {
    refresh: ['/v1/exercises'],
    onDone: ({ data }) => {
      toast({ text: t('created') })
      void navigate({ to: '/$clinic/settings/exercises/$exerciseId', params: { clinic: slug, exerciseId: data.id } })
    },
  })
  const form = useApiForm(write, { name: '' })
  const send = form.onSubmit(({ name }) => write.mutate({ body: { name, slug: slugOf(name) } }))
  return (
    <form onSubmit={send} noValidate>
      <Stack>
        <TextInput {...form.text('name')} label={t('name')} required autoComplete="off" />
        <Problem error={form.problem} />
        <SubmitButtons write={write} label={t('add')} onCancel={onClose} />
      </Stack>
    </form>
  )
}

/** Unique, so that two exercises may have the same name. */
const slugOf = (name: string): string =>
  [
    ...(name
      .normalize('NFD')
      .toLowerCase()
      .slice(0, 40)
      .match(/[a-z0-9]+/g) ?? []),
    crypto.randomUUID().slice(0, 8),
  ].join('-')
