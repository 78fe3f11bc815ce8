import { randomBytes } from 'node:crypto'
import type { LogFile, LogFiles } from './files.ts'
import type { LogRecord } from './record.ts'
import { readRecord, scanSegment } from './scan.ts'
import { nameOf, offsetOf, parseName, placeOf, type SegmentName, segmentOf } from './segment.ts'

const OPEN_FILES_MAX = 16

export interface Segment extends SegmentName {
  bytes: number
  /** When it was begun; of one found at the start, when it was last written. */
  changedAt: number
}

export type OnRecord = (record: LogRecord, place: number) => void

/** The segments of one log on disk: found, read, begun and dropped. Which records wait for them is the log's business. */
export class SegmentFiles {
  readonly #files: LogFiles
  readonly #log: string
  readonly #segmentBytes: number
  readonly #now: () => number
  readonly #segments = new Map<number, Segment>()
  readonly #open = new Map<number, Promise<LogFile>>()
  #active: Segment | undefined
  #last = 0
  /** Of all segments together. */
  bytes = 0
  salt = randomBytes(4).readUInt32LE()

  constructor(files: LogFiles, log: string, segmentBytes: number, now: () => number) {
    this.#now = now
    this.#files = files
    this.#log = log
    this.#segmentBytes = segmentBytes
  }

  /** Reads every segment, oldest first. A torn tail is cut. Gives the numbers of those that are damaged. */
  async recover(onRecord: OnRecord): Promise<number[]> {
    const found = (await this.#files.list())
      .flatMap(({ name, ...entry }) => {
        const parsed = parseName(name)
        return parsed?.log === this.#log ? [{ ...parsed, ...entry }] : []
      })
      .sort((a, b) => a.number - b.number)
    const damaged: number[] = []
    for (const segment of found) {
      this.#segments.set(segment.number, segment)
      this.#last = segment.number
      this.salt = segment.salt
      this.bytes += segment.bytes
      if (await this.#isDamaged(segment, segment === found.at(-1), onRecord)) damaged.push(segment.number)
    }
    const last = found.at(-1)
    if (last) {
      // What a killed process had written but not synced is read all the same, so it must stay.
      await (await this.#fileOf(last)).sync()
      if (!last.quarantined) this.#active = last
    }
    return damaged
  }

  /** A damaged segment is renamed, read as long as it is needed, and never written again. */
  async #isDamaged(segment: Segment, isLast: boolean, onRecord: OnRecord): Promise<boolean> {
    const { number, bytes, salt, quarantined } = segment
    const file = await this.#fileOf(segment)
    const { goodBytes, damaged } = await scanSegment(
      { file, bytes, salt, isLast: isLast && !quarantined },
      (record, offset) => onRecord(record, placeOf(number, offset)),
    )
    if (quarantined) return true
    if (damaged) {
      await this.#close(number)
      await this.#files.rename(nameOf(segment), nameOf({ ...segment, quarantined: true }))
      segment.quarantined = true
    } else if (goodBytes < bytes) {
      await file.truncate(goodBytes)
      this.grew(segment, goodBytes - bytes)
    }
    return damaged
  }

  /** The segment that takes the next group: a new one when there is none, or when it has its size. */
  async writable(): Promise<{ segment: Segment; file: LogFile }> {
    if (!this.#active || this.#active.bytes >= this.#segmentBytes) {
      this.#last += 1
      const segment = {
        log: this.#log,
        number: this.#last,
        salt: this.salt,
        quarantined: false,
        bytes: 0,
        changedAt: this.#now(),
      }
      const file = await this.#files.create(nameOf(segment))
      this.#segments.set(segment.number, segment)
      this.#open.set(segment.number, Promise.resolve(file))
      this.#active = segment
    }
    return { segment: this.#active, file: await this.#fileOf(this.#active) }
  }

  /** Undefined when it can no longer be read. */
  async read(place: number): Promise<LogRecord | undefined> {
    const segment = this.#segments.get(segmentOf(place))
    return segment && readRecord(await this.#fileOf(segment), offsetOf(place), segment.salt)
  }

  all(): Segment[] {
    return [...this.#segments.values()]
  }

  isActive = (segment: Segment): boolean => segment === this.#active

  /** Nothing more is written to the active segment: the next group begins a new one. */
  retire(): void {
    this.#active = undefined
  }

  async drop({ number }: Segment): Promise<void> {
    const segment = this.#segments.get(number)
    if (!segment) return
    await this.#close(number)
    await this.#files.remove(nameOf(segment))
    this.#segments.delete(number)
    this.bytes -= segment.bytes
  }

  grew(segment: Segment, bytes: number): void {
    segment.bytes += bytes
    this.bytes += bytes
  }

  async close(): Promise<void> {
    for (const number of this.#open.keys()) await this.#close(number)
  }

  /** Opened at the first use; the one unused for longest is closed when many are open. */
  #fileOf(segment: Segment): Promise<LogFile> {
    const { number } = segment
    const file = this.#open.get(number) ?? this.#opened(segment)
    this.#open.delete(number)
    this.#open.set(number, file)
    const oldest = [...this.#open.keys()].find((open) => open !== this.#active?.number)
    if (this.#open.size > OPEN_FILES_MAX && oldest !== undefined) void this.#close(oldest).catch(() => {})
    return file
  }

  /** One that could not be opened is tried again the next time. */
  #opened(segment: Segment): Promise<LogFile> {
    const file = this.#files.open(nameOf(segment))
    file.catch(() => {
      if (this.#open.get(segment.number) === file) this.#open.delete(segment.number)
    })
    return file
  }

  async #close(number: number): Promise<void> {
    const file = this.#open.get(number)
    this.#open.delete(number)
    await (await file?.catch(() => undefined))?.close()
  }
}
