import type { Appointment, TimeBeforeBooking } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { serviceDeleted, timeOnlyFromWaitlist, unknownSpecialist, waitlistNeedsSpecialist } from './errors.ts'
import { findFactsForStaff } from './facts-queries.ts'
import { endOf } from './rules.ts'
import { setTime } from './waitlist-queries.ts'

/** Staff give a waitlist entry the time at which it will be booked. */
export async function giveTime(
  tx: TenantTx,
  entry: Appointment,
  startsAt: string,
  chosenSpecialistId?: string,
): Promise<void> {
  if (entry.status !== 'waitlist') throw timeOnlyFromWaitlist()
  const specialistId = chosenSpecialistId ?? entry.specialist_id
  if (!specialistId) throw waitlistNeedsSpecialist()
  const facts = await findFactsForStaff(tx, entry.service_id, specialistId)
  if (!facts) throw serviceDeleted()
  const { has_specialist, time_zone, duration_minutes } = facts
  if (!has_specialist) throw unknownSpecialist()
  const ends_at = endOf(new Date(startsAt), duration_minutes).toISOString()
  await setTime(tx, entry.id, {
    specialist_id: specialistId,
    starts_at: startsAt,
    ends_at,
    time_zone,
    before_booking: JSON.stringify({
      specialist_id: entry.specialist_id,
      starts_at: entry.starts_at,
      ends_at: entry.ends_at,
      time_zone: entry.time_zone,
    } satisfies TimeBeforeBooking),
  })
}
