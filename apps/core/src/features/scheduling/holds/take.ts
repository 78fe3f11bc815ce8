import type { Hold } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import type { candidatesOf } from './candidates.ts'
import { dayFull, slotTaken, slotUnavailable, tooManyHolds } from './errors.ts'
import { type HoldOutcome, startTry, takeHold, undoTry, type VisitorLimits } from './queries.ts'

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
