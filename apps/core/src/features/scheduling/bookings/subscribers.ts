import { resolveLanguage } from '@tendon/access'
import { asService, type TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { type OutboxEvent, payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { type AppointmentMail, findAppointmentMail, listSeriesMailData, MAIL_CODES } from './appointment-mail.ts'
import type { AppointmentMailData } from './mail-parts.ts'
import { bookingUpdated, seriesBooked } from './mails.ts'
import { readableReason } from './rules.ts'

// Patients get a mail with a calendar file when an appointment is booked, confirmed, moved or cancelled. The mail for a
// booking without an account is written by the function that books, because only that function knows the link.

const STANDS = ['pending', 'confirmed']
const ENDED = ['cancelled', 'entered_in_error']

const isWorthAMail: Record<string, (mail: AppointmentMail) => boolean> = {
  'appointment.created': ({ status, source }) => STANDS.includes(status) && source !== 'public',
  'appointment.confirmed': ({ status }) => status === 'confirmed',
  'appointment.cancelled': ({ status, source, cancelled_by, confirmed_at }) =>
    ENDED.includes(status) &&
    cancelled_by !== 'booker' &&
    cancelled_by !== 'system' &&
    // A waitlist entry that was never booked has no calendar entry to cancel.
    (source !== 'waitlist' || confirmed_at !== null),
  'appointment.rescheduled': ({ status }) => STANDS.includes(status),
}

export const bookingSubscribers: readonly Subscriber[] = Object.keys(isWorthAMail).map((type) => ({
  type,
  service: { codes: MAIL_CODES, why: 'only the service of a clinic reads the accounts of patients' },
  handle,
}))

const listSeries = (tx: TenantTx, id: string) => asService(tx, MAIL_CODES, (own) => listSeriesMailData(own, id))
const find = (tx: TenantTx, id: string) => asService(tx, MAIL_CODES, (own) => findAppointmentMail(own, id))

async function handle(tx: TenantTx, { id, type, payload }: OutboxEvent): Promise<void> {
  const appointmentId = payloadText(payload, 'to_id') ?? payloadText(payload, 'appointment_id')
  const mail = appointmentId && (await find(tx, appointmentId))
  if (!mail || mail.is_future !== true || !isWorthAMail[type]?.(mail)) return
  const fromId = payloadText(payload, 'from_id')
  const before = fromId ? await find(tx, fromId) : undefined
  if (before?.cancelled_by === 'booker') return
  const envelope = {
    to_address: mail.to_address,
    language: resolveLanguage(mail.language, null),
    ...(mail.patient_profile_id === null ? {} : { patient_profile_id: mail.patient_profile_id }),
  }
  if (type === 'appointment.created' && mail.series_id !== null && mail.rescheduled_from_id === null)
    await sendMail(tx, seriesBooked, {
      ...envelope,
      dedupe_key: `series ${mail.series_id}`,
      data: { appointments: await listSeries(tx, mail.series_id) },
    })
  else await sendMail(tx, bookingUpdated, { ...envelope, dedupe_key: `appointment ${id}`, data: dataOf(mail, before) })
}

function dataOf(mail: AppointmentMail, before: AppointmentMail | undefined): AppointmentMailData {
  const reason = readableReason(mail)
  return {
    ...mail.data,
    ...(before ? { moved_from: { starts_at: before.data.starts_at, time_zone: before.data.time_zone ?? 'UTC' } } : {}),
    ...(reason === null ? {} : { reason }),
  }
}
