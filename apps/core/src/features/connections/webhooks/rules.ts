/** Delays between attempts: 5 s, 5 and 30 min, 2, 5, 10 and 10 h. */
const RETRY_AFTER_SECONDS = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000]
const JITTER = 0.2
const MAX_RETRY_AFTER_SECONDS = 86_400
const MAX_RESPONSE_BYTES = 20_000

export const MAX_SUBSCRIPTIONS = 20
export const SECRET_OVERLAP_HOURS = 24
export const FAILING_DAYS = 5
export const KEPT_DAYS = 30

/** Adds jitter to the delay; `random` is from 0 to 1. Undefined after the last attempt. */
export function nextAttemptAt(
  retryCount: number,
  { now, random, retryAfter = 0 }: { now: Date; random: number; retryAfter?: number | undefined },
): Date | undefined {
  const seconds = RETRY_AFTER_SECONDS[retryCount]
  if (seconds === undefined) return undefined
  const spread = seconds * (1 - JITTER + 2 * JITTER * random)
  return new Date(now.getTime() + Math.max(spread, retryAfter) * 1_000)
}

/** The seconds of a `Retry-After` header, given as seconds or as a date; at most a day. */
export function retryAfterSeconds(header: string | undefined, now: Date): number | undefined {
  if (header === undefined) return undefined
  if (!/^(\d{1,10}|[A-Z][a-z]{2}, .*)$/.test(header)) return undefined
  const seconds = /^\d/.test(header) ? Number(header) : (Date.parse(header) - now.getTime()) / 1_000
  return seconds > 0 ? Math.min(seconds, MAX_RETRY_AFTER_SECONDS) : undefined
}

/** Why a response is a failure; undefined for a success. */
export function responseProblem(status: number): string | undefined {
  if (status >= 200 && status < 300) return undefined
  if (status === 410) return 'gone'
  return status >= 300 && status < 400 ? 'redirect' : 'http_status'
}

/** A response body as text that the database accepts. */
export const responseText = (body: Buffer): string =>
  body.subarray(0, MAX_RESPONSE_BYTES).toString('utf8').replaceAll('\u0000', '\ufffd')
