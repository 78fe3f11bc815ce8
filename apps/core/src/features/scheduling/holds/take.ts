import { dayAround } from '@tendon/availability'
import type { Hold } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import type { AvailabilityFacts } from '../availability/index.ts'
import type { candidatesOf } from './candidates.ts'
import { dayFull, slotTaken, slotUnavailable, tooManyHolds } from './errors.ts'
import { countDay, type HoldOutcome, startTry, takeHold, undoTry, type VisitorLimits } from './queries.ts'

/** Tries one candidate after the other. A try that fails gives its locks back, so that two requests never wait for each other. */
export async function takeFirst(
  tx: ServiceTx,
  candidates: ReturnType<typeof candidatesOf>,
  minutes: number,
  visitor?: VisitorLimits,
): Promise<Hold> {
  if (candidates === 'unavailable') throw slotUnavailable()
  if (candidates === 'taken') throw slotTaken()
  if (candidates === 'day_full') throw dayFull()
  const outcomes = new Set<HoldOutcome['outcome']>()
  for (const candidate of candidates) {
    const started = startTry(tx)
    const result = await takeHold(tx, candidate, minutes, visitor)
    await started
    if (result.outcome === 'held') return result.hold
    if (result.outcome === 'too_many') throw tooManyHolds()
    outcomes.add(result.outcome)
    await undoTry(tx)
  }
  throw outcomes.has('taken') ? slotTaken() : dayFull()
}

/** Whether a hold that was taken without regard to the limit of its day is beyond it. */
export async function isOverLimit(
  tx: ServiceTx,
  { service: { max_per_day }, calendars }: AvailabilityFacts,
  { service_id: serviceId, specialist_id: specialistId, starts_at }: Hold,
): Promise<boolean> {
  if (max_per_day === null) return false
  const timeZone = calendars.find(({ specialist_id }) => specialist_id === specialistId)?.time_zone ?? 'UTC'
  const day = dayAround(timeZone, Date.parse(starts_at))
  return (await countDay(tx, { serviceId, specialistId, ...day, exceptId: null })) > max_per_day
}
