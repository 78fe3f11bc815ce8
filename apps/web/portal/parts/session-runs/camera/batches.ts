import { compressBatch, VALUES_PER_FRAME } from '@tendon/pose'

const BATCH_MS = 1_000
/** Smaller differences are noise, which does not compress. */
const PLACES = 1_024

/** Rounds before measuring and sending, so that browser and server use the same numbers. */
export const rounded = (values: ArrayLike<number>): Float32Array =>
  Float32Array.from({ length: VALUES_PER_FRAME }, (_, index) => Math.round((values[index] ?? 0) * PLACES) / PLACES)

export interface Batches {
  add(at_ms: number, values: Float32Array): void
  /** Emits the last, incomplete batch. */
  flush(): Promise<void>
}

/** Collects frames into batches of about a second, compresses them and emits them in order. */
export function createBatches(handOver: (bytes: Uint8Array<ArrayBuffer>, frames: number) => void): Batches {
  let frames: { at_ms: number; values: Float32Array }[] = []
  let last = Promise.resolve()

  function flush(): Promise<void> {
    const now = frames
    frames = []
    if (now.length > 0) last = last.then(() => pack(now))
    return last
  }

  async function pack(batch: typeof frames): Promise<void> {
    const landmarks = new Float32Array(batch.length * VALUES_PER_FRAME)
    batch.forEach(({ values }, index) => landmarks.set(values, index * VALUES_PER_FRAME))
    const timestamps = Uint32Array.from(batch, ({ at_ms }) => at_ms)
    const seconds = Math.max(0.2, ((timestamps.at(-1) ?? 0) - (timestamps[0] ?? 0)) / 1000)
    const bytes = await compressBatch({ fpsHint: Math.round(batch.length / seconds), landmarks, timestamps })
    handOver(new Uint8Array(bytes), batch.length)
  }

  return {
    add(at_ms, values) {
      frames.push({ at_ms, values })
      if (at_ms - (frames[0]?.at_ms ?? 0) >= BATCH_MS) void flush()
    },
    flush,
  }
}
