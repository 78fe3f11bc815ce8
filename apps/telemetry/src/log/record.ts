import { crc32 } from 'node:zlib'

// A record of the log, little-endian:
//
//   magic    4 bytes   "TLR1": marks the start of a record, to find the next one after damage
//   length   4 bytes   of everything after the checksum
//   crc      4 bytes   CRC-32 of the length and everything after the checksum, seeded with the log's salt: a record that a
//                      client hides in its payload is then not read as one when the scan searches after damage
//   kind     1 byte
//   run, recording, organization  16 bytes each
//   at       8 bytes   when it was received, milliseconds since 1970 as a double
//   payload            by kind
//
// A recording is the data that one finalise writes: everything received for a run until it ended or fell silent. Data
// after a silence starts a new recording.

export const KINDS = {
  /** A media event, as JSON. */
  event: 1,
  /** A library view, as JSON. */
  view: 2,
  /**
   * A pose batch: number of frames and length of the metadata (2 bytes each), the metadata, the gzip member as
   * received.
   */
  pose: 3,
  /** The recording was closed by silence. */
  silence: 4,
  /** The recording is in the database and the object store, or was set aside: the log no longer needs it. */
  flushed: 5,
  /** The run has ended. Written again before the segment that says so is dropped. */
  ended: 6,
} as const
export type Kind = keyof typeof KINDS

/** Two logs, so that a flood of pose batches cannot delay the end of a session. */
export type LogName = 'control' | 'bulk'

export const logOf = (kind: Kind): LogName => (kind === 'pose' ? 'bulk' : 'control')

const isKind = (name: string): name is Kind => Object.hasOwn(KINDS, name)
const KIND_NAMES = new Map<number, Kind>(
  Object.keys(KINDS)
    .filter(isKind)
    .map((kind) => [KINDS[kind], kind]),
)

const MAGIC = Buffer.from('TLR1')
export const HEAD_BYTES = 12
const FIXED_BYTES = 57
const SMALL_BYTES = 1024
export const MAX_RECORD_BYTES = 1024 * 1024

export interface Origin {
  run: Buffer
  recording: Buffer
  organization: Buffer
  /** The recording's id as text, if known. */
  recordingId?: string
}

/** Copies the ids: the scanned record is a view into megabytes of memory. */
export const copyOf = ({ run, recording, organization }: Origin): Origin => ({
  run: Buffer.from(run),
  recording: Buffer.from(recording),
  organization: Buffer.from(organization),
})

export interface LogRecord extends Origin {
  kind: Kind
  at: number
  payload: Buffer
}

export interface NewRecord {
  kind: Kind
  origin: Origin
  at: number
  /** Parts, written as they are. */
  payload?: readonly Buffer[]
}

/** Returns the buffers to write in order: the head with a small first part, then the rest unchanged. */
export function encodeRecord({ kind, origin, at, payload = [] }: NewRecord, salt: number): Buffer[] {
  const [first] = payload
  const small = first && first.length <= SMALL_BYTES ? first : undefined
  const rest = small ? payload.slice(1) : payload
  const head = Buffer.allocUnsafe(HEAD_BYTES + FIXED_BYTES + (small?.length ?? 0))
  const length = FIXED_BYTES + bytesIn(payload)
  head.set(MAGIC, 0)
  head.writeUInt32LE(length, 4)
  head.writeUInt32LE(length, 8) // part of the checksum's input; overwritten by the checksum below
  head[12] = KINDS[kind]
  head.set(origin.run, 13)
  head.set(origin.recording, 29)
  head.set(origin.organization, 45)
  head.writeDoubleLE(at, 61)
  if (small) head.set(small, HEAD_BYTES + FIXED_BYTES)
  let crc = crc32(head.subarray(8), salt)
  for (const part of rest) crc = crc32(part, crc)
  head.writeUInt32LE(crc, 8)
  return [head, ...rest]
}

export const bytesIn = (parts: readonly Buffer[]): number => parts.reduce((sum, { length }) => sum + length, 0)

/** The length of the record that begins here, from its head; undefined when no record begins here. */
export function recordBytesAt(bytes: Buffer, at: number): number | undefined {
  if (bytes.length - at < HEAD_BYTES || bytes.compare(MAGIC, 0, 4, at, at + 4) !== 0) return undefined
  const length = bytes.readUInt32LE(at + 4)
  return length >= FIXED_BYTES && length <= MAX_RECORD_BYTES ? HEAD_BYTES + length : undefined
}

const checksum = (bytes: Buffer, length: number, salt: number): number =>
  crc32(bytes.subarray(HEAD_BYTES, HEAD_BYTES + length), crc32(bytes.subarray(4, 8), salt))

/**
 * Decodes the record; the result shares the memory of `bytes`. Returns undefined when the checksum or kind is wrong.
 */
export function decodeRecord(bytes: Buffer, salt: number): LogRecord | undefined {
  const length = bytes.length - HEAD_BYTES
  if (bytes.readUInt32LE(8) !== checksum(bytes, length, salt)) return undefined
  const kind = KIND_NAMES.get(bytes[12] ?? 0)
  if (kind === undefined) return undefined
  return {
    kind,
    run: bytes.subarray(13, 29),
    recording: bytes.subarray(29, 45),
    organization: bytes.subarray(45, 61),
    at: bytes.readDoubleLE(61),
    payload: bytes.subarray(HEAD_BYTES + FIXED_BYTES),
  }
}

/** Position of the next possible record at or after `from`; undefined if there is none in these bytes. */
export function nextMagic(bytes: Buffer, from: number): number | undefined {
  const at = bytes.indexOf(MAGIC, from)
  return at < 0 ? undefined : at
}
