import { setTimeout as sleep } from 'node:timers/promises'

/** Ends a test that would wait forever. Far above what a busy machine takes; a test that measures time does it itself. */
const WAIT_MS = 60_000
const MIN_POLL_INTERVAL_MS = 10
/** The interval grows with the waiting time: every check costs, and none is more than a tenth too late. */
const POLL_INTERVAL_SHARE = 0.1

/** Waits for a fact instead of a time: polls until the result is truthy. */
export async function until<Value>(look: () => Value | Promise<Value>, maxMs = WAIT_MS): Promise<NonNullable<Value>> {
  const start = Date.now()
  for (;;) {
    const value = await look()
    if (value) return value
    const waited = Date.now() - start
    if (waited > maxMs) throw new Error(`not within ${maxMs} ms: ${String(look)}`)
    await sleep(Math.max(MIN_POLL_INTERVAL_MS, waited * POLL_INTERVAL_SHARE))
  }
}
