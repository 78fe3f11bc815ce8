// One side or both. Left and right that move at the same time are one repetition, in turns they are two. When the side that
// should move rests while the other moves, the camera may name them the wrong way round (some mirror the image before
// it is analysed, which points alone cannot tell), so nothing is measured.
import { type Confidence, type Doubt, MEASURED_CONFIDENCE } from './confidence.ts'
import type { PoseConfig } from './config.ts'
import type { Stretch } from './holds.ts'
import type { Side } from './landmarks.ts'
import { mean } from './numbers.ts'
import type { Movement } from './repetitions.ts'

export interface SideMeasurement extends Confidence {
  side: Side
  movements: Movement[]
  holds: Stretch[]
}

export interface SidedMovement extends Movement {
  side: Side | 'both'
}

export interface Chosen {
  side: Side | 'both'
  sides: SideMeasurement[]
  confidence: number
  /** Why nothing is measured. */
  reason: Doubt | 'other_side_moved' | null
}

const soundOr = <Reason>(confidence: number, reason: Reason): Reason | null =>
  confidence >= MEASURED_CONFIDENCE ? null : reason

export function choose(wanted: PoseConfig['side'], left: SideMeasurement, right: SideMeasurement): Chosen {
  if (wanted === 'both') {
    const weaker = left.confidence <= right.confidence ? left : right
    return {
      side: 'both',
      sides: [left, right],
      confidence: weaker.confidence,
      reason: soundOr(weaker.confidence, weaker.doubt),
    }
  }
  const one = wanted === 'auto' ? moving(left, right) : wanted === 'left' ? left : right
  const other = one === left ? right : left
  const chosen = { side: one.side, sides: [one], confidence: one.confidence }
  if (soundOr(one.confidence, one.doubt)) return { ...chosen, reason: one.doubt }
  // The other side may be the one that moved, unseen.
  if (wanted === 'auto' && one.movements.length === 0 && other.confidence < one.confidence)
    return { ...chosen, confidence: other.confidence, reason: soundOr(other.confidence, other.doubt) }
  const otherMoved =
    soundOr(other.confidence, other.doubt) === null && other.movements.length > 2 * one.movements.length
  if (wanted !== 'auto' && otherMoved) return { ...chosen, confidence: 0, reason: 'other_side_moved' }
  return { ...chosen, reason: null }
}

/** Of the sides that are sound the one with more repetitions, then the one that is better seen. */
function moving(left: SideMeasurement, right: SideMeasurement): SideMeasurement {
  const sound = [left, right].filter(({ confidence }) => confidence >= MEASURED_CONFIDENCE)
  const better = (a: SideMeasurement, b: SideMeasurement) => (b.confidence > a.confidence ? b : a)
  const [first, second] = sound
  if (!first || !second) return first ?? better(left, right)
  if (first.movements.length !== second.movements.length)
    return first.movements.length > second.movements.length ? first : second
  return better(first, second)
}

/** In the order of their starts. */
export function movementsOf({ sides }: Chosen): SidedMovement[] {
  const all = sides
    .flatMap(({ side, movements }) => movements.map((movement): SidedMovement => ({ ...movement, side })))
    .sort((a, b) => a.start_seconds - b.start_seconds)
  const joined: SidedMovement[] = []
  for (const movement of all) {
    const last = joined.at(-1)
    if (last && last.side !== 'both' && last.side !== movement.side && together(last, movement))
      joined[joined.length - 1] = both(last, movement)
    else joined.push(movement)
  }
  return joined
}

/** The peak of each within the other. */
const together = (a: Movement, b: Movement): boolean =>
  a.peak_seconds >= b.start_seconds &&
  a.peak_seconds <= b.end_seconds &&
  b.peak_seconds >= a.start_seconds &&
  b.peak_seconds <= a.end_seconds

const both = (a: SidedMovement, b: SidedMovement): SidedMovement => ({
  ...a,
  side: 'both',
  end_seconds: Math.max(a.end_seconds, b.end_seconds),
  peak_degrees: mean([a.peak_degrees, b.peak_degrees]),
  range_degrees: mean([a.range_degrees, b.range_degrees]),
})

/** The smaller mean range ÷ the larger; null unless both sides moved. */
export function symmetryOf({ sides }: Chosen): number | null {
  const [left, right] = sides.map(({ movements }) => movements.map(({ range_degrees }) => range_degrees))
  if (!left?.length || !right?.length) return null
  return Math.min(mean(left), mean(right)) / Math.max(mean(left), mean(right))
}
