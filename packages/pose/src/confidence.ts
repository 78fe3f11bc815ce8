// How far a measurement can be trusted: as far as its weakest part. Below one half nothing is measured; from 0.8 on it is
// sure. A number is sure only when nothing that was seen makes another number possible:
//
// - visibility: how well the joint's points were seen;
// - coverage: whether a repetition may have happened while the joint was not seen;
// - frames: whether there are enough of them to show every turn of the movement, at the pace of this patient;
// - steadiness: noise against the range, points that jump, left and right that change places;
// - clarity: whether slightly stricter and looser rules give the same count, and no repetition is much shorter than the others;
// - depth: whether the limbs keep their length.
import type { Curve } from './curve.ts'
import type { Movement } from './levels.ts'
import { median, within } from './numbers.ts'
import type { Count, Thresholds } from './repetitions.ts'
import { GAP_SECONDS } from './scan.ts'
import type { Sight } from './sight.ts'

export const MEASURED_CONFIDENCE = 0.5
export const SURE_CONFIDENCE = 0.8

export type Doubt =
  | 'low_visibility'
  | 'low_coverage'
  | 'too_few_frames'
  | 'unsteady'
  | 'unclear_movement'
  | 'unreliable_depth'

export interface Confidence {
  confidence: number
  /** Its weakest part, or the cause of that. */
  doubt: Doubt
}

/** What can still be said when something may have been missed. */
export const DOUBTFUL = 0.75
const GOOD_FRAMES_MIN = 0.5
const WEAK_FRAMES_MAX = 0.1
const HIDDEN_FRAMES_MAX = 0.5
const COVERED_MIN = 1 / 3
/** Nobody has finished a repetition so soon after an exercise began. */
export const START_SECONDS = 1
const REPETITION_SECONDS_USUAL = 3
const END_SECONDS_MIN = 0.75
/** Steps between frames that the end of an exercise may come after the last frame. */
const END_STEPS_MAX = 2
/** Frames while the movement is above, or below, half of its way. */
const TURN_FRAMES = { sure: 4, least: 1.5 }
/** A longer step between frames may hide a turn. */
const STEP_SHARE_OF_TURN = 0.5
const NOISE_WEIGHT = 8
const WILD_WEIGHT = 8
const JUMP_DEVIATIONS = 6
const JUMP_DEGREES_MIN = 15
const DEGREES_PER_SECOND_MAX = 600
/** Than the greatest speed of a usual repetition. */
const FASTER = 2.5
/** A repetition that takes less of the usual time may be part of one. */
const SHORT_SHARE = 0.5
/** The end of one repetition and the beginning of the next take longer. */
const HIDDEN_REST_SECONDS = 0.5
const STRETCH = { rest: 1.18, sure: 1.6, most: 1.9 }

export interface Evidence {
  sight: Sight
  thresholds: Thresholds
  sign: number
  /** Time of the exercise. */
  total_seconds: number
  /** Times that left and right changed places. */
  swaps: number
  counted: Count
  movements: readonly Movement[]
  /** Movements too short or too sudden for a body. */
  glitches: number
}

export function confidenceIn(evidence: Evidence): Confidence {
  const parts: [Doubt, number][] = [
    ['low_visibility', visibilityOf(evidence)],
    ['low_coverage', coverageOf(evidence)],
    ['unreliable_depth', depthOf(evidence)],
    ['too_few_frames', framesOf(evidence)],
    ['unsteady', steadinessOf(evidence)],
    ['unclear_movement', clarityOf(evidence)],
  ]
  const weakest = parts.reduce((weaker, part) => (part[1] < weaker[1] ? part : weaker))
  // What is not seen is not steady either: the first cause is named.
  const [doubt] = parts.find(([, part]) => part < MEASURED_CONFIDENCE) ?? weakest
  return { confidence: within(0, weakest[1], 1), doubt }
}

function visibilityOf(evidence: Evidence): number {
  const { good, weak, hidden, visibility } = evidence.sight
  if (good < GOOD_FRAMES_MIN) return good * visibility
  // Most of the exercise was in the picture, but not the joint.
  if (hidden > HIDDEN_FRAMES_MAX && coveredShare(evidence) < COVERED_MIN) return (1 - hidden) * visibility
  return weak > WEAK_FRAMES_MAX ? Math.min(DOUBTFUL, Math.max(MEASURED_CONFIDENCE, visibility)) : visibility
}

/** Seconds of the exercise without sight of the joint. */
export function unseenSeconds({ own_seconds, scan }: Curve, total_seconds: number): number {
  let unseen = 0
  let before = 0
  for (const { from, to } of scan.segments) {
    const [begins, ends] = [own_seconds[from] ?? 0, own_seconds[to - 1] ?? 0]
    if (begins - before > GAP_SECONDS) unseen += begins - before
    before = ends
  }
  return total_seconds - before > GAP_SECONDS ? unseen + total_seconds - before : unseen
}

const coveredShare = ({ sight, total_seconds }: Evidence): number =>
  total_seconds > 0 ? Math.max(0, 1 - unseenSeconds(sight.curve, total_seconds) / total_seconds) : 0

function coverageOf(evidence: Evidence): number {
  const { sight, thresholds, sign, total_seconds, movements } = evidence
  const { own_seconds, degrees, scan } = sight.curve
  if (own_seconds.length < 3) return 0
  const covered = coveredShare(evidence)
  if (covered < COVERED_MIN) return covered
  const pace = paceOf(movements)
  const first = own_seconds[0] ?? 0
  const tail = total_seconds - (own_seconds.at(-1) ?? 0)
  const long = Math.max(pace / 4, END_SECONDS_MIN)
  const rest = restBelow(movements, thresholds, sign)
  const isRest = (frame: number) => sign * (degrees[frame] ?? 0) <= rest
  let missed = first - START_SECONDS > pace / 5 || tail > long
  if (first > END_SECONDS_MIN && !isRest(0)) missed = true
  // The way back of a quick repetition takes less than half a second.
  if (tail > END_STEPS_MAX * scan.steps.quantile(0.5) && !isRest(own_seconds.length - 1)) missed = true
  for (const [index, { from }] of scan.segments.entries()) {
    if (index === 0) continue
    const gap = (own_seconds[from] ?? 0) - (own_seconds[from - 1] ?? 0)
    if (!isRest(from) || !isRest(from - 1) || gap > pace / 2) missed = true
  }
  return missed ? DOUBTFUL : 1
}

const secondsOf = ({ start_seconds, end_seconds }: Movement): number => end_seconds - start_seconds

const paceOf = (movements: readonly Movement[]): number =>
  movements.length > 0 ? median(movements.map(secondsOf)) : REPETITION_SECONDS_USUAL

/** A fifth of the way above this patient's own rest. */
function restBelow(movements: readonly Movement[], { down }: Thresholds, sign: number): number {
  if (movements.length === 0) return down
  return median(movements.map(({ peak_degrees, range_degrees }) => sign * peak_degrees - 0.8 * range_degrees))
}

/** The time that the movement takes above or below half of its way, whichever is less. */
function turnSeconds(movements: readonly Movement[]): number {
  const [above, below] = [
    movements.map(({ up_seconds }) => up_seconds),
    movements.flatMap(({ rest_seconds }) => rest_seconds ?? []),
  ]
  const known = [above, below].filter((one) => one.length > 0).map(median)
  return known.length > 0 ? Math.min(...known) : REPETITION_SECONDS_USUAL / 3
}

function framesOf(evidence: Evidence): number {
  const { steps, long_steps } = evidence.sight.curve.scan
  const turn = turnSeconds(evidence.movements)
  const hidden = long_steps.reduce((sum, step) => sum + (step > STEP_SHARE_OF_TURN * turn ? 1 : 0), 0)
  const frames = steps.count() === 0 ? 0 : turn / steps.quantile(0.5)
  if (frames < TURN_FRAMES.least) return 0
  // Two that look like one have no others to be compared with.
  if (evidence.movements.length === 1 && long_steps.some((step) => step > HIDDEN_REST_SECONDS)) return DOUBTFUL
  return Math.min(frames < TURN_FRAMES.sure ? DOUBTFUL : 1, trustDespite(hidden / 2, evidence))
}

function trustDespite(doubts: number, { movements, total_seconds }: Evidence): number {
  if (doubts === 0) return 1
  const seen = movements.length > 0 ? movements.length : total_seconds / REPETITION_SECONDS_USUAL
  return (DOUBTFUL * seen) / (seen + doubts)
}

function steadinessOf(evidence: Evidence): number {
  const { sight, swaps, glitches, movements, thresholds } = evidence
  const ranges = movements.map(({ range_degrees }) => range_degrees)
  const range = ranges.length > 0 ? median(ranges) : thresholds.up - thresholds.down
  // A jump (or a swap) there and one back may be a repetition that was not, or hide one.
  return Math.min(
    1 - (NOISE_WEIGHT * sight.curve.noise) / range,
    1 - WILD_WEIGHT * sight.curve.wild,
    trustDespite(glitches + (jumpsIn(sight.curve, movements) + swaps) / 2, evidence),
  )
}

/** How often the angle changed faster than a body can, and much faster than this patient moves, by more than noise. */
function jumpsIn({ raw_noise, scan: { wide_steps } }: Curve, movements: readonly Movement[]): number {
  const speeds = movements.map((one) => (Math.PI * one.range_degrees) / movingSeconds(one))
  const fastest = Math.min(DEGREES_PER_SECOND_MAX, speeds.length > 0 ? FASTER * median(speeds) : DEGREES_PER_SECOND_MAX)
  const least = Math.max(JUMP_DEGREES_MIN, JUMP_DEVIATIONS * raw_noise)
  return wide_steps.filter(({ degrees, seconds }) => degrees > least + fastest * seconds).length
}

/** The time of a movement without its hold: half of the time on the way is spent below half of the way. */
const movingSeconds = ({ start_seconds, end_seconds, up_seconds }: Movement): number =>
  2 * (end_seconds - start_seconds - up_seconds)

function clarityOf({ counted: { excursions, fewest, most, elsewhere, smaller }, movements }: Evidence): number {
  if (excursions.length === 0 && elsewhere > 0) return 0
  if (excursions.length === 0 && smaller > 0) return DOUBTFUL
  const least = SHORT_SHARE * paceOf(movements)
  if (movements.some((one) => secondsOf(one) < least)) return DOUBTFUL
  if (fewest === most) return elsewhere > most ? DOUBTFUL : 1
  return most - fewest === 1 ? DOUBTFUL : (DOUBTFUL * fewest) / most
}

/** Of a joint that rests limbs keep their length all the more: what moves towards the camera only seems to rest. */
function depthOf({ sight: { stretch }, movements }: Evidence): number {
  if (movements.length === 0 && stretch > STRETCH.rest) return 0
  return stretch <= STRETCH.sure ? 1 : stretch <= STRETCH.most ? DOUBTFUL : 0
}
