import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const MAX_WAIT_MS = 5 * 60_000
const LEAST_WAIT_MS = 250

export interface Patience {
  /** The longest wait, of all requests together. */
  maxWaitMs?: number
  /** Called before the first wait of a request. */
  onWait?: (seconds: number) => void
}

/**
 * A fetch that does what a busy service asks: waits for the seconds of Retry-After, then sends the same request again. The
 * last answer is returned when the time is used up. A POST gets an Idempotency-Key: one that was done after all is not
 * done twice.
 */
export function patientFetch({ maxWaitMs = MAX_WAIT_MS, onWait }: Patience = {}): typeof fetch {
  let leftMs = maxWaitMs
  return async (input, init = {}) => {
    const headers = new Headers(init.headers)
    if (init.method === 'POST' && !headers.has('idempotency-key')) headers.set('idempotency-key', randomUUID())
    for (let attempt = 1; ; attempt += 1) {
      const answer = await fetch(input, { ...init, headers })
      const waitMs = asksToWaitMs(answer)
      if (waitMs === undefined || waitMs > leftMs) return answer
      await answer.body?.cancel()
      if (attempt === 1) onWait?.(Math.ceil(waitMs / 1000))
      leftMs -= waitMs
      await sleep(waitMs)
    }
  }
}

/** With the header also 409 (a request with the same key is in progress) and 429. */
function asksToWaitMs({ ok, headers }: Response): number | undefined {
  const given = headers.get('retry-after')
  if (ok || given === null) return undefined
  const ms = /^\d+$/.test(given) ? Number(given) * 1000 : Date.parse(given) - Date.now()
  return Number.isNaN(ms) ? undefined : Math.max(LEAST_WAIT_MS, ms)
}
