import type { LibraryView, MediaEvent } from '@tendon/contracts'

// Payloads of log records, by kind. A payload that cannot be decoded although its checksum is right (a bug of another
// release) is undefined; only that record is lost.

const HEAD_BYTES = 4

export interface PosePayload {
  frames: number
  meta: Buffer
  gzip: Buffer
}

/**
 * Number of frames and length of the metadata (2 bytes each), the metadata as JSON, and the gzip member as received.
 */
export function encodePose({ frames, meta, gzip }: PosePayload): Buffer[] {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt16LE(frames, 0)
  head.writeUInt16LE(meta.length, 2)
  return meta.length > 0 ? [head, meta, gzip] : [head, gzip]
}

export function decodePose(payload: Buffer): PosePayload | undefined {
  if (payload.length < HEAD_BYTES) return undefined
  const metaEnd = HEAD_BYTES + payload.readUInt16LE(2)
  return {
    frames: payload.readUInt16LE(0),
    meta: payload.subarray(HEAD_BYTES, metaEnd),
    gzip: payload.subarray(metaEnd),
  }
}

export function decodeJson(payload: Buffer): object | undefined {
  try {
    const value: unknown = JSON.parse(payload.toString())
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

// Validated when received.
export const decodeEvent = (payload: Buffer) => decodeJson(payload) as MediaEvent | undefined
export const decodeView = (payload: Buffer) => decodeJson(payload) as LibraryView | undefined
