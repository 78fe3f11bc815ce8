import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { checkBatch } from '@tendon/pose'
import { bytesSaid, type Checked, checkBody, inflate } from './batch-body.ts'

// Many bodies as one piece of gzip, since members one after the other are gzip, too, and to set up an inflater costs as much as
// to use it. After each body stands a divider: a member with a secret that nobody outside knows. When all dividers come out
// where they must, each was read as a member of its own; so each body began and ended where it says, with the checksum of its
// own, and nobody's body passes for what others sent. (A body that reads on into the divider would need the checksum of the
// secret.)

const SECRET_BYTES = 16

export interface Divider {
  secret: Uint8Array
  member: Uint8Array
}

export interface Packed {
  bytes: Uint8Array<ArrayBuffer>
  /** Of each body, without its divider. */
  lengths: number[]
}

export function newDivider(): Divider {
  const secret = randomBytes(SECRET_BYTES)
  return { secret, member: gzipSync(secret, { level: 0 }) }
}

export function packBodies(bodies: readonly Uint8Array[], { member }: Divider): Packed {
  const lengths = bodies.map(({ length }) => length)
  const total = lengths.reduce((sum, length) => sum + length + member.length, 0)
  // Memory of its own, which can be handed over to a thread.
  const bytes = Buffer.allocUnsafeSlow(total)
  let at = 0
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.length
    bytes.set(member, at)
    at += member.length
  }
  return { bytes, lengths }
}

/** As `checkBody` of each, in about two thirds of the time; if anything is wrong with any, each is looked at alone. */
export function checkPacked(packed: Packed, divider: Divider): Checked[] {
  const bodies = unpack(packed, divider)
  return checkTogether(packed.bytes, bodies, divider) ?? bodies.map(checkBody)
}

function unpack({ bytes, lengths }: Packed, { member }: Divider): Uint8Array[] {
  let at = 0
  return lengths.map((length) => {
    const body = bytes.subarray(at, at + length)
    at += length + member.length
    return body
  })
}

function checkTogether(bytes: Uint8Array, bodies: Uint8Array[], { secret }: Divider): Checked[] | undefined {
  let total = 0
  const said: number[] = []
  for (const body of bodies) {
    const length = bytesSaid(body)
    if (length === undefined) return undefined
    said.push(length)
    total += length + secret.length
  }
  const all = inflate(bytes, total)
  if (!all) return undefined
  const checked: Checked[] = []
  let at = 0
  for (const length of said) {
    const end = at + length
    if (all.compare(secret, 0, secret.length, end, end + secret.length) !== 0) return undefined
    checked.push(checkBatch(all.subarray(at, end)))
    at = end + secret.length
  }
  return checked
}
