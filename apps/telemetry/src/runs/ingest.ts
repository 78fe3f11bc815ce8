import type { LibraryView, MediaEvent } from '@tendon/contracts'
import { timeOf } from '../log/ids.ts'
import type { Kind, NewRecord } from '../log/record.ts'
import type { RunLog } from '../log/run-log.ts'
import { eventKey } from '../media/event.ts'
import { encodePose, type PosePayload } from './payloads.ts'
import type { Recording, RunIdentity, Seal } from './recording.ts'
import { type Runs, rememberEvent, viewKey } from './runs.ts'

// Receives the data of runs. A recording is open until its session ends or it falls silent; the record that closes it
// is on disk before anything acts on it, and requests that arrive meanwhile wait for it. Data after an end is late and
// dropped; data after a silence starts a new recording.

/** "10 minutes without events finalizes the run as incomplete". */
export const SILENCE_TIMEOUT_MS = 10 * 60 * 1000
/** A run token is valid for 90 minutes. A recording open for longer would keep the log from dropping segments. */
const MAX_RECORDING_AGE_MS = 6 * 60 * 60 * 1000
/** 30 frames a second for 90 minutes are 162,000; more would only fill the disk. */
export const MAX_RECORDING_FRAMES = 200_000
const MAX_RECORDING_ENTRIES = 5_000
const MAX_RECORDING_SESSIONS = 100
const MAX_TOTAL_ENTRIES = 2_000_000

/** Counter names of discarded data. */
export type Discard =
  | 'late_batch'
  | 'late_event'
  | 'late_view'
  | 'duplicate_event'
  | 'duplicate_view'
  | 'repeated_session_end'

export type Limit = 'run' | 'memory'

/** A memory limit was reached: that of this run, or of all runs together. */
export class LimitReached extends Error {
  override name = 'LimitReached'
  readonly limit: Limit
  constructor(limit: Limit) {
    super(`Too much data for one ${limit}.`)
    this.limit = limit
  }
}

interface IngestOptions {
  log: RunLog
  runs: Runs
  now: () => number
  onDiscard: (name: Discard) => void
  /** Called when the recording is closed and completely on disk. May be called more than once. */
  onSealed: (recording: Recording) => void
}

export class Ingest {
  readonly #options: IngestOptions

  constructor(options: IngestOptions) {
    this.#options = options
  }

  /** Returns the number of frames accepted, 0 when they are late, and the bytes buffered for the run. */
  async pose(identity: RunIdentity, batch: PosePayload): Promise<{ frames: number; position: number }> {
    const recording = this.#open(identity)
    if (recording instanceof Promise) return recording.then(() => this.pose(identity, batch))
    if (!recording) {
      this.#options.onDiscard('late_batch')
      return { frames: 0, position: this.#options.runs.latest(identity.runId)?.poseBytes ?? 0 }
    }
    const { frames, gzip } = batch
    if (recording.frames + frames > MAX_RECORDING_FRAMES) throw new LimitReached('run')
    recording.frames += frames
    recording.poseBytes += gzip.length
    const position = recording.poseBytes
    try {
      await this.#options.log.append(this.#recordOf(recording, 'pose', encodePose(batch)))
    } catch (error) {
      recording.frames -= frames
      recording.poseBytes -= gzip.length
      throw error
    } finally {
      this.#appended(recording)
    }
    return { frames, position }
  }

  async event(identity: RunIdentity, event: MediaEvent): Promise<void> {
    const ends = event.event === 'session_end'
    const recording = this.#open(identity)
    if (recording instanceof Promise) return recording.then(() => this.event(identity, event))
    if (!recording) return this.#options.onDiscard(ends ? 'repeated_session_end' : 'late_event')
    const session = recording.events.get(event.session_id)
    if (session?.has(eventKey(event))) {
      await session.get(eventKey(event))
      return this.#options.onDiscard('duplicate_event')
    }
    if (!ends) this.#checkRoom(recording, session === undefined && recording.events.size >= MAX_RECORDING_SESSIONS)
    const appended = this.#append(recording, 'event', [Buffer.from(JSON.stringify(event))])
    rememberEvent(recording, event, appended)
    if (ends) void this.#close(recording, 'ended', appended)
    try {
      await appended
      if (!recording.sealed) rememberEvent(recording, event, undefined)
      this.#count(recording)
    } catch (error) {
      recording.events.get(event.session_id)?.delete(eventKey(event))
      throw error
    }
  }

  async view(identity: RunIdentity, view: LibraryView): Promise<void> {
    const recording = this.#open(identity)
    if (recording instanceof Promise) return recording.then(() => this.view(identity, view))
    if (!recording) return this.#options.onDiscard('late_view')
    const key = viewKey(view)
    if (recording.views.has(key)) {
      await recording.views.get(key)
      return this.#options.onDiscard('duplicate_view')
    }
    this.#checkRoom(recording, false)
    const appended = this.#append(recording, 'view', [Buffer.from(JSON.stringify(view))])
    recording.views.set(key, appended)
    try {
      await appended
      if (!recording.sealed) recording.views.set(key, undefined)
      this.#count(recording)
    } catch (error) {
      recording.views.delete(key)
      throw error
    }
  }

  /** Closes recordings without data for ten minutes, and those that have been open too long. */
  async sealSilent(): Promise<void> {
    const { runs, log, now } = this.#options
    const at = now()
    const closing: Promise<void>[] = []
    for (const recording of runs.all()) {
      if (recording.sealed || recording.closing) continue
      recording.lastAt = Math.min(recording.lastAt, at) // the clock may have been ahead
      const isSilent = recording.appending === 0 && recording.lastAt <= at - SILENCE_TIMEOUT_MS
      if (isSilent && recording.entries === 0 && recording.frames === 0)
        runs.remove(recording) // all its data was refused
      else if (isSilent || timeOf(recording.origin.recording) <= at - MAX_RECORDING_AGE_MS)
        closing.push(this.#close(recording, 'silence', log.append({ kind: 'silence', origin: recording.origin, at })))
    }
    await Promise.all(closing)
  }

  /** Whether the run's session has ended: repeating its end changes nothing. */
  hasEnded(runId: string): boolean {
    const { runs, log } = this.#options
    return runs.latest(runId)?.sealed === 'ended' || log.hasEnded(runId)
  }

  /**
   * Returns the open recording, a new one if there is none; undefined when the session has ended; a promise while it
   * is being closed.
   */
  #open(identity: RunIdentity): Recording | undefined | Promise<void> {
    const { runs, now } = this.#options
    const recording = runs.latest(identity.runId)
    if (recording?.closing) return recording.closing
    if (recording && !recording.sealed) return recording
    if (this.hasEnded(identity.runId)) return undefined
    if (runs.isFull()) throw new LimitReached('memory')
    return runs.begin(identity, now())
  }

  async #append(recording: Recording, kind: Kind, payload: Buffer[]): Promise<void> {
    try {
      await this.#options.log.append(this.#recordOf(recording, kind, payload))
    } finally {
      this.#appended(recording)
    }
  }

  /** Counts a record as pending until `#appended`. */
  #recordOf(recording: Recording, kind: Kind, payload: Buffer[]): NewRecord {
    const at = this.#options.now()
    recording.lastAt = at
    recording.appending += 1
    return { kind, origin: recording.origin, at, payload }
  }

  #appended(recording: Recording): void {
    recording.appending -= 1
    this.#settle(recording)
  }

  /** Closes the recording once the closing record is on disk; if that fails it stays open. */
  async #close(recording: Recording, seal: Seal, appended: Promise<void>): Promise<void> {
    const closed = Promise.withResolvers<void>()
    recording.closing = closed.promise
    try {
      await appended
      recording.sealed = seal
    } catch {
      // Reported to the caller of append.
    }
    recording.closing = undefined
    closed.resolve()
    this.#settle(recording)
  }

  #settle(recording: Recording): void {
    if (!recording.sealed || recording.appending > 0) return
    this.#options.runs.forgetEntries(recording)
    this.#options.onSealed(recording)
  }

  #checkRoom(recording: Recording, tooManySessions: boolean): void {
    if (tooManySessions || recording.entries >= MAX_RECORDING_ENTRIES) throw new LimitReached('run')
    if (this.#options.runs.entries >= MAX_TOTAL_ENTRIES) throw new LimitReached('memory')
  }

  #count(recording: Recording): void {
    recording.entries += 1
    if (!recording.sealed) this.#options.runs.hold(recording)
  }
}
