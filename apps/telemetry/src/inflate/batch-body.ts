import { gunzipSync } from 'node:zlib'
import { isObject } from '@tendon/contracts'
import { BATCH_MAX_BYTES, type BatchProblem, checkBatch } from '@tendon/pose'

// A body is one gzip member, which ends with a checksum and its inflated length. Both may be wrong and are checked;
// never inflates more than a batch can have.

/** The smallest gzip member: header and trailer without content. */
const MIN_GZIP_BYTES = 18
const MAGIC = [0x1f, 0x8b, 8] as const

export type Checked = number | BatchProblem

/** Returns the batch inside a body; undefined when it is not one gzip member of a possible size. */
export function inflateBody(body: Uint8Array): Buffer | undefined {
  const said = bytesSaid(body)
  return said === undefined ? undefined : inflate(body, said)
}

/** Returns the number of frames in a body, or what is wrong with it. */
export function checkBody(body: Uint8Array): Checked {
  const bytes = inflateBody(body)
  return bytes ? checkBatch(bytes) : 'malformed_batch'
}

/** What Node returns with `info`, which is missing in its types. */
interface Inflated {
  buffer: Buffer
  engine: { bytesWritten: number }
}

const isInflated = (value: unknown): value is Inflated =>
  isObject(value) &&
  Buffer.isBuffer(value.buffer) &&
  isObject(value.engine) &&
  typeof value.engine.bytesWritten === 'number'

/**
 * Returns the content if it has this length and nothing follows it: Node ignores trailing bytes that begin with a
 * zero.
 */
function inflate(bytes: Uint8Array, length: number): Buffer | undefined {
  try {
    const options = { maxOutputLength: length, chunkSize: Math.max(length, 64), info: true }
    const inflated: unknown = gunzipSync(bytes, options)
    if (!isInflated(inflated)) return undefined
    const { buffer, engine } = inflated
    return buffer.length === length && engine.bytesWritten === bytes.length ? buffer : undefined
  } catch {
    return undefined
  }
}

/** The inflated length from the gzip trailer; undefined when no batch can have it. */
function bytesSaid(body: Uint8Array): number | undefined {
  const { length } = body
  if (length < MIN_GZIP_BYTES || MAGIC.some((byte, at) => body[at] !== byte)) return undefined
  const said = new DataView(body.buffer, body.byteOffset, length).getUint32(length - 4, true)
  return said > 0 && said <= BATCH_MAX_BYTES ? said : undefined
}
