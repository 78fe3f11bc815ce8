import { asService, type TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { type OutboxEvent, payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { type AppointmentMail, findAppointmentMail, MAIL_CODES } from './appointment-mail.ts'
import { envelopeOf } from './envelope.ts'
import { bookingUpdated } from './mails.ts'

// Patients get a mail with a calendar file when they book, move or cancel an appointment, or accept an offer. What staff change is
// told by notices.ts. The mail for a booking without an account is written by the function that books, because only that function
// knows the link.

const STANDS = ['pending', 'confirmed']

const isWorthAMail: Record<string, (mail: AppointmentMail) => boolean> = {
  'appointment.created': ({ status, source }) => STANDS.includes(status) && source !== 'public',
  'appointment.confirmed': ({ status }) => status === 'confirmed',
  'appointment.cancelled': ({ status, cancelled_by }) => status === 'cancelled' && cancelled_by === 'patient',
  'appointment.rescheduled': ({ status }) => STANDS.includes(status),
}

export const bookingSubscribers: readonly Subscriber[] = Object.keys(isWorthAMail).map((type) => ({
  type,
  service: { codes: MAIL_CODES, why: 'only the service of a clinic reads the accounts of patients' },
  handle,
}))

const find = (tx: TenantTx, id: string) => asService(tx, MAIL_CODES, (own) => findAppointmentMail(own, id))

async function handle(tx: TenantTx, { id, type, payload }: OutboxEvent): Promise<void> {
  const fromId = payloadText(payload, 'from_id')
  const appointmentId = payloadText(payload, 'to_id') ?? payloadText(payload, 'appointment_id')
  const mail = appointmentId && (await find(tx, appointmentId))
  if (!mail || mail.is_future !== true || !isWorthAMail[type]?.(mail)) return
  const before = fromId ? await find(tx, fromId) : undefined
  if ((before ?? mail).status_set_by !== 'patient') return
  const { starts_at, time_zone = 'UTC' } = before?.data ?? {}
  await sendMail(tx, bookingUpdated, {
    ...envelopeOf(mail),
    dedupe_key: `appointment ${id}`,
    data: { ...mail.data, ...(starts_at === undefined ? {} : { moved_from: { starts_at, time_zone } }) },
  })
}
