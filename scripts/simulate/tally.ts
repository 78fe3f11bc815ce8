import type { Ending } from './session.ts'

export type Service = 'core' | 'media' | 'pose'

/** Counts so far, for the progress line and the summary. */
export interface Tally {
  sessions: number
  endings: Record<Ending, number>
  mediaEvents: number
  /** Seconds of sessions played. */
  seconds: number
  batches: number
  frames: number
  framesShed: number
  exercises: { exact: number; off: number; notMeasured: Map<string, number> }
  /** Deviations of the measured exercises. */
  repetitions: { done: number; measured: number }
  /** By service, status and code. */
  refusals: Map<string, number>
  milliseconds: Record<Service, number[]>
  /** Acknowledged data that is missing, and errors. */
  problems: string[]
}

export const newTally = (): Tally => ({
  sessions: 0,
  endings: { completed: 0, left: 0, pain: 0 },
  mediaEvents: 0,
  seconds: 0,
  batches: 0,
  frames: 0,
  framesShed: 0,
  exercises: { exact: 0, off: 0, notMeasured: new Map() },
  repetitions: { done: 0, measured: 0 },
  refusals: new Map(),
  milliseconds: { core: [], media: [], pose: [] },
  problems: [],
})

export const countIn = (counts: Map<string, number>, name: string): void =>
  void counts.set(name, (counts.get(name) ?? 0) + 1)

/** The percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
