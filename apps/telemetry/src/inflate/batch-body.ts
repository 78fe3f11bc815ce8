import { crc32, gunzipSync } from 'node:zlib'
import { BATCH_MAX_BYTES, type BatchProblem, checkBatch } from '@tendon/pose'

// A body is one gzip member. It ends with a checksum and the number of bytes it inflates to. Both may lie, and are then found
// out; but no more is ever made of a body than a batch can have.

/** The smallest gzip member: head and tail, and nothing between. */
const GZIP_MIN_BYTES = 18
const MAGIC = [0x1f, 0x8b, 8] as const

/** The batch inside a body, or undefined when it is not one gzip member of a possible size. */
export function inflateBody(body: Uint8Array): Buffer | undefined {
  const said = bytesSaid(body)
  return said === undefined ? undefined : inflate(body, said)
}

/** The number of frames in a body, or what is wrong with it. */
export function checkBody(body: Uint8Array): number | BatchProblem {
  const bytes = inflateBody(body)
  return bytes ? checkBatch(bytes) : 'malformed_batch'
}

/**
 * As `checkBody` of each, in about two thirds of the time: members one after the other are gzip, too, and to set up an
 * inflater costs as much as to use it. Each part must then have the length and the checksum that its own body ends with, so
 * nobody's body passes for what others sent; if anything is wrong with any, each is looked at alone.
 */
export function checkBodies(bodies: readonly Uint8Array[]): (number | BatchProblem)[] {
  const said = bodies.map(bytesSaid)
  if (bodies.length > 1 && said.every((bytes) => bytes !== undefined)) {
    const all = inflate(
      Buffer.concat(bodies),
      said.reduce((sum, bytes) => sum + bytes, 0),
    )
    let at = 0
    const parts = all && said.map((bytes) => all.subarray(at, (at += bytes)))
    if (parts?.every((part, index) => crc32(part) === checksumSaid(bodies[index] ?? part))) return parts.map(checkBatch)
  }
  return bodies.map(checkBody)
}

function inflate(bytes: Uint8Array, length: number): Buffer | undefined {
  try {
    const inflated = gunzipSync(bytes, { maxOutputLength: length, chunkSize: Math.max(length, 64) })
    return inflated.length === length ? inflated : undefined
  } catch {
    return undefined
  }
}

function bytesSaid(body: Uint8Array): number | undefined {
  if (body.length < GZIP_MIN_BYTES || MAGIC.some((byte, at) => body[at] !== byte)) return undefined
  const said = viewOf(body).getUint32(body.length - 4, true)
  return said > 0 && said <= BATCH_MAX_BYTES ? said : undefined
}

const checksumSaid = (body: Uint8Array): number => viewOf(body).getUint32(body.length - 8, true)

const viewOf = (body: Uint8Array) => new DataView(body.buffer, body.byteOffset, body.byteLength)
