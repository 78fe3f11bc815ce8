import { dayAround } from '@tendon/availability'
import type { Appointment } from '@tendon/contracts'
import { asService, type ServiceTx, type TenantTx } from '@tendon/db'
import { countDay, dayFull, type HeldTime, slotTaken } from '../holds/index.ts'
import { type BookingFacts, findFactsForStaff } from './facts-queries.ts'
import { claimAppointment } from './queries.ts'
import { isDayFull } from './rules.ts'
import { AS_STAFF } from './service.ts'

interface Wanted {
  serviceId: string
  specialistId: string
  startsAt: Date
  /** The appointment itself, if it counts already. */
  exceptId?: string
}

/** Locks the day. Whether one more passes its limit, which staff may. */
export async function isOverLimitOf(
  tx: TenantTx,
  facts: Pick<BookingFacts, 'max_per_day' | 'time_zone'>,
  wanted: Wanted,
): Promise<boolean> {
  const { max_per_day, time_zone } = facts
  if (max_per_day === null) return false
  const day = { exceptId: null, ...wanted, ...dayAround(time_zone, wanted.startsAt.getTime()) }
  return isDayFull(await asService(tx, AS_STAFF.codes, (service) => countDay(service, day)), max_per_day)
}

/**
 * Locks the day of a hold before it is booked. A hold that was counted may expire now: a request that counts the day then waits, and
 * counts the appointment.
 */
export async function lockDayOfHold(
  tx: ServiceTx,
  { service_id: serviceId, specialist_id: specialistId, max_per_day, time_zone, starts_at }: LimitedTime,
): Promise<void> {
  if (max_per_day === null) return
  await countDay(tx, { serviceId, specialistId, ...dayAround(time_zone, Date.parse(starts_at)), exceptId: null })
}

type LimitedTime = Pick<HeldTime, 'service_id' | 'specialist_id' | 'max_per_day' | 'time_zone' | 'starts_at'>

/** Claims the time of a waitlist entry that becomes an appointment. Says whether staff passed the limit of the day. */
export async function claimWithinLimit(
  tx: TenantTx,
  { id, service_id: serviceId, specialist_id: specialistId, starts_at }: Appointment,
  isAllowedOver: boolean,
): Promise<boolean> {
  const facts = await findFactsForStaff(tx, serviceId, specialistId)
  const isOver =
    facts !== undefined &&
    specialistId !== null &&
    starts_at !== null &&
    (await isOverLimitOf(tx, facts, { serviceId, specialistId, startsAt: new Date(starts_at), exceptId: id }))
  if (isOver && !isAllowedOver) throw dayFull()
  if (!(await claimAppointment(tx, id))) throw slotTaken()
  return isOver
}
