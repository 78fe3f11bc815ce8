/** The clock of a run: milliseconds since its start on the server. Other tabs and devices have the same zero. */
export interface RunClock {
  now(): number
  /** As ISO 8601 with milliseconds. */
  instant(at_ms: number): string
}

export interface ClockStart {
  /** When the run started. */
  started_at: string
  /** The server's time, from the `Date` header, in whole seconds; null without the header. */
  answered_at: string | null
  /** The device's time when the response arrived. */
  received: number
}

/** The `Date` header has whole seconds, so a smaller difference is ignored. */
const SAME_CLOCK_MS = 2_000

/** `monotonic`: milliseconds that never decrease, such as `performance.now`. */
export function createRunClock(
  { started_at, answered_at, received }: ClockStart,
  monotonic: () => number = () => performance.now(),
): RunClock {
  const zero = Date.parse(started_at)
  const difference = answered_at === null ? 0 : Date.parse(answered_at) + 500 - received
  const server = received + (Math.abs(difference) > SAME_CLOCK_MS ? difference : 0)
  const began = monotonic()
  return {
    now: () => Math.max(0, Math.round(server - zero + monotonic() - began)),
    instant: (at_ms) => new Date(zero + at_ms).toISOString(),
  }
}
