import { addJob } from '../../../platform/jobs.ts'
import type { Subscriber } from '../../../platform/outbox.ts'
import { SEND_REMINDER_JOB } from './jobs.ts'
import { planReminders } from './queries.ts'

interface AppointmentEvent {
  appointment_id?: string
  to_id?: string
}

/** A confirmed appointment gets its reminders, each with a job. A moved appointment is a new row with its own reminders. */
export const reminderSubscribers: readonly Subscriber[] = [
  'appointment.created',
  'appointment.confirmed',
  'appointment.rescheduled',
].map((type) => ({
  type,
  handle: async (tx, { payload }) => {
    const { appointment_id, to_id } = payload as AppointmentEvent
    const appointmentId = to_id ?? appointment_id
    if (appointmentId === undefined) return
    for (const { id, send_at } of await planReminders(tx, appointmentId))
      await addJob(tx, SEND_REMINDER_JOB, { reminder_id: id }, { key: id, runAt: new Date(send_at) })
  },
}))
