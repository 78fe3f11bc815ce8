import type { LogFile } from './files.ts'
import { decodeRecord, HEAD_BYTES, type LogRecord, MAX_RECORD_BYTES, nextMagic, recordBytesAt } from './record.ts'

// Reads a segment from its start. A tail torn off in the middle of a write is cut; it was never acknowledged. A record
// with a wrong checksum, or bad bytes followed by good records, is damage: everything readable before and after it is
// kept, and the segment is reported as damaged.

const WINDOW_BYTES = 4 * MAX_RECORD_BYTES
const TYPICAL_RECORD_BYTES = 16 * 1024

export interface Scanned {
  /** The segment is good up to here; the rest was torn off. */
  goodBytes: number
  damaged: boolean
}

interface SegmentContent {
  file: Pick<LogFile, 'read'>
  bytes: number
  salt: number
  /** The last segment of a log, the only one that can have a torn tail. */
  isLast: boolean
}

export async function scanSegment(
  { file, bytes, salt, isLast }: SegmentContent,
  onRecord: (record: LogRecord, offset: number) => void,
): Promise<Scanned> {
  const window = new Window(file, bytes, salt)
  let damaged = false
  let at = 0
  while (at < bytes) {
    if (!window.covers(at)) await window.load(at)
    const { record, length } = window.recordAt(at)
    if (record) {
      onRecord(record, at)
      at += length
      continue
    }
    const next = await nextRecord(window, at, length)
    if (next === undefined && isLast && length === 0) return { goodBytes: at, damaged }
    damaged = true
    if (next === undefined) break
    at = next
  }
  return { goodBytes: bytes, damaged }
}

/** Reads the record at a place; undefined when it cannot be read any more. */
export async function readRecord(
  file: Pick<LogFile, 'read'>,
  offset: number,
  salt: number,
): Promise<LogRecord | undefined> {
  const usual = Buffer.allocUnsafe(TYPICAL_RECORD_BYTES)
  const got = usual.subarray(0, await file.read(usual, offset))
  const length = recordBytesAt(got, 0)
  if (length === undefined) return undefined
  if (length <= got.length) return decodeRecord(got.subarray(0, length), salt)
  const whole = Buffer.allocUnsafe(length)
  const all = await file.read(whole, offset)
  return all === length ? decodeRecord(whole, salt) : undefined
}

/** Finds the next good record: right after the bad one if its length is right, otherwise by searching. */
async function nextRecord(window: Window, bad: number, length: number): Promise<number | undefined> {
  if (length > 0) {
    await window.load(bad + length)
    if (window.recordAt(bad + length).record) return bad + length
  }
  let at = bad + 1
  while (at < window.fileBytes) {
    await window.load(at)
    for (let found = window.find(at); found !== undefined; found = window.find(found + 1)) {
      if (!window.covers(found)) await window.load(found)
      if (window.recordAt(found).record) return found
    }
    at = window.end
  }
  return undefined
}

/** The part of a file around the scan position. */
class Window {
  readonly fileBytes: number
  readonly #file: Pick<LogFile, 'read'>
  readonly #salt: number
  #buffer = Buffer.alloc(0)
  #start = 0

  constructor(file: Pick<LogFile, 'read'>, fileBytes: number, salt: number) {
    this.#file = file
    this.fileBytes = fileBytes
    this.#salt = salt
  }

  /** The next position to search: an incomplete head may begin at the end of this part. */
  get end(): number {
    const end = this.#start + this.#buffer.length
    return end >= this.fileBytes ? this.fileBytes : end - HEAD_BYTES
  }

  /** Whether any record that begins there is completely in the buffer. */
  covers(at: number): boolean {
    const end = this.#start + this.#buffer.length
    return at >= this.#start && (at + MAX_RECORD_BYTES <= end || end >= this.fileBytes)
  }

  async load(at: number): Promise<void> {
    // A new buffer: records handed out share the memory of the old one.
    const buffer = Buffer.allocUnsafeSlow(Math.max(0, Math.min(WINDOW_BYTES, this.fileBytes - at)))
    this.#buffer = buffer.subarray(0, await this.#file.read(buffer, at))
    this.#start = at
  }

  /** `length` is 0 when the buffer has fewer bytes than the record announces. */
  recordAt(at: number): { record?: LogRecord | undefined; length: number } {
    const from = at - this.#start
    const length = recordBytesAt(this.#buffer, from)
    if (length === undefined || from + length > this.#buffer.length) return { length: 0 }
    return { record: decodeRecord(this.#buffer.subarray(from, from + length), this.#salt), length }
  }

  /** Finds the next possible record in this part. */
  find(at: number): number | undefined {
    const found = nextMagic(this.#buffer, at - this.#start)
    return found === undefined ? undefined : this.#start + found
  }
}
