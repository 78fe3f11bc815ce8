import type { Hold } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import type { candidatesOf } from './candidates.ts'
import { dayFull, slotTaken, slotUnavailable, tooManyHolds } from './errors.ts'
import {
  countDay,
  type HoldOutcome,
  type HoldRequest,
  startTry,
  takeHold,
  undoTry,
  type VisitorLimits,
} from './queries.ts'

interface Options {
  visitor?: VisitorLimits
  /** Of a day that staff may pass: whether they did is said. */
  passableLimit?: number | null
}

interface Taken {
  hold: Hold
  isOverLimit: boolean
}

/** Tries one candidate after the other. A try that fails gives its locks back, so that two requests never wait for each other. */
export async function takeFirst(
  tx: ServiceTx,
  candidates: ReturnType<typeof candidatesOf>,
  minutes: number,
  { visitor, passableLimit = null }: Options = {},
): Promise<Taken> {
  if (candidates === 'unavailable') throw slotUnavailable()
  if (candidates === 'taken') throw slotTaken()
  if (candidates === 'day_full') throw dayFull()
  const outcomes = new Set<HoldOutcome['outcome']>()
  for (const candidate of candidates) {
    const started = startTry(tx)
    const isOverLimit = passableLimit !== null && (await countDayOf(tx, candidate)) >= passableLimit
    const result = await takeHold(tx, candidate, minutes, visitor)
    await started
    if (result.outcome === 'held') return { hold: result.hold, isOverLimit }
    if (result.outcome === 'too_many') throw tooManyHolds()
    outcomes.add(result.outcome)
    await undoTry(tx)
  }
  throw outcomes.has('taken') ? slotTaken() : dayFull()
}

/** Before the time is claimed: everybody locks the day first. */
const countDayOf = (tx: ServiceTx, { serviceId, specialistId, day: { from, to } }: HoldRequest): Promise<number> =>
  countDay(tx, { serviceId, specialistId, fromMs: from.getTime(), toMs: to.getTime(), exceptId: null })
