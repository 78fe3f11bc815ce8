import { type Checked, checkBody } from './batch-body.ts'

// Copies many bodies into one buffer that can be transferred to a thread.

export interface Packed {
  bytes: Uint8Array<ArrayBuffer>
  lengths: number[]
}

export function packBodies(bodies: readonly Uint8Array[]): Packed {
  const lengths = bodies.map(({ length }) => length)
  // Its own memory: a slice of another buffer cannot be transferred.
  const bytes = Buffer.allocUnsafeSlow(lengths.reduce((sum, length) => sum + length, 0))
  let at = 0
  for (const body of bodies) {
    bytes.set(body, at)
    at += body.length
  }
  return { bytes, lengths }
}

export function checkPacked({ bytes, lengths }: Packed): Checked[] {
  let at = 0
  return lengths.map((length) => {
    at += length
    return checkBody(bytes.subarray(at - length, at))
  })
}
