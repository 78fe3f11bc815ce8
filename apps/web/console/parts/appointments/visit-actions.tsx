import { Button, Group, Stack } from '@mantine/core'
import type { Appointment, Routes } from '@tendon/sdk'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { useWrite } from '#ui/api/hooks.ts'
import { ActionConflict } from '#ui/feedback/action-conflict.tsx'
import { Confirm } from '#ui/feedback/confirm.tsx'
import { Problem } from '#ui/feedback/problem.tsx'
import { staleOf } from '#ui/feedback/stale.ts'
import { toast } from '#ui/feedback/toasts.tsx'
import { dayIn } from '#ui/format/dates.ts'
import { useNow } from '#ui/format/use-now.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { CancelVisit } from './cancel-visit.tsx'
import type { DaySpan } from './free-times.tsx'
import { MoveVisitDialog } from './visit-dialogs.tsx'
import { VISIT_READS } from './visit-reads.ts'
import { isMovable, type NextStatus, nextStatuses } from './visit-status.ts'

const isCancelling = (next: NextStatus) => next === 'cancelled'

type Status = Routes['PUT /v1/appointments/{id}/status']['body']['status']

type OpenDialog = 'move' | 'cancelled' | 'no_show' | undefined

interface VisitActionsProps {
  visit: Appointment
  /** Only the most likely next step, for rows of a list. */
  short?: boolean
  /** Only moving and cancelling, for visits on days that become days off. */
  off?: DaySpan
  /** Called with the id of the visit at the new time. */
  onMoved?: (id: string) => void
}

/** The buttons of one visit. The first one is the most likely next step. */
export function VisitActions({ visit: read, short = false, off, onMoved }: VisitActionsProps) {
  const t = useTranslations('console.record.appointments')
  const { time_zone } = useClinic()
  const [open, setOpen] = useState<OpenDialog>()
  const write = useWrite('PUT /v1/appointments/{id}/status', {
    refresh: VISIT_READS,
    onDone: () => {
      toast({ text: t('changed') })
      setOpen(undefined)
    },
  })
  const show = (dialog: OpenDialog) => {
    if (write.error) write.reset()
    setOpen(dialog)
  }
  const close = () => show(undefined)
  // The answer of the last change is newer than what was read until it is read again.
  const answer = write.data?.data
  const visit = answer !== undefined && answer.version > read.version ? { ...read, ...answer } : read
  const become = (status: Status, reason: string | null = null, version = visit.version) =>
    write.mutate({ params: { id: visit.id }, body: { status, version, ...(reason === null ? {} : { reason }) } })
  const now = useNow()
  const dayHasCome =
    visit.starts_at !== null && dayIn(time_zone, new Date(visit.starts_at)) <= dayIn(time_zone, new Date(now))
  const all = nextStatuses(visit, { now, dayHasCome })
  const nexts = short ? all.filter((next) => next !== 'cancelled').slice(0, 1) : off ? all.filter(isCancelling) : all
  const isStale = staleOf(write.error) !== undefined
  const mayMove = !short && isMovable(visit)
  if (nexts.length === 0 && !mayMove) return null
  return (
    <Stack gap={4} align={short ? 'flex-end' : 'stretch'} className="no-print">
      <Group gap={6} justify={short ? 'flex-end' : 'flex-start'} role="group" aria-label={t('actionsOf')}>
        {nexts.map((next, place) => (
          <Button
            key={next}
            size={short ? 'xs' : 'sm'}
            variant={!short && place === 0 && next !== 'cancelled' ? 'filled' : 'default'}
            loading={write.isPending && write.variables.body.status === next}
            disabled={write.isPending && write.variables.body.status !== next}
            onClick={() => (next === 'cancelled' || next === 'no_show' ? show(next) : become(next))}
          >
            {t(`act.${next}`)}
          </Button>
        ))}
        {mayMove && (
          <Button variant="default" onClick={() => show('move')}>
            {t('act.move')}
          </Button>
        )}
      </Group>
      <Problem error={open === undefined && !isStale ? write.error : null} />
      <CancelVisit
        open={open === 'cancelled'}
        write={write}
        onCancelVisit={(reason) => become('cancelled', reason)}
        onClose={close}
      />
      <Confirm
        open={open === 'no_show'}
        danger
        title={t('noShowTitle')}
        text={t('noShowText')}
        action={t('act.no_show')}
        pending={write.isPending}
        error={isStale ? null : write.error}
        onConfirm={() => become('no_show')}
        onClose={close}
      />
      <ActionConflict
        write={write}
        refresh={VISIT_READS}
        onAnyway={(version) =>
          write.variables && become(write.variables.body.status, write.variables.body.reason ?? null, version)
        }
      />
      <MoveVisitDialog visit={visit} open={open === 'move'} onClose={close} off={off} onMoved={onMoved} />
    </Stack>
  )
}
