import type { LibraryView, MediaEvent } from '@tendon/contracts'
import { timeOf } from '../log/ids.ts'
import type { Kind, NewRecord } from '../log/record.ts'
import type { RunLog } from '../log/run-log.ts'
import { eventKey } from '../media/event.ts'
import { encodePose, type PosePayload } from './payloads.ts'
import { type Runs, rememberEvent, viewKey } from './runs.ts'
import type { RunIdentity, Seal, Take } from './take.ts'

// What a run takes in. A take is open until its session ends or it falls silent; the record that closes it is on disk before
// anybody acts on it, and whoever comes meanwhile waits for it. Data after an end is late and dropped; data after a silence
// begins a new take.

/** "10 minutes without events finalizes the run as incomplete". */
export const SILENCE_TIMEOUT_MS = 10 * 60 * 1000
/** A run token lives for 90 minutes. What is open for longer would keep the log from letting go of everybody else's data. */
const TAKE_MAX_AGE_MS = 6 * 60 * 60 * 1000
/** 30 frames a second for 90 minutes are 162,000; more would only fill the disk. */
export const TAKE_FRAMES_MAX = 200_000
const TAKE_ENTRIES_MAX = 5_000
const TAKE_SESSIONS_MAX = 100
const ALL_ENTRIES_MAX = 2_000_000

/** The names under which what is not kept is counted. */
export type Discard =
  | 'late_batch'
  | 'late_event'
  | 'late_view'
  | 'duplicate_event'
  | 'duplicate_view'
  | 'repeated_session_end'

export type Limit = 'run' | 'memory'

/** A limit of what memory holds: of this run, or of all runs together. */
export class LimitReached extends Error {
  override name = 'LimitReached'
  readonly limit: Limit
  constructor(limit: Limit) {
    super(`Too much for one ${limit}.`)
    this.limit = limit
  }
}

export interface IngestOptions {
  log: RunLog
  runs: Runs
  now: () => number
  onDiscard: (name: Discard) => void
  /** The take is closed and all of it is on disk. May be called more than once. */
  onSealed: (take: Take) => void
}

export class Ingest {
  readonly #options: IngestOptions

  constructor(options: IngestOptions) {
    this.#options = options
  }

  /** The frames taken, 0 when they come late, and how many bytes the run has buffered then. */
  async pose(identity: RunIdentity, batch: PosePayload): Promise<{ frames: number; position: number }> {
    const take = this.#open(identity)
    if (take instanceof Promise) return take.then(() => this.pose(identity, batch))
    if (!take) {
      this.#options.onDiscard('late_batch')
      return { frames: 0, position: this.#options.runs.latest(identity.runId)?.poseBytes ?? 0 }
    }
    const { frames, gzip } = batch
    if (take.frames + frames > TAKE_FRAMES_MAX) throw new LimitReached('run')
    take.frames += frames
    take.poseBytes += gzip.length
    const position = take.poseBytes
    try {
      await this.#options.log.append(this.#recordOf(take, 'pose', encodePose(batch)))
    } catch (error) {
      take.frames -= frames
      take.poseBytes -= gzip.length
      throw error
    } finally {
      this.#appended(take)
    }
    return { frames, position }
  }

  async event(identity: RunIdentity, event: MediaEvent): Promise<void> {
    const ends = event.event === 'session_end'
    const take = this.#open(identity)
    if (take instanceof Promise) return take.then(() => this.event(identity, event))
    if (!take) return this.#options.onDiscard(ends ? 'repeated_session_end' : 'late_event')
    const session = take.events.get(event.session_id)
    if (session?.has(eventKey(event))) {
      await session.get(eventKey(event))
      return this.#options.onDiscard('duplicate_event')
    }
    if (!ends) this.#checkRoom(take, session === undefined && take.events.size >= TAKE_SESSIONS_MAX)
    const appended = this.#append(take, 'event', [Buffer.from(JSON.stringify(event))])
    rememberEvent(take, event, appended)
    if (ends) void this.#close(take, 'ended', appended)
    try {
      await appended
      if (!take.sealed) rememberEvent(take, event, undefined)
      this.#count(take)
    } catch (error) {
      take.events.get(event.session_id)?.delete(eventKey(event))
      throw error
    }
  }

  async view(identity: RunIdentity, view: LibraryView): Promise<void> {
    const take = this.#open(identity)
    if (take instanceof Promise) return take.then(() => this.view(identity, view))
    if (!take) return this.#options.onDiscard('late_view')
    const key = viewKey(view)
    if (take.views.has(key)) {
      await take.views.get(key)
      return this.#options.onDiscard('duplicate_view')
    }
    this.#checkRoom(take, false)
    const appended = this.#append(take, 'view', [Buffer.from(JSON.stringify(view))])
    take.views.set(key, appended)
    try {
      await appended
      if (!take.sealed) take.views.set(key, undefined)
      this.#count(take)
    } catch (error) {
      take.views.delete(key)
      throw error
    }
  }

  /** Closes the takes for which nothing came for ten minutes, and those that are open for too long. */
  async sealSilent(): Promise<void> {
    const { runs, log, now } = this.#options
    const at = now()
    const closing: Promise<void>[] = []
    for (const take of runs.all()) {
      if (take.sealed || take.closing) continue
      take.lastAt = Math.min(take.lastAt, at) // the clock may have been ahead
      const isSilent = take.appending === 0 && take.lastAt <= at - SILENCE_TIMEOUT_MS
      if (isSilent && take.entries === 0 && take.frames === 0)
        runs.remove(take) // all of it was refused
      else if (isSilent || timeOf(take.origin.take) <= at - TAKE_MAX_AGE_MS)
        closing.push(this.#close(take, 'silence', log.append({ kind: 'silence', origin: take.origin, at })))
    }
    await Promise.all(closing)
  }

  /** Whether the run's session has ended: a repeat of its end then changes nothing. */
  hasEnded(runId: string): boolean {
    const { runs, log } = this.#options
    return runs.latest(runId)?.sealed === 'ended' || log.hasEnded(runId)
  }

  /** The take that is open, a new one if there is none; undefined when the session has ended; a promise while it closes. */
  #open(identity: RunIdentity): Take | undefined | Promise<void> {
    const { runs, now } = this.#options
    const take = runs.latest(identity.runId)
    if (take?.closing) return take.closing
    if (take && !take.sealed) return take
    if (this.hasEnded(identity.runId)) return undefined
    if (runs.isFull()) throw new LimitReached('memory')
    return runs.begin(identity, now())
  }

  async #append(take: Take, kind: Kind, payload: Buffer[]): Promise<void> {
    try {
      await this.#options.log.append(this.#recordOf(take, kind, payload))
    } finally {
      this.#appended(take)
    }
  }

  /** A record that is on its way until `#appended`. */
  #recordOf(take: Take, kind: Kind, payload: Buffer[]): NewRecord {
    const at = this.#options.now()
    take.lastAt = at
    take.appending += 1
    return { kind, origin: take.origin, at, payload }
  }

  #appended(take: Take): void {
    take.appending -= 1
    this.#settle(take)
  }

  /** When the record that closes the take is on disk it is closed; when it could not be written it stays open. */
  async #close(take: Take, seal: Seal, appended: Promise<void>): Promise<void> {
    const closed = Promise.withResolvers<void>()
    take.closing = closed.promise
    try {
      await appended
      take.sealed = seal
    } catch {
      // Told to whoever appended it.
    }
    take.closing = undefined
    closed.resolve()
    this.#settle(take)
  }

  #settle(take: Take): void {
    if (!take.sealed || take.appending > 0) return
    this.#options.runs.forgetEntries(take)
    this.#options.onSealed(take)
  }

  #checkRoom(take: Take, tooManySessions: boolean): void {
    if (tooManySessions || take.entries >= TAKE_ENTRIES_MAX) throw new LimitReached('run')
    if (this.#options.runs.entries >= ALL_ENTRIES_MAX) throw new LimitReached('memory')
  }

  #count(take: Take): void {
    take.entries += 1
    if (!take.sealed) this.#options.runs.hold(take)
  }
}
