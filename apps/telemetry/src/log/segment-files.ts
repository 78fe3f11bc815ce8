import { randomBytes } from 'node:crypto'
import type { LogFile, LogFiles } from './files.ts'
import type { LogRecord } from './record.ts'
import { readRecord, scanSegment } from './scan.ts'
import { nameOf, offsetOf, parseName, placeOf, type SegmentName, segmentOf } from './segment.ts'

const MAX_OPEN_FILES = 16

export interface Segment extends SegmentName {
  bytes: number
  /** When it was created; for a segment found at the start, when it was last written. */
  changedAt: number
}

export type OnRecord = (record: LogRecord, place: number) => void

/** The segments of one log on disk: finds, reads, creates and drops them. */
export class SegmentFiles {
  readonly #files: LogFiles
  readonly #log: string
  readonly #segmentBytes: number
  readonly #now: () => number
  readonly #segments = new Map<number, Segment>()
  readonly #open = new Map<number, Promise<LogFile>>()
  #active: Segment | undefined
  #last = 0
  /** Total of all segments. */
  bytes = 0
  salt = randomBytes(4).readUInt32LE()

  constructor(files: LogFiles, log: string, segmentBytes: number, now: () => number) {
    this.#now = now
    this.#files = files
    this.#log = log
    this.#segmentBytes = segmentBytes
  }

  /** Reads every segment, oldest first. Cuts a torn tail. Returns the numbers of damaged segments. */
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
      // Sync what a killed process wrote without a sync: it has been read, so it must stay.
      await (await this.#fileOf(last)).sync()
      if (!last.quarantined) this.#active = last
    }
    return damaged
  }

  /** Renames a damaged segment. It is read as long as it is needed and never written again. */
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

  /** The segment for the next group: a new one when there is none or the active one is full. */
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

  /** Returns undefined when the record cannot be read any more. */
  async read(place: number): Promise<LogRecord | undefined> {
    const segment = this.#segments.get(segmentOf(place))
    return segment && readRecord(await this.#fileOf(segment), offsetOf(place), segment.salt)
  }

  all(): Segment[] {
    return [...this.#segments.values()]
  }

  isActive = (segment: Segment): boolean => segment === this.#active

  /** Ends the active segment: the next group starts a new one. */
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

  /** Opens files on first use; closes the least recently used one when many are open. */
  #fileOf(segment: Segment): Promise<LogFile> {
    const { number } = segment
    const file = this.#open.get(number) ?? this.#opened(segment)
    this.#open.delete(number)
    this.#open.set(number, file)
    const oldest = [...this.#open.keys()].find((open) => open !== this.#active?.number)
    if (this.#open.size > MAX_OPEN_FILES && oldest !== undefined) void this.#close(oldest).catch(() => {})
    return file
  }

  /** A file that could not be opened is tried again next time. */
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
