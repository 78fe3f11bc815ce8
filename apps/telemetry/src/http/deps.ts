import type { ApiError, Refusal } from '@tendon/http'
import type { Admission } from '../admission/admission.ts'
import type { BodyChecker } from '../inflate/checker.ts'
import { LogFailed, LogFull } from '../log/log.ts'
import type { EventParser } from '../media/event.ts'
import { type Ingest, LimitReached } from '../runs/ingest.ts'
import * as refusals from './refusals.ts'

/** What the endpoints use. */
export interface Deps {
  admission: Admission
  checker: BodyChecker
  ingest: Ingest
  parser: EventParser
}

/** What storing can fail with, in words; `whenFull` is the answer when there is no room. Anything else is a fault of ours. */
export function refusalOf(error: unknown, whenFull: Refusal): ApiError {
  if (error instanceof LimitReached)
    return error.limit === 'run' ? refusals.rateLimited({}, { 'retry-after': '60' }) : whenFull({}, RETRY_LATER)
  if (error instanceof LogFull) return whenFull({}, RETRY_LATER)
  if (error instanceof LogFailed) return refusals.unavailable({}, RETRY_LATER)
  throw error
}

const RETRY_LATER = { 'retry-after': '2' }
