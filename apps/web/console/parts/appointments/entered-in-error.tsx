import { Button, Group } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { VISIT_READS } from './visit-reads.ts'

/** Marks a visit that never was, such as one for the wrong patient. */
export function EnteredInError({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.visits.error')
  const [open, setOpen] = useState(false)
  const write = useWrite('DELETE /v1/appointments/{id}', {
    refresh: VISIT_READS,
    onDone: () => {
      setOpen(false)
      toast({ text: t('done') })
    },
  })
  const remove = (version: number) => write.mutate({ params: { id: visit.id }, ifMatch: version })
  const show = (isOpen: boolean) => {
    write.reset()
    setOpen(isOpen)
  }
  const isStale = staleOf(write.error) !== undefined
  return (
    <Group>
      <Button variant="subtle" color="red" size="xs" onClick={() => show(true)}>
        {t('action')}
      </Button>
      <Confirm
        open={open}
        danger
        title={t('title')}
        text={t('text')}
        action={t('action')}
        pending={write.isPending}
        error={isStale ? null : write.error}
        onConfirm={() => remove(visit.version)}
        onClose={() => show(false)}
      />
      <ActionConflict write={write} refresh={VISIT_READS} onAnyway={remove} />
    </Group>
  )
}
