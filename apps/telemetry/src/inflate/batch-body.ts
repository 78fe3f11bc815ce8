import { gunzipSync } from 'node:zlib'
import { BATCH_MAX_BYTES, type BatchProblem, checkBatch } from '@tendon/pose'

// A body is one gzip member. It ends with a checksum and the number of bytes it inflates to. Both may lie, and are then found
// out; but no more is ever made of a body than a batch can have.

/** The smallest gzip member: head and tail, and nothing between. */
const GZIP_MIN_BYTES = 18
const MAGIC = [0x1f, 0x8b, 8] as const

export type Checked = number | BatchProblem

/** The batch inside a body, or undefined when it is not one gzip member of a possible size. */
export function inflateBody(body: Uint8Array): Buffer | undefined {
  const said = bytesSaid(body)
  return said === undefined ? undefined : inflate(body, said)
}

/** The number of frames in a body, or what is wrong with it. */
export function checkBody(body: Uint8Array): Checked {
  const bytes = inflateBody(body)
  return bytes ? checkBatch(bytes) : 'malformed_batch'
}

/** What Node gives with `info`, which its types do not know. */
interface Inflated {
  buffer: Buffer
  engine: { bytesWritten: number }
}

/** The content when it has this length, and nothing stands after it: Node passes over what begins with a zero. */
function inflate(bytes: Uint8Array, length: number): Buffer | undefined {
  try {
    const options = { maxOutputLength: length, chunkSize: Math.max(length, 64), info: true }
    const { buffer, engine } = gunzipSync(bytes, options) as unknown as Inflated
    return buffer.length === length && engine.bytesWritten === bytes.length ? buffer : undefined
  } catch {
    return undefined
  }
}

/** The length of the batch as the end of the body tells it; undefined when no batch has it. */
function bytesSaid(body: Uint8Array): number | undefined {
  const { length } = body
  if (length < GZIP_MIN_BYTES || MAGIC.some((byte, at) => body[at] !== byte)) return undefined
  const said = new DataView(body.buffer, body.byteOffset, length).getUint32(length - 4, true)
  return said > 0 && said <= BATCH_MAX_BYTES ? said : undefined
}
