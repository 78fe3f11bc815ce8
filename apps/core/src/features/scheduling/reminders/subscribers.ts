import { asService, type TenantTx, together } from '@tendon/db'
import { addJob } from '../../../platform/jobs.ts'
import { payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { SEND_REMINDER_JOB } from './jobs.ts'
import {
  findConfirmedVisit,
  insertReminders,
  keepPatientOf,
  planSkippedAgain,
  skipPlannedReminders,
} from './queries.ts'
import { dueTimes } from './rules.ts'

/** The lock of a patient needs the right to change the record. */
const CODES = ['appointments.view_org', 'services.view_org', 'patients.view_org', 'patients.update']

const subscriber = (
  type: string,
  handle: (tx: TenantTx, idIn: (name: string) => string | undefined) => Promise<void>,
): Subscriber => ({
  type,
  service: { codes: CODES, why: 'only the service of a clinic writes reminders' },
  handle: (tx, { payload }) => handle(tx, (name) => payloadText(payload, name)),
})

/**
 * A confirmed appointment gets its reminders, each with a job: new ones, and those it had when it was confirmed before. Events
 * arrive in any order: this one may come before the one that skipped the reminders.
 */
const plan = async (tx: TenantTx, appointmentId: string | undefined): Promise<void> => {
  if (appointmentId === undefined) return
  const planned = await asService(tx, CODES, async (own) => {
    const [, visit] = await together([keepPatientOf(own, appointmentId), findConfirmedVisit(own, appointmentId)])
    if (!visit) return []
    const now = new Date()
    const again = await planSkippedAgain(own, visit, now)
    return [...again, ...(await insertReminders(own, visit, dueTimes(visit.starts_at, visit.offsets, now)))]
  })
  await addJobs(tx, planned)
}

async function addJobs(tx: TenantTx, reminders: readonly { id: string; send_at: string }[]): Promise<void> {
  for (const { id, send_at } of reminders)
    await addJob(tx, SEND_REMINDER_JOB, { reminder_id: id }, { key: id, runAt: new Date(send_at) })
}

const skip = async (tx: TenantTx, appointmentId: string | undefined, reason: 'visit_cancelled' | 'visit_moved') => {
  if (appointmentId !== undefined) await asService(tx, CODES, (own) => skipPlannedReminders(own, appointmentId, reason))
}

/** A moved appointment is a new row with its own reminders. */
export const reminderSubscribers: readonly Subscriber[] = [
  subscriber('appointment.created', (tx, idIn) => plan(tx, idIn('appointment_id'))),
  subscriber('appointment.confirmed', (tx, idIn) => plan(tx, idIn('appointment_id'))),
  subscriber('appointment.rescheduled', async (tx, idIn) => {
    await skip(tx, idIn('from_id'), 'visit_moved')
    await plan(tx, idIn('to_id'))
  }),
  subscriber('appointment.cancelled', (tx, idIn) => skip(tx, idIn('appointment_id'), 'visit_cancelled')),
  subscriber('appointment.status_reverted', (tx, idIn) => plan(tx, idIn('appointment_id'))),
]
