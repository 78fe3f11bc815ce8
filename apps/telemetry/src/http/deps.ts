import type { ApiError, Refusal } from '@tendon/http'
import type { Admission } from '../admission/admission.ts'
import type { Withdrawals } from '../consent/withdrawals.ts'
import type { BodyChecker } from '../inflate/checker.ts'
import { LogFailed, LogFull } from '../log/log.ts'
import type { EventParser } from '../media/event.ts'
import { type Ingest, LimitReached } from '../runs/ingest.ts'
import type { Exchange } from './exchange.ts'
import * as refusals from './refusals.ts'

/** What the endpoints use. */
export interface Deps {
  admission: Admission
  checker: BodyChecker
  ingest: Ingest
  parser: EventParser
  withdrawals: Pick<Withdrawals, 'of'>
  now: () => number
}

const RETRY_LATER = { 'retry-after': '2' }

/** Answers errors of storing; `whenFull` is the answer when there is no space. */
export function refuseFailed(exchange: Exchange, error: unknown, whenFull: Refusal): void {
  const refused = refusalOf(error, whenFull)
  if (refused) exchange.refuse(refused)
  else exchange.fail(error)
}

function refusalOf(error: unknown, whenFull: Refusal): ApiError | undefined {
  if (error instanceof LimitReached && error.limit === 'run') return refusals.rateLimited({}, { 'retry-after': '60' })
  if (error instanceof LimitReached || error instanceof LogFull) return whenFull({}, RETRY_LATER)
  if (error instanceof LogFailed) return refusals.unavailable({}, RETRY_LATER)
  return undefined
}
