import { setTimeout as sleep } from 'node:timers/promises'

const WAIT_MS = 15_000
const LOOK_EVERY_MS = 20

/** Waits for the fact, not for the time: looks until there is something to see. */
export async function until<Value>(look: () => Value | Promise<Value>): Promise<NonNullable<Value>> {
  const deadline = Date.now() + WAIT_MS
  for (;;) {
    const value = await look()
    if (value) return value
    if (Date.now() > deadline) throw new Error(`not within ${WAIT_MS} ms: ${String(look)}`)
    await sleep(LOOK_EVERY_MS)
  }
}
