/** Bad data (22), constraint violation (23), program limit of PostgreSQL (54), policy or missing grant (42501). */
const REFUSED = /^(22|23|54)|^42501$/
/** Programming errors: they repeat until a release fixes them. */
const FAULTS = [TypeError, RangeError, SyntaxError]

/** The stored media events of the run have expired, so nothing can be added to it. */
export class EventsGone extends Error {
  override name = 'EventsGone'
}

/** Whether the same recording would fail again in the same way, unlike with an unavailable database or object store. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  if ('severity' in error && error.severity !== undefined)
    return 'code' in error && typeof error.code === 'string' && REFUSED.test(error.code)
  return error instanceof EventsGone || FAULTS.some((kind) => error instanceof kind)
}
