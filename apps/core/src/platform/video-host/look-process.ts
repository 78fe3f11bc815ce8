import { CustomSource, EncodedPacketSink, Input, MP4, QTFF, WEBM } from 'mediabunny'
import type { Answer, Asked, Facts } from './look.ts'

// The process of look.ts: it asks for the bytes that it wants to see, and answers once.

const waiting: ((bytes: Uint8Array) => void)[] = []
process.on('message', (bytes: Uint8Array) => waiting.shift()?.(bytes))
const say = (message: Asked | Answer) => process.send?.(message)

/** What is asked first is answered first. */
function read(start: number, end: number): Promise<Uint8Array> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array>()
  waiting.push(resolve)
  say({ start, end: end - 1 })
  return promise
}

async function look(bytes: number): Promise<Facts | null> {
  // As over a network: each read goes through two processes.
  const source = new CustomSource({ getSize: () => bytes, read, prefetchProfile: 'network' })
  const input = new Input({ formats: [MP4, QTFF, WEBM], source })
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

say({ facts: await look(Number(process.argv[2])).catch(() => null) })
process.disconnect()
