import { type FileHandle, open } from 'node:fs/promises'

// Reads from an MP4 that we made: how many samples it has, and how its decoder is set up.

const CONTAINERS = new Set(['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf'])
const READ_MAX_BYTES = 64 * 1024 * 1024

interface Mp4Facts {
  samples: number
  /** From the header; 0 in a fragmented file. */
  seconds: number
  /** The `avcC` box: clips are joined without an encoder only when theirs are equal. */
  decoder: Buffer | undefined
}

export async function readMp4(path: string): Promise<Mp4Facts> {
  const facts: Mp4Facts = { samples: 0, seconds: 0, decoder: undefined }
  const file = await open(path)
  try {
    const { size } = await file.stat()
    for (let at = 0; at + 8 <= size; ) {
      const { type, bytes } = await header(file, at)
      if (bytes < 8) throw new Error('the file is damaged')
      if (type === 'moov' || type === 'moof') {
        if (bytes > READ_MAX_BYTES) throw new Error('the index of the file is too long')
        const content = Buffer.alloc(bytes - 8)
        await file.read(content, 0, content.length, at + 8)
        walk(content, facts)
      }
      at += bytes
    }
  } finally {
    await file.close()
  }
  return facts
}

async function header(file: FileHandle, at: number): Promise<{ type: string; bytes: number }> {
  const head = Buffer.alloc(16)
  await file.read(head, 0, 16, at)
  const type = head.toString('latin1', 4, 8)
  const short = head.readUInt32BE(0)
  return { type, bytes: short === 1 ? Number(head.readBigUInt64BE(8)) : short }
}

function walk(content: Buffer, facts: Mp4Facts): void {
  for (let at = 0; at + 8 <= content.length; ) {
    const bytes = content.readUInt32BE(at)
    if (bytes < 8) return
    const type = content.toString('latin1', at + 4, at + 8)
    const inside = content.subarray(at + 8, at + bytes)
    if (CONTAINERS.has(type)) walk(inside, facts)
    else if (type === 'stsz') facts.samples += inside.readUInt32BE(8)
    else if (type === 'trun') facts.samples += inside.readUInt32BE(4)
    else if (type === 'mvhd') facts.seconds = secondsIn(inside)
    else if (type === 'stsd') facts.decoder ??= decoderIn(inside)
    at += bytes
  }
}

/** Version 1 has longer times. */
function secondsIn(header: Buffer): number {
  return header[0] === 1
    ? Number(header.readBigUInt64BE(24)) / header.readUInt32BE(20)
    : header.readUInt32BE(16) / header.readUInt32BE(12)
}

function decoderIn(description: Buffer): Buffer | undefined {
  const at = description.indexOf('avcC')
  return at < 4 ? undefined : description.subarray(at + 4, at - 4 + description.readUInt32BE(at - 4))
}

/** The codec name that players use: `avc1.` and three bytes of its configuration. */
export const codecOf = (decoder: Buffer): string => `avc1.${decoder.toString('hex', 1, 4)}`
