// How far a measurement can be trusted: as far as its weakest part. Below one half nothing is measured; from 0.8 on it is
// sure. A number is sure only when nothing that was seen makes another number possible:
//
// - visibility: the mean over all frames, where a frame below the minimum counts as zero;
// - coverage: the share of the exercise's time with sight of the joint;
// - missing frames: a pause between frames long enough to hide a turn of the movement, at the pace of this patient;
// - steadiness: noise against the range, and whether thresholds shifted by the noise give the same count.
import type { Curve } from './angles.ts'
import { at, median, within } from './numbers.ts'
import { type Count, jumps, type Movement } from './repetitions.ts'

export const MEASURED_CONFIDENCE = 0.5
export const SURE_CONFIDENCE = 0.8

export type Doubt = 'low_visibility' | 'low_coverage' | 'unsteady'

export interface Confidence {
  confidence: number
  /** Its weakest part, or the cause of that. */
  doubt: Doubt
}

/** What can still be told when something may have been missed. */
const DOUBTFUL = 0.75
const COVERED_SECONDS_MAX = 0.5
/** Nobody has finished a repetition so soon after an exercise began. */
const START_SECONDS = 1
const REPETITION_SECONDS_USUAL = 3
/** The first and last frames go unconfirmed, which at 5 a second is more than half a second. */
const END_SECONDS_MIN = 0.75
/** With more of a turn unseen, its height is a guess. */
const TURN_UNSEEN_SHARE_MAX = 0.7
const NOISE_WEIGHT = 8
const WILD_WEIGHT = 8

export interface Evidence {
  visibility: number
  curve: Curve
  /** Time of the exercise. */
  total_seconds: number
  /** Times that left and right changed places. */
  swaps: number
  counted: Count
  movements: Movement[]
  /** Repetitions with the thresholds nearer to each other and further apart, by the noise. */
  other_counts: number[]
  /** Distance between the thresholds. */
  band_degrees: number
}

export function confidenceIn(evidence: Evidence): Confidence {
  const parts: [Doubt, number][] = [
    ['low_visibility', evidence.visibility],
    ['low_coverage', Math.min(coverageOf(evidence), trustDespite(missed(evidence), evidence))],
    ['unsteady', steadinessOf(evidence)],
  ]
  const weakest = parts.reduce((weaker, part) => (part[1] < weaker[1] ? part : weaker))
  // What is not seen is not covered either: the first cause is named.
  const [doubt] = parts.find(([, part]) => part < MEASURED_CONFIDENCE) ?? weakest
  return { confidence: within(0, weakest[1], 1), doubt }
}

function coverageOf({ curve: { own_seconds }, total_seconds }: Evidence): number {
  let covered = 0
  for (let frame = 1; frame < own_seconds.length; frame += 1) {
    const step = at(own_seconds, frame) - at(own_seconds, frame - 1)
    if (step <= COVERED_SECONDS_MAX) covered += step
  }
  return total_seconds > 0 ? covered / total_seconds : 0
}

/** How many repetitions may have been missed. */
function missed({ curve: { own_seconds }, total_seconds, counted, movements }: Evidence): number {
  const first = at(own_seconds, 0)
  const last = at(own_seconds, own_seconds.length - 1)
  if (own_seconds.length < 3) return Number.POSITIVE_INFINITY
  const pace = movements.length > 0 ? median(movements.map(paceOf)) : REPETITION_SECONDS_USUAL
  const turns = [
    movements.map(({ up_seconds }) => up_seconds),
    movements.flatMap(({ rest_seconds }) => rest_seconds ?? []),
  ]
  const known = turns.filter((one) => one.length > 0).map(median)
  const turn = known.length > 0 ? Math.min(...known) : REPETITION_SECONDS_USUAL / 3

  let missing = counted.broken
  for (let frame = 2; frame < own_seconds.length; frame += 1) {
    // A turn needs two frames to be noticed, so what matters is the time from one frame to the next but one.
    const step = at(own_seconds, frame) - at(own_seconds, frame - 2)
    if (step > TURN_UNSEEN_SHARE_MAX * turn) missing += Math.max(1, step / pace) / 2
  }
  const lead = first - START_SECONDS
  const tail = total_seconds - last
  for (const end of [lead, tail]) if (end > Math.max(pace / 4, END_SECONDS_MIN)) missing += Math.max(1, end / pace)
  if (!counted.from_rest && first > COVERED_SECONDS_MAX) missing += 1
  if (counted.unfinished && tail > COVERED_SECONDS_MAX) missing += 1
  return missing
}

const paceOf = ({ start_seconds, end_seconds }: Movement): number => end_seconds - start_seconds

function trustDespite(missing: number, { movements, total_seconds }: Evidence): number {
  if (missing === 0) return 1
  const seen = movements.length > 0 ? movements.length : total_seconds / REPETITION_SECONDS_USUAL
  return Number.isFinite(missing) ? (DOUBTFUL * seen) / (seen + missing) : 0
}

function steadinessOf(evidence: Evidence): number {
  const { curve, swaps, counted, movements, other_counts, band_degrees } = evidence
  const ranges = movements.map(({ range_degrees }) => range_degrees)
  const counts = [movements.length, ...other_counts]
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)]
  // A jump (or a swap) there and one back may be a repetition that was not, or hide one.
  const jumped = curve.seconds.reduce((sum, _, frame) => sum + (frame > 0 && jumps(curve, frame) ? 0.5 : 0), 0)
  return Math.min(
    1 - (NOISE_WEIGHT * curve.noise) / (ranges.length > 0 ? median(ranges) : band_degrees),
    1 - WILD_WEIGHT * curve.wild,
    fewest === most ? 1 : (DOUBTFUL * fewest) / most,
    trustDespite(counted.glitches + jumped + swaps / 2, evidence),
  )
}

/**
 * How far thresholds are shifted to see whether the count depends on them: by the noise, and by what the angle may have
 * done between two frames.
 */
export function marginOf({ seconds, degrees, noise }: Curve): number {
  let widest = 0
  for (let frame = 1; frame < seconds.length; frame += 1)
    if (at(seconds, frame) - at(seconds, frame - 1) <= COVERED_SECONDS_MAX)
      widest = Math.max(widest, Math.abs(at(degrees, frame) - at(degrees, frame - 1)))
  return Math.max(MARGIN_DEGREES_MIN, 3 * noise, 0.4 * widest)
}

const MARGIN_DEGREES_MIN = 2
