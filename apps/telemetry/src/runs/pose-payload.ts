// The payload of a pose record: number of frames and length of the metadata (2 bytes each), the metadata as JSON, and the
// gzip member as it came.

const HEAD_BYTES = 4

export interface PosePayload {
  frames: number
  meta: Buffer
  gzip: Buffer
}

export function encodePose({ frames, meta, gzip }: PosePayload): Buffer[] {
  const head = Buffer.allocUnsafe(HEAD_BYTES)
  head.writeUInt16LE(frames, 0)
  head.writeUInt16LE(meta.length, 2)
  return meta.length > 0 ? [head, meta, gzip] : [head, gzip]
}

export function decodePose(payload: Buffer): PosePayload {
  const metaEnd = HEAD_BYTES + payload.readUInt16LE(2)
  return {
    frames: payload.readUInt16LE(0),
    meta: payload.subarray(HEAD_BYTES, metaEnd),
    gzip: payload.subarray(metaEnd),
  }
}
