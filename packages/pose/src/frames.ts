// Frames come in any order, and some twice. They are kept in slots of 20 ms: of a slot the earliest frame stays, of equal
// times the first that came. So they lie sorted and without repeats, and memory is bounded by the length of the run,
// whatever a client sends. Of a frame only the points of its exercise are kept: the angle on the left and on the right.
import { type PoseBatch, VALUES_PER_FRAME, VALUES_PER_LANDMARK } from './codec.ts'
import type { PoseConfig } from './config.ts'
import { angleOn, landmarkIndex } from './landmarks.ts'
import { countUpTo } from './numbers.ts'

/** When a media item was the current one, in milliseconds since the session started. `to_ms` null: until the end. */
export interface MediaSpan {
  media_id: string
  from_ms: number
  to_ms: number | null
}

/** Frames later than this are not kept. */
const MEASURED_HOURS_MAX = 2

const SLOT_MS = 20
const CHUNK_SLOTS = 60_000 / SLOT_MS
const SLOTS_MAX = (MEASURED_HOURS_MAX * 3_600_000) / SLOT_MS
const POINTS = 6
/** x, y, z and visibility of three points on the left, then of three on the right. */
export const KEPT_VALUES = POINTS * VALUES_PER_LANDMARK

export const slotOf = (time_ms: number): number => Math.floor(time_ms / SLOT_MS)

interface Chunk {
  /** Time of the frame in each slot, and one; zero where there is none. */
  times: Uint32Array
  values: Float32Array
}

export interface Frame {
  time_ms: number
  values: Float32Array
}

export interface FrameSlots {
  add(batch: PoseBatch): void
  /** In the order of their times. */
  between(from_ms: number, to_ms: number): Generator<Frame>
  /** Time of the last frame, zero when there is none. */
  last(): number
}

export function createFrameSlots(spans: readonly MediaSpan[], configs: ReadonlyMap<string, PoseConfig>): FrameSlots {
  const chunks = new Map<number, Chunk>()
  const picks = new Map([...configs].map(([media_id, config]) => [media_id, picksOf(config)]))
  const ordered = [...spans].sort((a, b) => a.from_ms - b.from_ms)
  const starts = ordered.map(({ from_ms }) => from_ms)
  let latest = 0

  function picksAt(time: number): number[] | undefined {
    const span = ordered[countUpTo(starts, time) - 1]
    return span && (span.to_ms === null || time < span.to_ms) ? picks.get(span.media_id) : undefined
  }

  return {
    add({ timestamps, landmarks }) {
      for (let frame = 0; frame < timestamps.length; frame += 1) {
        const time = timestamps[frame] ?? 0
        const slot = slotOf(time)
        const picked = slot < SLOTS_MAX ? picksAt(time) : undefined
        if (!picked) continue
        latest = Math.max(latest, time)
        const chunk = chunkOf(chunks, slot)
        const place = slot % CHUNK_SLOTS
        const held = chunk.times[place] ?? 0
        if (held !== 0 && held <= time + 1) continue
        chunk.times[place] = time + 1
        for (let value = 0; value < KEPT_VALUES; value += 1)
          chunk.values[place * KEPT_VALUES + value] =
            landmarks[frame * VALUES_PER_FRAME + (picked[value >> 2] ?? 0) * VALUES_PER_LANDMARK + (value & 3)] ?? 0
      }
    },

    *between(from_ms, to_ms) {
      const end = Math.min(to_ms, latest + 1)
      for (let slot = Math.floor(Math.max(from_ms, 0) / SLOT_MS); slot * SLOT_MS < end; slot += 1) {
        const chunk = chunks.get(Math.floor(slot / CHUNK_SLOTS))
        const place = slot % CHUNK_SLOTS
        const time_ms = chunk ? (chunk.times[place] ?? 0) - 1 : -1
        if (chunk && time_ms >= from_ms && time_ms < end)
          yield { time_ms, values: chunk.values.subarray(place * KEPT_VALUES, (place + 1) * KEPT_VALUES) }
      }
    },

    last: () => latest,
  }
}

/** Of 33 landmarks those of the angle on the left, then on the right. */
export const picksOf = ({ primary_angle }: PoseConfig): number[] =>
  [...angleOn('left', primary_angle), ...angleOn('right', primary_angle)].map(landmarkIndex)

function chunkOf(chunks: Map<number, Chunk>, slot: number): Chunk {
  const key = Math.floor(slot / CHUNK_SLOTS)
  const chunk = chunks.get(key) ?? {
    times: new Uint32Array(CHUNK_SLOTS),
    values: new Float32Array(CHUNK_SLOTS * KEPT_VALUES),
  }
  chunks.set(key, chunk)
  return chunk
}
