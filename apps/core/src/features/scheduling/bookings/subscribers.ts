import type { ToldVisit } from '@tendon/contracts'
import { asService, type TenantTx } from '@tendon/db'
import { sendMail } from '../../../platform/mail.ts'
import { type OutboxEvent, payloadText, type Subscriber } from '../../../platform/outbox.ts'
import { findNotice } from '../appointments/index.ts'
import { type AppointmentMail, findAppointmentMail, MAIL_CODES } from './appointment-mail.ts'
import { envelopeOf } from './envelope.ts'
import type { AppointmentMailData } from './mail-parts.ts'
import { bookingUpdated } from './mails.ts'

// Patients get a mail with a calendar file when they book, move or cancel an appointment, or accept an offer. What staff change is
// told by notices.ts. The mail for a booking without an account is written by the function that books, because only that function
// knows the link.

const STANDS = ['pending', 'confirmed']

interface Change {
  mail: AppointmentMail
  /** The visit that was moved. */
  before: AppointmentMail | undefined
  payload: OutboxEvent['payload']
}

/** Decides by what the event tells, not by who set the present status: staff may have changed the visit since. */
const isByPatient: Record<string, (change: Change) => boolean> = {
  'appointment.created': ({ mail }) => mail.source === 'patient',
  'appointment.confirmed': ({ payload }) => payloadText(payload, 'set_by') === 'patient',
  'appointment.cancelled': ({ mail }) => mail.status === 'cancelled' && mail.cancelled_by === 'patient',
  'appointment.rescheduled': ({ before }) => before?.status_set_by === 'patient',
}

/**
 * The visit as the patient left it. What staff changed since follows in a later mail, with a higher number of the calendar entry;
 * undefined when the patient has its mail.
 */
function dataOf(
  type: string,
  { status, data }: AppointmentMail,
  told: ToldVisit | null,
): AppointmentMailData | undefined {
  if (type === 'appointment.cancelled') return data
  if (told) return { ...data, status: told.status, sequence: Math.max(0, data.sequence - 1) }
  if (status === 'checked_in') return { ...data, status: 'confirmed' }
  return STANDS.includes(status) ? data : undefined
}

export const bookingSubscribers: readonly Subscriber[] = Object.keys(isByPatient).map((type) => ({
  type,
  service: { codes: MAIL_CODES, why: 'only the service of a clinic reads the accounts of patients' },
  handle,
}))

const find = (tx: TenantTx, id: string) => asService(tx, MAIL_CODES, (own) => findAppointmentMail(own, id))

async function handle(tx: TenantTx, { id, type, payload }: OutboxEvent): Promise<void> {
  const fromId = payloadText(payload, 'from_id')
  const appointmentId = payloadText(payload, 'to_id') ?? payloadText(payload, 'appointment_id')
  const mail = appointmentId && (await find(tx, appointmentId))
  if (!mail || mail.is_future !== true) return
  const before = fromId ? await find(tx, fromId) : undefined
  if (!isByPatient[type]?.({ mail, before, payload })) return
  const told = await asService(tx, MAIL_CODES, (own) => findNotice(own, appointmentId))
  const data = dataOf(type, mail, told ?? null)
  if (!data) return
  const { starts_at, time_zone = 'UTC' } = before?.data ?? {}
  await sendMail(tx, bookingUpdated, {
    ...envelopeOf(mail),
    dedupe_key: `appointment ${id}`,
    data: { ...data, ...(starts_at === undefined ? {} : { moved_from: { starts_at, time_zone } }) },
  })
}
