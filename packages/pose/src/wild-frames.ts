// Noise and wild frames. A movement can be told from its neighbours in time, noise cannot: how far a frame lies from the cubic
// through the two before and the two after gives the size of the noise. A frame much further off is wild (a point jumped
// elsewhere for a moment) and left out, as is one that has no neighbours to confirm it.
import { at, median } from './numbers.ts'

/** Neighbours further apart say nothing about the frame between them. */
const NEIGHBOURS_MAX_SECONDS = 1.5
const NEIGHBOURS = [-2, -1, 1, 2]
const MEDIAN_TO_DEVIATION = 1.4826
const WILD_MIN_DEGREES = 8
/** Of a length in several dimensions, which is less often far from its median than a single number. */
const WILD_DEVIATIONS = 3
/** With few frames a second a fast movement is also off the cubic, by some of the way that the neighbours travel. */
const WILD_SHARE_OF_WAY = 0.2
/** Wild frames side by side are found one after the other. */
const ROUNDS_MAX = 4

export interface Tamed {
  /** Indices of the frames that stay. */
  kept: Int32Array
  /** Share of the frames that were wild. */
  wild: number
}

/** `values`, in degrees, has `width` numbers for each time. */
export function withoutWild(seconds: Float64Array, values: Float64Array, width: number): Tamed {
  const first = surprises(seconds, values, width)
  const least = Math.max(WILD_MIN_DEGREES, WILD_DEVIATIONS * noiseOf(first.off))
  const confirmed = Int32Array.from(seconds.keys()).filter((frame) => !Number.isNaN(at(first.off, frame)))
  let kept = confirmed.filter((frame) => !isWild(first, frame, least))
  for (let before = confirmed.length, round = 1; kept.length < before && round < ROUNDS_MAX; round += 1) {
    before = kept.length
    const again = surprises(pick(seconds, kept, 1), pick(values, kept, width), width)
    kept = kept.filter((_, index) => !isWild(again, index, least))
  }
  return { kept, wild: confirmed.length === 0 ? 0 : 1 - kept.length / confirmed.length }
}

/** Further off than its neighbours, too: they suffer from the wild one between them. */
function isWild({ off, way }: Surprises, frame: number, least: number): boolean {
  const size = at(off, frame)
  if (!(size > Math.max(least, WILD_SHARE_OF_WAY * at(way, frame)))) return false
  for (let other = frame - 2; other <= frame + 2; other += 1) if ((off[other] ?? 0) > size) return false
  return true
}

export function pick(from: Float64Array, frames: Int32Array, width: number): Float64Array {
  const picked = new Float64Array(frames.length * width)
  frames.forEach((frame, index) => picked.set(from.subarray(frame * width, (frame + 1) * width), index * width))
  return picked
}

interface Surprises {
  /** How far each frame lies from what its neighbours say, on the scale of its own noise. NaN at the ends and at gaps. */
  off: Float64Array
  /** How far its neighbours lie from each other. */
  way: Float64Array
}

export function surprises(seconds: Float64Array, values: Float64Array, width: number): Surprises {
  const off = new Float64Array(seconds.length).fill(Number.NaN)
  const way = new Float64Array(seconds.length)
  const weights = new Float64Array(NEIGHBOURS.length)
  for (let frame = 2; frame < seconds.length - 2; frame += 1) {
    if (at(seconds, frame + 2) - at(seconds, frame - 2) > NEIGHBOURS_MAX_SECONDS) continue
    const spread = weigh(seconds, frame, weights)
    let [squares, farthest] = [0, 0]
    for (let value = 0; value < width; value += 1) {
      let [expected, low, high] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
      for (let one = 0; one < NEIGHBOURS.length; one += 1) {
        const there = at(values, (frame + (NEIGHBOURS[one] ?? 0)) * width + value)
        expected += at(weights, one) * there
        low = Math.min(low, there)
        high = Math.max(high, there)
      }
      squares += (at(values, frame * width + value) - expected) ** 2
      farthest += (high - low) ** 2
    }
    off[frame] = Math.sqrt(squares / spread)
    way[frame] = Math.sqrt(farthest)
  }
  return { off, way }
}

/** The weights of the neighbours in the cubic's value at the frame. Returns one and the sum of their squares. */
function weigh(seconds: Float64Array, frame: number, weights: Float64Array): number {
  let spread = 1
  for (let one = 0; one < NEIGHBOURS.length; one += 1) {
    let weight = 1
    for (const other of NEIGHBOURS) {
      if (other === NEIGHBOURS[one]) continue
      const there = at(seconds, frame + other)
      weight *= (at(seconds, frame) - there) / (at(seconds, frame + (NEIGHBOURS[one] ?? 0)) - there)
    }
    weights[one] = weight
    spread += weight * weight
  }
  return spread
}

/** Standard deviation of the noise; a few wild frames do not raise it. */
export function noiseOf(off: Float64Array): number {
  const known = off.filter((one) => !Number.isNaN(one))
  return known.length === 0 ? 0 : median(known) * MEDIAN_TO_DEVIATION
}
