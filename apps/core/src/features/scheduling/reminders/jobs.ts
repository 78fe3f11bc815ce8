import { resolveLanguage } from '@tendon/access'
import type { ServiceTx } from '@tendon/db'
import type { Job } from '../../../platform/jobs.ts'
import { sendMail } from '../../../platform/mail.ts'
import { findAppointmentMail, MAIL_CODES } from '../bookings/index.ts'
import { appointmentReminder } from './mails.ts'
import { findReminder, hasPatient, lockPlannedReminder, lockVisit, updateReminder } from './queries.ts'
import { obstacleOf, type ReminderState, skipped } from './rules.ts'

export const SEND_REMINDER_JOB = 'reminders.send'

/** The lock of an appointment needs the right to change it. */
const CODES = [...MAIL_CODES, 'appointments.manage']

/** Reads the appointment again: a cancelled or moved one gets no mail. The mail loop checks it again before sending. */
export const reminderJobs: readonly Job[] = [
  {
    name: SEND_REMINDER_JOB,
    run: ({ reminder_id }, { services, organizationId }) => {
      if (organizationId === null) throw new Error('a reminder needs an organization')
      return services.db.service(organizationId, CODES, (tx) => send(tx, String(reminder_id), services.now()))
    },
  },
]

async function send(tx: ServiceTx, id: string, now: Date): Promise<void> {
  const reminder = await findReminder(tx, id)
  if (!reminder) return
  const { appointment_id, starts_at: reminded_starts_at } = reminder
  const visit = await lockVisit(tx, appointment_id)
  if (!(await lockPlannedReminder(tx, id))) return
  const obstacle = obstacleOf(visit ? { ...visit, reminded_starts_at } : null, now)
  const isOfDeleted = visit?.patient_id != null && !(await hasPatient(tx, visit.patient_id))
  const reason = obstacle ?? (isOfDeleted ? 'patient_deleted' : undefined)
  await updateReminder(tx, id, reason ? skipped(reason) : await queueMail(tx, id, appointment_id))
}

async function queueMail(tx: ServiceTx, id: string, appointmentId: string): Promise<ReminderState> {
  const mail = await findAppointmentMail(tx, appointmentId)
  if (!mail) return skipped('no_address')
  await sendMail(tx, appointmentReminder, {
    to_address: mail.to_address,
    language: resolveLanguage(mail.language, null),
    ...(mail.patient_profile_id === null ? {} : { patient_profile_id: mail.patient_profile_id }),
    appointment_reminder_id: id,
    dedupe_key: `reminder ${id}`,
    data: mail.data,
  })
  return { status: 'queued', reason: null }
}
