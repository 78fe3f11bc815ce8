/** The clock of a run: milliseconds since it began, by the server's time. Another tab or device that goes on has the same zero. */
export interface RunClock {
  now(): number
  /** As ISO 8601 with milliseconds. */
  instant(at_ms: number): string
}

export interface ClockStart {
  /** When the run began. */
  started_at: string
  /** The server's time in its answer (`Date`), to the second; null when it did not say. */
  answered_at: string | null
  /** The device's time when that answer came. */
  received: number
}

/** A `Date` header is cut to the second; a smaller difference says nothing about the clocks. */
const SAME_CLOCK_MS = 2_000

/** `monotonic`: milliseconds that never go back, such as `performance.now`. */
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
