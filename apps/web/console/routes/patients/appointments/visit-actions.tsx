import { Button, Group, Stack } from '@mantine/core'
import type { Appointment } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '../../../../ui/api/hooks.ts'
import { ActionConflict } from '../../../../ui/feedback/action-conflict.tsx'
import { Confirm } from '../../../../ui/feedback/confirm.tsx'
import { Problem } from '../../../../ui/feedback/problem.tsx'
import { staleOf } from '../../../../ui/feedback/stale.ts'
import { toast } from '../../../../ui/feedback/toasts.tsx'
import { BookVisit } from './book-visit.tsx'

type Status = Appointment['status']
type Next = 'confirmed' | 'checked_in' | 'completed' | 'no_show' | 'cancelled'

/** The next statuses to offer. The API decides; this list only hides buttons that it would refuse. */
const NEXT: Partial<Record<Status, readonly Next[]>> = {
  waitlist: ['cancelled'],
  pending: ['confirmed', 'cancelled'],
  confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
  checked_in: ['completed', 'cancelled'],
}

const REFRESH = ['/v1/appointments', '/v1/availability']

/** The buttons of one visit. */
export function VisitActions({ visit }: { visit: Appointment }) {
  const t = useTranslations('console.record.appointments')
  const [open, setOpen] = useState<'move' | 'cancel'>()
  const close = () => setOpen(undefined)
  const write = useWrite('PUT /v1/appointments/{id}/status', {
    refresh: REFRESH,
    onDone: () => {
      toast({ text: t('changed') })
      close()
    },
  })
  const become = (status: Next, version = visit.version) =>
    write.mutate({ params: { id: visit.id }, body: { status, version } })
  const [isPast] = useState(() => visit.starts_at !== null && Date.parse(visit.starts_at) <= Date.now())
  const nexts = (NEXT[visit.status] ?? []).filter((next) =>
    next === 'no_show' || next === 'completed' ? isPast : true,
  )
  const isStale = staleOf(write.error) !== undefined
  const isMovable = visit.status === 'pending' || visit.status === 'confirmed'
  if (nexts.length === 0) return null
  return (
    <Stack gap={4} align="flex-end" className="no-print">
      <Group gap={6} justify="flex-end" role="group" aria-label={t('actionsOf')}>
        {nexts.map((next) => (
          <Button
            key={next}
            size="xs"
            variant="default"
            loading={write.isPending && write.variables.body.status === next}
            onClick={() => (next === 'cancelled' ? setOpen('cancel') : become(next))}
          >
            {t(`act.${next}`)}
          </Button>
        ))}
        {isMovable && (
          <Button size="xs" variant="default" onClick={() => setOpen('move')}>
            {t('act.move')}
          </Button>
        )}
      </Group>
      <Problem error={open === undefined && !isStale ? write.error : null} />
      <Confirm
        open={open === 'cancel'}
        danger
        title={t('cancelTitle')}
        text={t('cancelText')}
        action={t('act.cancelled')}
        pending={write.isPending}
        error={isStale ? null : write.error}
        onConfirm={() => become('cancelled')}
        onClose={close}
      />
      <ActionConflict
        write={write}
        refresh={REFRESH}
        onAnyway={(version) => write.variables && become(write.variables.body.status as Next, version)}
      />
      <BookVisit patient={{ id: visit.patient_id ?? '' }} move={visit} open={open === 'move'} onClose={close} />
    </Stack>
  )
}
