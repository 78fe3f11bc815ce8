// One side or both. Left and right that move at the same time are one repetition, in turns they are two. When the side that
// should move rests while the other moves, the camera may name them the wrong way round (some mirror the image before
// it is analysed, which points alone cannot tell), so nothing is measured.
import { type Confidence, type Doubt, MEASURED_CONFIDENCE } from './confidence.ts'
import type { PoseConfig } from './config.ts'
import type { Stretch } from './holds.ts'
import type { Side } from './landmarks.ts'
import type { Movement } from './levels.ts'
import { mean, sum } from './numbers.ts'

export interface SideMeasurement extends Confidence {
  side: Side
  /** From 0 to 1: how well its points were seen. */
  seen: number
  /** Of the smoothed angle, in degrees. */
  noise: number
  /** Seconds of the exercise without sight of the joint. */
  unseen_seconds: number
  movements: Movement[]
  holds: () => Stretch[]
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

/** Two sides that should agree do not. */
const DISAGREEING = 0.75

const isSound = ({ confidence }: Confidence): boolean => confidence >= MEASURED_CONFIDENCE

export function choose(wanted: PoseConfig['side'], left: SideMeasurement, right: SideMeasurement): Chosen {
  if (wanted === 'both') return chooseBoth(left, right)
  if (wanted === 'auto') return chooseMoving(left, right)
  const [one, other] = wanted === 'left' ? [left, right] : [right, left]
  if (isSound(one) && isSound(other) && other.movements.length > 2 * one.movements.length)
    return { side: one.side, sides: [one], confidence: 0, reason: 'other_side_moved' }
  return chosen(one)
}

const chosen = (one: SideMeasurement, confidence = one.confidence): Chosen => ({
  side: one.side,
  sides: [one],
  confidence,
  reason: isSound(one) ? null : one.doubt,
})

function chooseBoth(left: SideMeasurement, right: SideMeasurement): Chosen {
  const weaker = left.confidence <= right.confidence ? left : right
  const both: Chosen = {
    side: 'both',
    sides: [left, right],
    confidence: weaker.confidence,
    reason: isSound(weaker) ? null : weaker.doubt,
  }
  // At the same time: as many as the side with more. In turns: the sum.
  const counts = [left.movements.length, right.movements.length]
  const joined = movementsOf(both).length
  const agree = joined === Math.max(...counts) || joined === sum(counts)
  return agree ? both : { ...both, confidence: Math.min(both.confidence, DISAGREEING) }
}

/** The side that moves; when both do, the surer one. */
function chooseMoving(left: SideMeasurement, right: SideMeasurement): Chosen {
  const [one, other] = isBetter(left, right) ? [left, right] : [right, left]
  if (!isSound(one)) return chosen(one)
  // The other side may be the one that moved, unseen.
  if (one.movements.length === 0 && other.confidence < one.confidence)
    return { ...chosen(one, other.confidence), reason: isSound(other) ? null : other.doubt }
  const bothMoved = isSound(other) && other.movements.length > 0
  const agree = !bothMoved || one.movements.length === other.movements.length
  return chosen(one, agree ? one.confidence : Math.min(one.confidence, DISAGREEING))
}

function isBetter(one: SideMeasurement, other: SideMeasurement): boolean {
  if (isSound(one) !== isSound(other)) return isSound(one)
  if (!isSound(one)) return one.seen >= other.seen
  const [moved, otherMoved] = [one.movements.length > 0, other.movements.length > 0]
  if (moved !== otherMoved) return moved
  return one.confidence >= other.confidence
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
