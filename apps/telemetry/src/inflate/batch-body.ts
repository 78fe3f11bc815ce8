import { gunzipSync } from 'node:zlib'
import { BATCH_MAX_BYTES, type BatchProblem, checkBatch } from '@tendon/pose'

/** The smallest gzip member: head and tail, and nothing between. */
const GZIP_MIN_BYTES = 18

/** The batch inside a body, or undefined when it is not one gzip member of a possible size. Never makes more than a batch. */
export function inflateBody(body: Uint8Array): Buffer | undefined {
  if (body.length < GZIP_MIN_BYTES) return undefined
  // A member ends with the number of bytes it inflates to. It may lie, and is then found out: by the checksum before it, or
  // by having more than it said.
  const said = new DataView(body.buffer, body.byteOffset, body.byteLength).getUint32(body.length - 4, true)
  if (said === 0 || said > BATCH_MAX_BYTES) return undefined
  try {
    const bytes = gunzipSync(body, { maxOutputLength: said, chunkSize: Math.max(said, 64) })
    return bytes.length === said ? bytes : undefined
  } catch {
    return undefined
  }
}

/** The number of frames in a body, or what is wrong with it. */
export function checkBody(body: Uint8Array): number | BatchProblem {
  const bytes = inflateBody(body)
  return bytes ? checkBatch(bytes) : 'malformed_batch'
}
