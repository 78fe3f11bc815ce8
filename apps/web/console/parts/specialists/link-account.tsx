import { Button, Group, Stack, Text } from '@mantine/core'
import type { Specialist } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Dialog } from '#ui/feedback/dialog.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { toast } from '#ui/feedback/toasts.tsx'
import { SubmitButtons } from '#ui/field-form/submit-buttons.tsx'
import { useApiForm } from '#ui/form/use-api-form.ts'
import { useMay } from '#ui/session/me.ts'
import { MemberSelect } from './member-select.tsx'

const REFRESH = ['/v1/specialists']

/** With which account a specialist signs in, and the button to link another one or none. */
export function LinkedAccount({ specialist }: { specialist: Specialist }) {
  const t = useTranslations('console.specialist')
  const may = useMay()
  const [open, setOpen] = useState(false)
  const { human, human_id, name } = specialist
  const close = () => setOpen(false)
  return (
    <Group gap="xs" mb="xs">
      <Text size="sm">
        {t('account')}: {human_id === null ? t('noAccount') : (human?.name ?? human?.email ?? t('linked'))}
      </Text>
      {may('specialists.manage') && may('organizations.view_directory') && (
        <Button
          size="xs"
          variant="default"
          aria-label={`${human_id === null ? t('link') : t('changeLink')}: ${name}`}
          onClick={() => setOpen(true)}
        >
          {human_id === null ? t('link') : t('changeLink')}
        </Button>
      )}
      <Dialog open={open} title={t('linkTitle', { name })} onClose={close}>
        <LinkForm specialist={specialist} onClose={close} />
      </Dialog>
    </Group>
  )
}

function LinkForm({ specialist, onClose }: { specialist: Specialist; onClose: () => void }) {
  const t = useTranslations('console.specialist')
  const { id, human_id, human, version } = specialist
  const write = useWrite('PUT /v1/specialists/{id}', {
    refresh: REFRESH,
    onDone: ({ data }) => {
      toast({ text: data.human_id === null ? t('unlinked') : t('linkDone') })
      onClose()
    },
  })
  const form = useApiForm(write, { human_id: human_id ?? '' })
  const save = (chosen: string | null | undefined, of = version) =>
    write.mutate({ params: { id }, body: { human_id: chosen ?? null, version: of } })
  return (
    <form onSubmit={form.onSubmit((body) => save(body.human_id))} noValidate>
      <Stack>
        <Text>{t('linkText')}</Text>
        <MemberSelect {...form.text('human_id')} specialistId={id} current={human ?? undefined} />
        <Problem error={form.problem} />
        {human_id !== null && (
          <Group>
            <Button variant="default" loading={write.isPending} onClick={() => save(null)}>
              {t('unlink')}
            </Button>
          </Group>
        )}
        <SubmitButtons write={write} disabled={form.values.human_id === (human_id ?? '')} onCancel={onClose} />
      </Stack>
      <ActionConflict
        write={write}
        refresh={REFRESH}
        onAnyway={(of) => write.variables && save(write.variables.body.human_id, of)}
      />
    </form>
  )
}
