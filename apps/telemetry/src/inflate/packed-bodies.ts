import { randomBytes } from 'node:crypto'
import { constants, gzipSync } from 'node:zlib'
import { checkBatch } from '@tendon/pose'
import { bytesSaid, type Checked, checkBody, inflate } from './batch-body.ts'

// Many bodies as one piece of gzip, since members one after the other are gzip, too, and to set up an inflater costs as much as
// to use it. After each body stands a divider: a member with a secret that nobody outside knows. When all dividers come out
// where they must, each was read as a member of its own; so each body began and ended where it says, with the checksum of its
// own, and nobody's body passes for what others sent.
//
// Two things make sure of that. The secret is written in a code of its own (Huffman, with symbols that are secret, too): a body
// that reads on and takes the divider for its content finds the secret nowhere in it, so references back cannot repeat it, as
// they can repeat anything else until its checksum cancels out. Whoever ends a block just where the divider's begins has the
// secret decoded, but ends there with it: it is the last block, and the length after it is the secret's alone. And a body in
// which a second member may begin is looked at alone: the head of the divider could fall into that one's.

const SYMBOLS = 12
const SECRET_BYTES = 64
/** How a last block begins that brings its own code. */
const LAST_WITH_OWN_CODE = 0b101
const GZIP_HEAD_BYTES = 10
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b, 8])

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
  const symbols = randomBytes(SYMBOLS)
  const secret = Buffer.from(randomBytes(SECRET_BYTES).map((byte) => symbols[byte % SYMBOLS] ?? 0))
  const member = gzipSync(secret, { strategy: constants.Z_HUFFMAN_ONLY })
  return isHidden(secret, member) ? { secret, member } : newDivider()
}

/** Not three bytes of it, the fewest that a reference repeats, stand in the member as they are. */
function isHidden(secret: Buffer, member: Buffer): boolean {
  if (((member[GZIP_HEAD_BYTES] ?? 0) & 0b111) !== LAST_WITH_OWN_CODE) return false
  return secret.every((_, at) => at + 3 > secret.length || !member.includes(secret.subarray(at, at + 3)))
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
    if (length === undefined || mayHoldAnother(body)) return undefined
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

const mayHoldAnother = ({ buffer, byteOffset, length }: Uint8Array): boolean =>
  Buffer.from(buffer, byteOffset, length).includes(GZIP_MAGIC, 1)
