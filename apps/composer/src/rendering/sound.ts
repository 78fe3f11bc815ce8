import { createWriteStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { FRAMES_PER_SECOND, SAMPLES_PER_SECOND, SAMPLES_PER_SOUND_FRAME } from './profile.ts'

// The sound track is made without an encoder: AAC frames of the voice-overs and of silence in a row. The end of each piece
// is rounded to the nearest frame of the whole track, so that errors do not add up.

const HEADER_BYTES = 7

/** The ADTS frames of a file. */
function adtsFrames(bytes: Buffer): Buffer[] {
  const frames: Buffer[] = []
  for (let at = 0; at + HEADER_BYTES <= bytes.length; ) {
    if (bytes[at] !== 0xff || ((bytes[at + 1] ?? 0) & 0xf0) !== 0xf0) throw new Error('the sound is damaged')
    const length = (bytes.readUIntBE(at + 3, 3) >> 5) & 0x1fff
    if (length < HEADER_BYTES || at + length > bytes.length) break
    frames.push(bytes.subarray(at, at + length))
    at += length
  }
  return frames
}

/** The first sound frame after so many pictures. */
const soundFrameAt = (pictures: number): number =>
  Math.round((pictures / FRAMES_PER_SECOND) * (SAMPLES_PER_SECOND / SAMPLES_PER_SOUND_FRAME))

interface SoundPiece {
  /** ADTS. */
  path: string
  /** Pictures that it lasts. */
  pictures: number
}

/** Writes the track and gives the number of its frames. */
export async function joinSound(pieces: readonly SoundPiece[], silence: Buffer, to: string): Promise<number> {
  const known = new Map<string, Buffer[]>()
  const framesOf = async (path: string) => {
    const frames = known.get(path) ?? adtsFrames(await readFile(path))
    known.set(path, frames)
    return frames
  }
  let written = 0
  async function* track() {
    let pictures = 0
    for (const piece of pieces) {
      pictures += piece.pictures
      const end = soundFrameAt(pictures)
      const frames = await framesOf(piece.path)
      const parts = Array.from({ length: end - written }, (_, n) => frames[n] ?? silence)
      written = end
      yield Buffer.concat(parts)
    }
  }
  await pipeline(track, createWriteStream(to, { mode: 0o600 }))
  return written
}

/** One frame from the middle of a second of silence: the first ones hold the encoder's start. */
export async function silentFrame(path: string): Promise<Buffer> {
  const frame = adtsFrames(await readFile(path))[10]
  if (!frame) throw new Error('silence has no frame')
  return frame
}
