import { bytesOf, newRecordingId, timeOf, uuidOf } from '../log/ids.ts'
import type { Origin } from '../log/record.ts'

/** The owner of data: ids of a run token, in the form that the log writes. */
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

/** Why a recording was closed: its session ended, or nothing arrived for ten minutes. */
export type Seal = 'ended' | 'silence'

/** What memory holds about a recording; the data itself is in the log. */
export interface Recording {
  readonly id: string
  readonly runId: string
  readonly organizationId: string
  readonly origin: Origin
  lastAt: number
  frames: number
  poseBytes: number
  /** For deduplication: session → type and time. A promise while the first such event is being written. */
  readonly events: Map<string, Map<number, Promise<void> | undefined>>
  readonly views: Map<string, Promise<void> | undefined>
  /** Events and views together. */
  entries: number
  /** Entries held in memory. */
  held: number
  /** Appends in progress. */
  appending: number
  /** Set while the closing record is being written. */
  closing: Promise<void> | undefined
  sealed: Seal | undefined
  /** Some of its records were in a damaged segment. */
  damaged: boolean
}

/** Its id is greater than that of the previous recording, whatever the clock says. */
export function startRecording(
  { run, organization }: RunIdentity,
  now: number,
  before: Recording | undefined,
): Recording {
  const beganAt = before ? Math.max(now, timeOf(before.origin.recording) + 1) : now
  return emptyRecording({ run, organization, recording: newRecordingId(beganAt) }, now)
}

export function emptyRecording({ run, recording, organization }: Origin, at: number): Recording {
  const id = uuidOf(recording)
  return {
    id,
    runId: uuidOf(run),
    organizationId: uuidOf(organization),
    origin: { run, recording, organization, recordingId: id },
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
