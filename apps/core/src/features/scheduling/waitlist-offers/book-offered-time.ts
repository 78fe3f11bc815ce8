import type { Appointment } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import {
  deleteNotice,
  findBookingFacts,
  lockDayOfHold,
  setTime,
  updateAppointmentStatus,
} from '../appointments/index.ts'
import type { StoredOffer } from './queries.ts'

/**
 * Turns the claim of an offer into the visit: the waitlist entry gets the time and is confirmed. Undefined when the claim
 * has expired or the service was deleted. The only place where an offer writes an appointment.
 */
export async function bookOfferedTime(
  tx: ServiceTx,
  { hold_id, appointment_id, specialist_id, starts_at, ends_at, location_id, calendar_id }: StoredOffer,
  service_id: string,
): Promise<Appointment | undefined> {
  const facts = await findBookingFacts(tx, service_id, specialist_id)
  if (!facts) return undefined
  await lockDayOfHold(tx, { ...facts, service_id, specialist_id, starts_at })
  const { rows } = await sql<{ claimed: boolean }>`
    select claim_offered_time(${hold_id}, ${appointment_id}) as claimed`.execute(tx)
  if (rows[0]?.claimed !== true) return undefined
  const { time_zone } = facts
  // As long as the claim, also when the service became longer since the offer.
  await setTime(tx, appointment_id, { specialist_id, starts_at, ends_at, time_zone, location_id, calendar_id })
  await deleteNotice(tx, appointment_id) // The patient gets the mail about the booking at once.
  return updateAppointmentStatus(tx, appointment_id, 'confirmed', null, 'patient')
}
