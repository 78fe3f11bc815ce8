import type { LogFiles } from './files.ts'
import { bytesOf, timeOf, uuidOf } from './ids.ts'
import { Log, LogFull } from './log.ts'
import { copyOf, type LogName, type LogRecord, logOf, type NewRecord, type Origin } from './record.ts'
import { RecordingIndex } from './recording-index.ts'
import { segmentOf } from './segment.ts'
import type { Segment } from './segment-files.ts'
import { SetAsideFiles } from './set-aside-files.ts'

// The log of runs: everything that was acknowledged and is not finalised yet. Two logs, so that a flood of pose
// batches cannot delay the end of a session, and one file per recording that was set aside. The rest of the service
// only appends, reads a recording, sets it aside or finishes it.

/** How long an ended run is remembered, so that late data is dropped and does not start a new run. */
export const ENDED_RETENTION_MS = 6 * 60 * 60 * 1000
const MAX_ENDED_RUNS = 200_000
const ENDED_BATCH_SIZE = 100
/** A damaged segment is kept for inspection. */
const QUARANTINE_RETENTION_MS = 7 * 24 * 60 * 60 * 1000
/**
 * An active control segment that is no longer needed is replaced after this time, so that finalised data does not stay
 * on disk.
 */
const MAX_CONTROL_SEGMENT_AGE_MS = 60 * 60 * 1000
/** Space above the limit for the control log: media events are still accepted when pose batches are refused. */
const CONTROL_RESERVE = 1.1
/** File times may lag behind the clock by this much. */
const FILE_CLOCK_LAG_MS = 1_000
const AT_LIMIT = 'The log has reached TELEMETRY_LOG_MAX_MB.'
/** No segment has this number. */
const NO_SEGMENT = 0

interface RunLogOptions {
  files: LogFiles
  maxBytes: number
  segmentBytes?: number
  now: () => number
  elapsed?: () => number
  /** Called whenever data is refused for lack of space. */
  onFull?: (log: LogName, reason: string) => void
  onFailure: (error: Error) => void
}

interface Recovered {
  /** Recordings that had, or may have had, records in damaged segments. */
  damagedRecordings: Set<string>
  damagedSegments: number
}

interface Ended {
  origin: Origin
  at: number
  segment: number
}

export class RunLog {
  readonly #logs: Record<LogName, Log>
  readonly #aside: SetAsideFiles
  readonly #index = new RecordingIndex()
  readonly #ended = new Map<string, Ended>()
  readonly #options: RunLogOptions
  #tidying = Promise.resolve()

  constructor(options: RunLogOptions) {
    this.#options = options
    this.#aside = new SetAsideFiles(options.files)
    this.#logs = {
      control: this.#newLog('control'),
      bulk: this.#newLog('bulk'),
    }
  }

  /**
   * Reads everything, control log first, so that the marks of a recording are known before its frames. For a recording
   * that was set aside its own file counts, which is complete, and not its remains in the logs.
   */
  async recover(onRecord: (record: LogRecord) => void): Promise<Recovered> {
    const damaged: [LogName, Segment][] = []
    /** Finalised recordings → segments with their marks. */
    const released = new Map<string, number[]>()
    /** Recordings that were set aside when the process died, before the mark was written. */
    const unmarked = new Map<string, Origin>()
    await this.#aside.find()
    for (const name of ['control', 'bulk'] as const) {
      const numbers = await this.#logs[name].recover((record, place) => {
        const recordingId = uuidOf(record.recording)
        const marks = released.get(recordingId)
        if (name === 'bulk' && marks) return this.#index.addReleased(marks, place)
        const origin = { run: record.run, recording: record.recording, organization: record.organization, recordingId }
        const marked = this.#note(name, { ...record, origin, payload: [record.payload] }, place)
        if (marked) released.set(recordingId, [...(marks ?? []), ...marked])
        if (!this.#aside.has(recordingId)) onRecord(record)
        else if (marked) unmarked.delete(recordingId)
        else if (record.kind !== 'ended' && !unmarked.has(recordingId)) unmarked.set(recordingId, copyOf(record))
      })
      for (const segment of this.#logs[name].segments())
        if (numbers.includes(segment.number)) damaged.push([name, segment])
    }
    const damagedRecordings = this.#recordingsIn(damaged)
    for (const recording of unmarked.keys()) damagedRecordings.delete(recording)
    for (const recording of await this.#aside.recover(onRecord)) damagedRecordings.add(recording)
    for (const origin of unmarked.values()) await this.#release(origin, this.#options.now(), false)
    return { damagedRecordings, damagedSegments: damaged.length }
  }

  /** The owner of an unreadable record is unknown: it may belong to any recording that began before it was written. */
  #recordingsIn(damaged: readonly [LogName, Segment][]): Set<string> {
    return new Set(
      [...this.#index.recordings()].filter((recording) =>
        damaged.some(
          ([name, { number, changedAt }]) =>
            timeOf(bytesOf(recording)) <= changedAt + FILE_CLOCK_LAG_MS || this.#index.hasIn(name, recording, number),
        ),
      ),
    )
  }

  /** The record is on disk when this resolves. Throws `LogFull` or `LogFailed`. */
  append(record: NewRecord): Promise<void> {
    const name = logOf(record.kind)
    return this.#logs[name].append(record, (place) => this.#note(name, record, place))
  }

  /** Yields the records of a recording in the order they were acknowledged; undefined for one that cannot be read. */
  async *read(name: LogName, recording: string): AsyncGenerator<LogRecord | undefined> {
    if (this.#aside.has(recording)) yield* this.#aside.read(name, recording)
    else for (const place of this.#index.places(name, recording)) yield await this.#logs[name].read(place)
  }

  /**
   * Copies a closed recording to a file of its own, then releases it in the logs. Returns how many of its records
   * could not be read.
   */
  async setAside(
    origin: Origin,
    at: number,
    { ended, damaged }: { ended: boolean; damaged: boolean },
  ): Promise<number> {
    const id = uuidOf(origin.recording)
    const unreadable = await this.#aside.put({ origin, records: this.#readAll(id), damaged })
    await this.#release(origin, at, ended)
    return unreadable
  }

  async *#readAll(recording: string): AsyncGenerator<LogRecord | undefined> {
    yield* this.read('control', recording)
    yield* this.read('bulk', recording)
  }

  isSetAside(recording: string): boolean {
    return this.#aside.has(recording)
  }

  get recordingsSetAside(): number {
    return this.#aside.size
  }

  /** Removes a finalised recording. */
  async finish(origin: Origin, at: number, ended: boolean): Promise<void> {
    await this.#aside.remove(uuidOf(origin.recording))
    // Release again after setting aside: the process may have died before it wrote that the run has ended.
    await this.#release(origin, at, ended)
  }

  /**
   * A full disk does not prevent this: a restart that finds the recording in the log also finds it in the database or
   * in its file.
   */
  async #release(origin: Origin, at: number, ended: boolean): Promise<void> {
    const payload = [Buffer.from([ended ? 1 : 0])]
    try {
      await this.append({ kind: 'flushed', origin, at, payload })
    } catch (error) {
      if (!(error instanceof LogFull)) throw error
      this.#index.release(uuidOf(origin.recording))
      if (ended) this.#remember(uuidOf(origin.run), { origin, at, segment: NO_SEGMENT })
    }
  }

  hasEnded(run: string): boolean {
    return this.#ended.has(run)
  }

  #newLog(name: LogName): Log {
    const { onFull, ...options } = this.#options
    return new Log({ ...options, name, onFull: (reason) => onFull?.(name, reason) })
  }

  /** Why nothing can be appended now. */
  refusal(name: LogName): 'full' | 'failed' | undefined {
    if (this.#logs[name].failed) return 'failed'
    if (this.#isAtLimit(name)) this.#options.onFull?.(name, AT_LIMIT)
    return this.#logs[name].isFull() || this.#isAtLimit(name) ? 'full' : undefined
  }

  /** Why appends are refused for lack of space, for reports; undefined when they are not. */
  fullReason(name: LogName): string | undefined {
    return this.#isAtLimit(name) ? AT_LIMIT : this.#logs[name].fullReason
  }

  #isAtLimit(name: LogName): boolean {
    return this.bytes >= this.#options.maxBytes * (name === 'control' ? CONTROL_RESERVE : 1)
  }

  get bytes(): number {
    return this.#logs.control.bytes + this.#logs.bulk.bytes
  }

  oldestWaitMs(name: LogName): number {
    return this.#logs[name].oldestWaitMs()
  }

  /** Drops segments that are no longer needed. Ended runs that are still remembered are written again first. */
  tidy(): Promise<void> {
    this.#tidying = this.#tidying.catch(() => {}).then(() => this.#tidy())
    return this.#tidying
  }

  async #tidy(): Promise<void> {
    for (const name of ['bulk', 'control'] as const) {
      for (const segment of this.#logs[name].segments()) {
        // Checked immediately before dropping: the segment may have received records while the one before was dropped.
        if (!this.#isDroppable(name, segment)) continue
        if (this.#logs[name].isActive(segment) && !this.#logs[name].retire()) continue
        if (name === 'control') await this.#rewriteEnded(segment)
        await this.#logs[name].drop(segment)
        this.#index.dropped(name, segment.number)
      }
    }
  }

  /** In small batches: neither one sync per run, nor a long queue in front of client requests. */
  async #rewriteEnded({ number }: Segment): Promise<void> {
    const since = this.#options.now() - ENDED_RETENTION_MS
    const kept: Ended[] = []
    for (const [run, ended] of this.#ended) {
      if (ended.segment !== number) continue
      if (ended.at < since) this.#ended.delete(run)
      else kept.push(ended)
    }
    while (kept.length > 0)
      await Promise.all(
        kept.splice(0, ENDED_BATCH_SIZE).map(({ origin, at }) => this.append({ kind: 'ended', origin, at })),
      )
  }

  async close(): Promise<void> {
    await this.#tidying.catch(() => {})
    await Promise.all([this.#logs.control.close(), this.#logs.bulk.close()])
    this.#options.files.release()
  }

  #isDroppable(name: LogName, segment: Segment): boolean {
    const log = this.#logs[name]
    if (segment.bytes === 0 || this.#index.isNeeded(name, segment.number)) return false
    const age = this.#options.now() - segment.changedAt
    if (segment.quarantined) return age > QUARANTINE_RETENTION_MS
    return name === 'bulk' || !log.isActive(segment) || age > MAX_CONTROL_SEGMENT_AGE_MS
  }

  /** Returns the segments with marks of the recording when it is released. */
  #note(name: LogName, { kind, origin, at, payload }: NewRecord, place: number): number[] | undefined {
    if (kind === 'ended' || (kind === 'flushed' && payload?.[0]?.[0] === 1)) {
      this.#remember(uuidOf(origin.run), { origin: copyOf(origin), at, segment: segmentOf(place) })
    }
    if (kind === 'ended') return undefined
    const id = origin.recordingId ?? uuidOf(origin.recording)
    this.#index.add(name, id, place)
    return kind === 'flushed' ? this.#index.release(id) : undefined
  }

  #remember(run: string, ended: Ended): void {
    this.#ended.delete(run)
    this.#ended.set(run, ended)
    const [oldest] = this.#ended.keys()
    if (this.#ended.size > MAX_ENDED_RUNS && oldest !== undefined) this.#ended.delete(oldest)
  }
}
