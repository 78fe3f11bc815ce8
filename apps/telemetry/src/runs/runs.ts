import type { LibraryView, MediaEvent } from '@tendon/contracts'
import { uuidOf } from '../log/ids.ts'
import { copyOf, type LogRecord } from '../log/record.ts'
import { eventKey } from '../media/event.ts'
import { decodeEvent, decodePose, decodeView } from './payloads.ts'
import { emptyRecording, type Recording, type RunIdentity, startRecording } from './recording.ts'

const MAX_RUNS = 50_000

/** The recordings that are not finalised yet, by run: the in-memory view of the log. */
export class Runs {
  readonly #recordings = new Map<string, Recording[]>()
  /** Events and views of open recordings, which are kept in memory for deduplication. */
  entries = 0

  get size(): number {
    return this.#recordings.size
  }

  isFull(): boolean {
    return this.#recordings.size >= MAX_RUNS
  }

  latest(runId: string): Recording | undefined {
    return this.#recordings.get(runId)?.at(-1)
  }

  begin(identity: RunIdentity, now: number): Recording {
    return this.#add(startRecording(identity, now, this.latest(identity.runId)))
  }

  remove(recording: Recording): void {
    const left = this.#recordings.get(recording.runId)?.filter(({ id }) => id !== recording.id) ?? []
    if (left.length > 0) this.#recordings.set(recording.runId, left)
    else this.#recordings.delete(recording.runId)
    this.forgetEntries(recording)
  }

  /** Counts one more entry in memory. */
  hold(recording: Recording): void {
    recording.held += 1
    this.entries += 1
  }

  /** The data for deduplication is needed only while the recording is open. */
  forgetEntries(recording: Recording): void {
    this.entries -= recording.held
    recording.held = 0
    recording.events.clear()
    recording.views.clear()
  }

  *all(): Generator<Recording> {
    for (const recordings of this.#recordings.values()) yield* recordings
  }

  /** Oldest first: recordings of one run are finalised in order. */
  recordingsOf(runId: string): readonly Recording[] {
    return this.#recordings.get(runId) ?? []
  }

  #add(recording: Recording): Recording {
    const recordings = this.#recordings.get(recording.runId)
    if (recordings) recordings.push(recording)
    else this.#recordings.set(recording.runId, [recording])
    return recording
  }

  /** Rebuilds the view from the records of the log: control log first, then bulk. */
  restorer(): (record: LogRecord) => void {
    const recordings = new Map<string, Recording>()
    const flushed = new Set<string>()
    return (record) => {
      const { kind } = record
      const id = uuidOf(record.recording)
      if (kind === 'ended' || flushed.has(id)) return
      const recording = recordings.get(id) ?? this.#add(emptyRecording(copyOf(record), 0))
      recordings.set(id, recording)
      if (kind === 'flushed') {
        flushed.add(id)
        recordings.delete(id)
        this.remove(recording)
      } else if (kind === 'silence') recording.sealed ??= 'silence'
      else restoreData(this, recording, record)
      if (recording.sealed) this.forgetEntries(recording)
    }
  }

  /**
   * Called after the log was read. Closes recordings that have a successor or were set aside. Also closes damaged
   * ones: their closing record may be among the unreadable data.
   */
  restored(damagedRecordings: ReadonlySet<string>, isSetAside: (recording: string) => boolean): void {
    for (const recordings of this.#recordings.values()) {
      recordings.sort((a, b) => Number(isEnd(a)) - Number(isEnd(b)) || (a.id < b.id ? -1 : 1))
      for (const recording of recordings) {
        const isDamaged = damagedRecordings.has(recording.id)
        if (recording !== recordings.at(-1) || isSetAside(recording.id) || isDamaged) recording.sealed ??= 'silence'
        if (recording.sealed) this.forgetEntries(recording)
        recording.damaged ||= isDamaged
      }
    }
  }
}

/** Nothing follows it, whatever its id says. */
const isEnd = ({ sealed }: Recording): boolean => sealed === 'ended'

function restoreData(runs: Runs, recording: Recording, { kind, at, payload }: LogRecord): void {
  recording.lastAt = Math.max(recording.lastAt, at)
  if (kind === 'pose') {
    const batch = decodePose(payload)
    if (!batch) return void (recording.damaged = true)
    recording.frames += batch.frames
    recording.poseBytes += batch.gzip.length
    return
  }
  if (kind === 'event') {
    const event = decodeEvent(payload)
    if (!event) return void (recording.damaged = true)
    rememberEvent(recording, event, undefined)
    if (event.event === 'session_end') recording.sealed = 'ended'
  } else {
    const view = decodeView(payload)
    if (!view) return void (recording.damaged = true)
    recording.views.set(viewKey(view), undefined)
  }
  recording.entries += 1
  runs.hold(recording)
}

export function rememberEvent(recording: Recording, event: MediaEvent, pending: Promise<void> | undefined): void {
  const session = recording.events.get(event.session_id)
  if (session) session.set(eventKey(event), pending)
  else recording.events.set(event.session_id, new Map([[eventKey(event), pending]]))
}

export const viewKey = ({ media_id, viewed_at }: LibraryView): string => `${viewed_at} ${media_id}`
