// @ts-check
import { createRequire } from 'node:module'

// The process of inspect.ts: it asks for the bytes that it wants to see, and answers once. It may write nothing, so Node can
// keep nothing compiled for it: plain JavaScript and the library in one file let it start in a third of the time.

/** @import { Answer, Asked, Facts, Kind } from './inspect.ts' */

/** @type {typeof import('mediabunny')} */
const { CustomSource, EncodedPacketSink, Input, MP3, MP4, QTFF, WEBM } = createRequire(import.meta.url)('mediabunny')

/** @type {((bytes: Uint8Array) => void)[]} */
const waiting = []
process.on('message', (/** @type {Uint8Array} */ bytes) => waiting.shift()?.(bytes))
const say = (/** @type {Asked | Answer} */ message) => process.send?.(message)

/**
 * What is asked first is answered first.
 * @type {(start: number, end: number) => Promise<Uint8Array>}
 */
function read(start, end) {
  return new Promise((resolve) => {
    waiting.push(resolve)
    say({ start, end: end - 1 })
  })
}

/** @type {(kind: Kind, bytes: number) => Promise<Facts | null>} */
async function look(kind, bytes) {
  // As over a network: each read goes through two processes.
  const source = new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'network' })
  const input = new Input({ formats: kind === 'mp3' ? [MP3] : [MP4, QTFF, WEBM], source })
  if (kind === 'mp3') {
    const sound = await input.getPrimaryAudioTrack()
    return sound && { seconds: await sound.computeDuration(), width: 0, height: 0, has_sound: true }
  }
  const track = await input.getPrimaryVideoTrack()
  // What stands at the beginning of a file tells of its end, which may be missing.
  const last = track && (await new EncodedPacketSink(track).getPacket(Infinity))
  if (!track || !last) return null
  return {
    seconds: await input.computeDuration(),
    width: track.displayWidth,
    height: track.displayHeight,
    has_sound: (await input.getPrimaryAudioTrack()) !== null,
  }
}

const kind = process.argv[3] === 'mp3' ? 'mp3' : 'video'
say({ facts: await look(kind, Number(process.argv[2])).catch(() => null) })
process.disconnect()
