import { bytesOf, newTakeId, timeOf, uuidOf } from '../log/ids.ts'
import type { Origin } from '../log/record.ts'

/** Whose data: what a run token says, with the ids as the log writes them. */
export interface RunIdentity {
  runId: string
  organizationId: string
  run: Buffer
  organization: Buffer
}

export const runIdentity = (runId: string, organizationId: string): RunIdentity => ({
  runId,
  organizationId,
  run: bytesOf(runId),
  organization: bytesOf(organizationId),
})

/** Why a take is closed: its session ended, or nothing came for so long. */
export type Seal = 'ended' | 'silence'

/** What is known in memory of a take; the data itself is in the log. */
export interface Take {
  readonly id: string
  readonly runId: string
  readonly organizationId: string
  readonly origin: Origin
  lastAt: number
  frames: number
  poseBytes: number
  /** What tells events apart: session → type and time. A promise while the first of them is on its way to the disk. */
  readonly events: Map<string, Map<number, Promise<void> | undefined>>
  readonly views: Map<string, Promise<void> | undefined>
  /** Events and views together. */
  entries: number
  /** So many of them memory holds. */
  held: number
  /** Appends on their way to the disk. */
  appending: number
  /** While the record that closes the take is on its way. */
  closing: Promise<void> | undefined
  sealed: Seal | undefined
  /** Some of it lay in a damaged segment. */
  damaged: boolean
}

/** Its id is greater than that of the take before it, whatever became of the clock. */
export function beginTake({ run, organization }: RunIdentity, now: number, before: Take | undefined): Take {
  const beganAt = before ? Math.max(now, timeOf(before.origin.take) + 1) : now
  return emptyTake({ run, organization, take: newTakeId(beganAt) }, now)
}

export function emptyTake({ run, take, organization }: Origin, at: number): Take {
  const id = uuidOf(take)
  return {
    id,
    runId: uuidOf(run),
    organizationId: uuidOf(organization),
    origin: { run, take, organization, takeId: id },
    lastAt: at,
    frames: 0,
    poseBytes: 0,
    events: new Map(),
    views: new Map(),
    entries: 0,
    held: 0,
    appending: 0,
    closing: undefined,
    sealed: undefined,
    damaged: false,
  }
}
