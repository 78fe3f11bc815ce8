import { asService, type TenantTx } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import type { OutboxEvent, Subscriber } from '../../../platform/outbox.ts'
import { SEND_REMINDER_JOB } from './jobs.ts'
import { findConfirmedVisit, insertReminders, skipPlannedReminders } from './queries.ts'
import { dueTimes } from './rules.ts'

interface AppointmentEvent {
  appointment_id?: string
  from_id?: string
  to_id?: string
}

const CODES = ['appointments.view_org', 'services.view_org']

const subscriber = (type: string, handle: (tx: TenantTx, event: AppointmentEvent) => Promise<void>): Subscriber => ({
  type,
  service: { codes: CODES, why: 'only the service of a clinic writes reminders' },
  handle: (tx, { payload }: OutboxEvent) => handle(tx, payload as AppointmentEvent),
})

/** A confirmed appointment gets its reminders, each with a job. */
const plan = async (tx: TenantTx, appointmentId: string | undefined): Promise<void> => {
  if (appointmentId === undefined) return
  const planned = await asService(tx, CODES, async (own) => {
    const visit = await findConfirmedVisit(own, appointmentId)
    return visit ? insertReminders(own, visit, dueTimes(visit.starts_at, visit.offsets, new Date())) : []
  })
  for (const { id, send_at } of planned)
    await addJob(tx, SEND_REMINDER_JOB, { reminder_id: id }, { key: id, runAt: new Date(send_at) })
}

const skip = async (tx: TenantTx, appointmentId: string | undefined, reason: 'visit_cancelled' | 'visit_moved') => {
  if (appointmentId !== undefined) await asService(tx, CODES, (own) => skipPlannedReminders(own, appointmentId, reason))
}

/** A moved appointment is a new row with its own reminders. */
export const reminderSubscribers: readonly Subscriber[] = [
  subscriber('appointment.created', (tx, { appointment_id }) => plan(tx, appointment_id)),
  subscriber('appointment.confirmed', (tx, { appointment_id }) => plan(tx, appointment_id)),
  subscriber('appointment.rescheduled', async (tx, { from_id, to_id }) => {
    await skip(tx, from_id, 'visit_moved')
    await plan(tx, to_id)
  }),
  subscriber('appointment.cancelled', (tx, { appointment_id }) => skip(tx, appointment_id, 'visit_cancelled')),
]
