import { resolveLanguage } from '@tendon/access'
import type { Job } from '../../../platform/jobs.ts'
import { sendMail } from '../../../platform/mail.ts'
import { findAppointmentMail } from '../bookings/index.ts'
import { appointmentReminder } from './mails.ts'
import { takeReminder } from './queries.ts'

export const SEND_REMINDER_JOB = 'reminders.send'

/** Reads the appointment again: a cancelled or moved one gets no mail. The mail loop checks it again before sending. */
export const reminderJobs: readonly Job[] = [
  {
    name: SEND_REMINDER_JOB,
    run: ({ reminder_id }, { tenant }) =>
      tenant(async (tx) => {
        const reminderId = String(reminder_id)
        const appointmentId = await takeReminder(tx, reminderId)
        const mail = appointmentId && (await findAppointmentMail(tx, appointmentId))
        if (!mail) return
        await sendMail(tx, appointmentReminder, {
          to_address: mail.to_address,
          language: resolveLanguage(mail.language, null),
          ...(mail.patient_profile_id === null ? {} : { patient_profile_id: mail.patient_profile_id }),
          appointment_reminder_id: reminderId,
          dedupe_key: `reminder ${reminderId}`,
          data: mail.data,
        })
      }),
  },
]
