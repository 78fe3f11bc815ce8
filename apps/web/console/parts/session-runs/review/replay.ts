import { decodeBatches, VALUES_PER_FRAME } from '@tendon/pose'

export interface ReplayFrames {
  /** Milliseconds of the run, ascending. */
  times: Float64Array
  /** 132 numbers for each frame. */
  landmarks: Float32Array
}

/** A frame is shown until the next one, at most for this time. */
const SHOWN_MS = 500

/** Loads and unpacks a replay. */
export async function loadReplay(url: string, signal: AbortSignal): Promise<ReplayFrames> {
  const response = await fetch(url, { signal, credentials: 'omit' })
  if (!response.ok || !response.body) throw new Error(`The replay cannot be loaded (${response.status}).`)
  const stream = response.body.pipeThrough(new DecompressionStream('gzip'))
  return framesIn(new Uint8Array(await new Response(stream).arrayBuffer()))
}

export function framesIn(bytes: Uint8Array): ReplayFrames {
  const frames: { time: number; values: Float32Array }[] = []
  for (const { timestamps, landmarks } of decodeBatches(bytes))
    timestamps.forEach((time, frame) =>
      frames.push({ time, values: landmarks.subarray(frame * VALUES_PER_FRAME, (frame + 1) * VALUES_PER_FRAME) }),
    )
  frames.sort((a, b) => a.time - b.time)
  const landmarks = new Float32Array(frames.length * VALUES_PER_FRAME)
  frames.forEach(({ values }, index) => landmarks.set(values, index * VALUES_PER_FRAME))
  return { times: Float64Array.from(frames, ({ time }) => time), landmarks }
}

/** The index of the frame at this time; -1 in a gap. */
export function frameAt({ times }: ReplayFrames, ms: number): number {
  let [low, high] = [0, times.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((times[middle] ?? 0) <= ms) low = middle + 1
    else high = middle
  }
  const index = low - 1
  return index >= 0 && ms - (times[index] ?? 0) <= SHOWN_MS ? index : -1
}
