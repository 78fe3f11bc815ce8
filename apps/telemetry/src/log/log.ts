import type { LogFiles } from './files.ts'
import { bytesIn, encodeRecord, type LogRecord, type NewRecord } from './record.ts'
import { placeOf, SEGMENT_BYTES } from './segment.ts'
import { type OnRecord, type Segment, SegmentFiles } from './segment-files.ts'
import { isDiskFull, isShortOfFiles, writeAll } from './write-all.ts'

// An append-only log. Appends wait in a queue; one group at a time is written and synced, and every append of the group is
// answered then: the slower the disk, the larger the groups. A full disk, or a segment that cannot be begun for want of
// descriptors or memory, refuses a group and is tried again with a later one. Any other failure to write or sync is the end
// of the log: what is on disk is then unknown, and only a restart, which reads it, can tell.

export class LogFull extends Error {
  override name = 'LogFull'
}
export class LogFailed extends Error {
  override name = 'LogFailed'
}

const GROUP_MAX_RECORDS = 300
const GROUP_MAX_BYTES = 8 * 1024 * 1024
/** After a full disk, appends are refused at once for so long. */
const FULL_PAUSE_MS = 1_000

interface Waiting {
  parts: Buffer[]
  bytes: number
  since: number
  onPlace: (place: number) => void
  resolve: () => void
  reject: (error: Error) => void
}

export interface LogOptions {
  files: LogFiles
  name: string
  segmentBytes?: number
  now: () => number
  /** Milliseconds of a clock that never goes back. */
  elapsed?: () => number
  /** Called once, when the log can no longer be trusted. */
  onFailure: (error: Error) => void
}

export class Log {
  readonly #segments: SegmentFiles
  readonly #elapsed: () => number
  readonly #onFailure: (error: Error) => void
  #queue: Waiting[] = []
  #group: Waiting[] = []
  #flushing: Promise<void> | undefined
  #failure: Error | undefined
  #fullUntil = Number.NEGATIVE_INFINITY

  constructor({ files, name, segmentBytes = SEGMENT_BYTES, now, elapsed, onFailure }: LogOptions) {
    this.#segments = new SegmentFiles(files, name, segmentBytes, now)
    this.#elapsed = elapsed ?? (() => performance.now())
    this.#onFailure = onFailure
  }

  /** To be called once, before anything else. Gives the numbers of the segments that are damaged. */
  recover(onRecord: OnRecord): Promise<number[]> {
    return this.#segments.recover(onRecord)
  }

  /** Resolves once the record is on disk. `onPlace` is called just then, before anything else can look at the segment. */
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

  /** Ends the active segment, so that it can be dropped. Not while something is being written. */
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

  get failed(): boolean {
    return this.#failure !== undefined
  }

  get bytes(): number {
    return this.#segments.bytes
  }

  /** How long the oldest append waits that is not on disk yet. */
  oldestWaitMs(): number {
    const oldest = this.#group[0] ?? this.#queue[0]
    return oldest ? this.#elapsed() - oldest.since : 0
  }

  /** Answers every append up to now, then closes the files. */
  async close(): Promise<void> {
    while (this.#flushing) await this.#flushing
    this.#failure ??= new LogFailed('The log is closed.')
    await this.#segments.close()
  }

  async #flush(): Promise<void> {
    // What else arrives in this turn of the event loop goes along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      this.#group = this.#nextGroup()
      try {
        let place = await this.#write(this.#group)
        for (const { bytes, onPlace, resolve } of this.#group) {
          onPlace(place)
          resolve()
          place += bytes
        }
      } catch (error) {
        this.#refuse(error as Error)
      }
      this.#group = []
    }
    this.#flushing = undefined
  }

  #nextGroup(): Waiting[] {
    let bytes = 0
    let count = 0
    for (const waiting of this.#queue) {
      if (count === GROUP_MAX_RECORDS || bytes >= GROUP_MAX_BYTES) break
      bytes += waiting.bytes
      count += 1
    }
    return this.#queue.splice(0, count)
  }

  async #write(group: Waiting[]): Promise<number> {
    const { segment, file } = await this.#segments.writable().catch((error: unknown) => {
      throw isShortOfFiles(error) ? new LogFull('No file can be opened.', { cause: error }) : error
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

  #refuse(error: Error): void {
    if (error instanceof LogFull || isDiskFull(error)) {
      this.#fullUntil = this.#elapsed() + FULL_PAUSE_MS
      const refused = error instanceof LogFull ? error : new LogFull('The disk is full.', { cause: error })
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
