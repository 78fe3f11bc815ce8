import type { LogFiles } from './files.ts'
import { bytesIn, encodeRecord, type LogRecord, type NewRecord } from './record.ts'
import { placeOf, SEGMENT_BYTES } from './segment.ts'
import { type OnRecord, type Segment, SegmentFiles } from './segment-files.ts'
import { isDiskFull, isShortOfFiles, writeAll } from './write-all.ts'

// An append-only log. Appends wait in a queue; one group at a time is written and synced, and then all its appends are
// acknowledged: the slower the disk, the larger the groups. A full disk, or a segment that cannot be created for lack
// of descriptors or memory, refuses the group; later groups try again. Any other failure to write or sync ends the
// log: the content on disk is then unknown until a restart reads it.

export class LogFull extends Error {
  override name = 'LogFull'
}
export class LogFailed extends Error {
  override name = 'LogFailed'
}

const MAX_GROUP_RECORDS = 300
const MAX_GROUP_BYTES = 8 * 1024 * 1024
/** How long a refusal is reported when no later append succeeds. Bounded, because without traffic none would. */
const FULL_REPORT_MS = 30_000
/** After a full disk, appends are refused without trying for this long. */
const FULL_RETRY_DELAY_MS = 1_000

interface Waiting {
  parts: Buffer[]
  bytes: number
  since: number
  onPlace: (place: number) => void
  resolve: () => void
  reject: (error: Error) => void
}

interface LogOptions {
  files: LogFiles
  name: string
  segmentBytes?: number
  now: () => number
  /** Milliseconds of a monotonic clock. */
  elapsed?: () => number
  /** Called for each group that is refused for lack of space or descriptors. */
  onFull?: (reason: string) => void
  /** Called once, when the log has failed. */
  onFailure: (error: Error) => void
}

export class Log {
  readonly #segments: SegmentFiles
  readonly #elapsed: () => number
  readonly #onFull: (reason: string) => void
  readonly #onFailure: (error: Error) => void
  #queue: Waiting[] = []
  #group: Waiting[] = []
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  #fullUntil = Number.NEGATIVE_INFINITY
  #refused: { reason: string; at: number } | undefined

  constructor({ files, name, segmentBytes = SEGMENT_BYTES, now, elapsed, onFull, onFailure }: LogOptions) {
    this.#segments = new SegmentFiles(files, name, segmentBytes, now)
    this.#elapsed = elapsed ?? (() => performance.now())
    this.#onFull = onFull ?? (() => {})
    this.#onFailure = onFailure
  }

  /** Must be called once, before anything else. Returns the numbers of damaged segments. */
  recover(onRecord: OnRecord): Promise<number[]> {
    return this.#segments.recover(onRecord)
  }

  /**
   * Resolves once the record is on disk. `onPlace` is called synchronously then, before anything else can look at the
   * segment.
   */
  append(record: NewRecord, onPlace: (place: number) => void): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure)
    if (this.isFull()) return Promise.reject(new LogFull('The disk is full.'))
    return new Promise((resolve, reject) => {
      const parts = encodeRecord(record, this.#segments.salt)
      this.#queue.push({ parts, bytes: bytesIn(parts), since: this.#elapsed(), onPlace, resolve, reject })
      this.#flushing ??= this.#flush()
    })
  }

  read(place: number): Promise<LogRecord | undefined> {
    return this.#segments.read(place)
  }

  segments(): Segment[] {
    return this.#segments.all()
  }

  isActive(segment: Segment): boolean {
    return this.#segments.isActive(segment)
  }

  /** Ends the active segment, so that it can be dropped. Returns false while something is being written. */
  retire(): boolean {
    if (this.#flushing) return false
    this.#segments.retire()
    return true
  }

  drop(segment: Segment): Promise<void> {
    return this.#segments.drop(segment)
  }

  isFull(): boolean {
    return this.#elapsed() < this.#fullUntil
  }

  /** Why the last append was refused; undefined when it succeeded or was long ago. */
  get fullReason(): string | undefined {
    const recent = this.#refused && this.#elapsed() - this.#refused.at < FULL_REPORT_MS
    return recent ? this.#refused?.reason : undefined
  }

  get failed(): boolean {
    return this.#failure !== undefined
  }

  get bytes(): number {
    return this.#segments.bytes
  }

  /** How long the oldest append that is not on disk yet has waited. */
  oldestWaitMs(): number {
    const oldest = this.#group[0] ?? this.#queue[0]
    return oldest ? this.#elapsed() - oldest.since : 0
  }

  /** Completes all pending appends, then closes the files. */
  async close(): Promise<void> {
    while (this.#flushing) await this.#flushing
    this.#failure ??= new LogFailed('The log is closed.')
    await this.#segments.close()
  }

  async #flush(): Promise<void> {
    // Appends of the same event loop turn join the group.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      this.#group = this.#nextGroup()
      try {
        let place = await this.#write(this.#group)
        this.#refused = undefined
        for (const { bytes, onPlace, resolve } of this.#group) {
          onPlace(place)
          resolve()
          place += bytes
        }
      } catch (error) {
        this.#refuse(error)
      }
      this.#group = []
    }
    this.#flushing = undefined
  }

  #nextGroup(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      if (count === MAX_GROUP_RECORDS || bytes >= MAX_GROUP_BYTES) break
      bytes += waiting.bytes
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  async #write(group: Waiting[]): Promise<number> {
    const { segment, file } = await this.#segments.writable().catch((error: unknown) => {
      throw isShortOfFiles(error) ? new LogFull('The limit of open files is reached.', { cause: error }) : error
    })
    const start = segment.bytes
    const written = await writeAll(
      file,
      group.flatMap(({ parts }) => parts),
      start,
    )
    await file.sync().catch((error: Error) => {
      throw new LogFailed('The log could not be synced.', { cause: error })
    })
    this.#segments.grew(segment, written)
    return placeOf(segment.number, start)
  }

  #refuse(error: unknown): void {
    if (error instanceof LogFull || isDiskFull(error)) {
      this.#fullUntil = this.#elapsed() + FULL_RETRY_DELAY_MS
      const refused = error instanceof LogFull ? error : new LogFull('The disk is full.', { cause: error })
      this.#refused = { reason: refused.message, at: this.#elapsed() }
      this.#onFull(refused.message)
      for (const { reject } of this.#group) reject(refused)
      return
    }
    this.#failure =
      error instanceof LogFailed ? error : new LogFailed('The log could not be written.', { cause: error })
    for (const { reject } of [...this.#group, ...this.#queue]) reject(this.#failure)
    this.#queue = []
    this.#onFailure(this.#failure)
  }
}
