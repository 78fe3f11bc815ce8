import { setTimeout as sleepFor } from 'node:timers/promises'
import { HostError, HostPaused, type RenderHost } from './port.ts'

// A host that is busy for a moment is asked again within seconds; the long waits between attempts at a render are for a host
// that is away. A host that says how long to wait is left alone for that long, whatever is to be done there.

const SHORT_WAITS_MS = [250, 1_000]
/** A longer wait is left to the caller, who has other work. */
const MAX_WAIT_IN_PLACE_MS = 5_000
export const MAX_RETRY_AFTER_MS = 60 * 60 * 1000

export interface RetryOptions {
  now?: () => number
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** An error that the caller does not see, because the request is repeated. */
  onRetry?: (error: HostError) => void
}

/** The milliseconds of `Retry-After`, which are seconds or a date: 0 to an hour; undefined when it is neither. */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get('retry-after')?.trim() ?? ''
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1000, MAX_RETRY_AFTER_MS)
  const at = /^[A-Z][a-z]{2}.*\d{4}/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(at)) return undefined
  // The host's own clock, because ours may differ.
  const sent = Date.parse(headers.get('date') ?? '')
  return Math.min(Math.max(0, at - (Number.isNaN(sent) ? now : sent)), MAX_RETRY_AFTER_MS)
}

const isPassing = ({ status }: HostError) => status === undefined || [408, 425, 429].includes(status) || status >= 500

export function withRetries(
  host: RenderHost,
  { now = Date.now, sleep = sleeping, onRetry }: RetryOptions = {},
): RenderHost {
  let pausedUntil = 0

  async function ask<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    for (let tried = 0; ; tried += 1) {
      const pause = pausedUntil - now()
      if (pause > MAX_WAIT_IN_PLACE_MS) throw new HostPaused(pause)
      if (pause > 0) await sleep(pause, signal)
      try {
        return await work()
      } catch (error) {
        if (!(error instanceof HostError) || !isPassing(error)) throw error
        const { retryAfterMs } = error
        if (retryAfterMs !== undefined) pausedUntil = Math.max(pausedUntil, now() + retryAfterMs)
        const wait = SHORT_WAITS_MS[tried]
        if (wait === undefined || (retryAfterMs ?? 0) > MAX_WAIT_IN_PLACE_MS) throw error
        onRetry?.(error)
        if (retryAfterMs === undefined) await sleep(wait, signal)
      }
    }
  }

  return {
    provider: host.provider,
    takes: host.takes,
    // Each is repeated whole: `create` then finds what a request whose answer was lost has created.
    create: (renderId) => ask(() => host.create(renderId)),
    upload: (reference, files, signal) => ask(() => host.upload(reference, files, signal), signal),
    status: (reference) => ask(() => host.status(reference)),
    delete: (reference) => ask(() => host.delete(reference)),
  }
}

const sleeping = (ms: number, signal?: AbortSignal): Promise<void> => sleepFor(ms, undefined, signal ? { signal } : {})
