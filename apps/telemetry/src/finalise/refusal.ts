/** Bad data (22), a constraint (23), a limit of PostgreSQL (54), a policy or a missing right (42501). */
const REFUSED = /^(22|23|54)|^42501$/
/** Faults of ours: they fail again until a release mends them. */
const FAULTS = [TypeError, RangeError, SyntaxError]

/** What the run has in the database cannot be added to: its media events were kept for so long, and no longer. */
export class EventsGone extends Error {
  override name = 'EventsGone'
}

/** Whether the same take would fail the same way again, unlike with a database or a store that is away. */
export function isRefusal(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, severity } = error as Error & { code?: unknown; severity?: unknown }
  if (severity !== undefined) return typeof code === 'string' && REFUSED.test(code)
  return error instanceof EventsGone || FAULTS.some((kind) => error instanceof kind)
}
