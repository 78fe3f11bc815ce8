// What is said about an exercise. Where a measurement is not sound the answer is "not measured" with its reason, and no number.
import type { FeedbackRule, PoseConfig } from './config.ts'
import { heldBetween, union } from './holds.ts'
import type { Side } from './landmarks.ts'
import { mean, round, sum } from './numbers.ts'
import { type Chosen, movementsOf, type SidedMovement, symmetryOf } from './sides.ts'

export type NotMeasured =
  | 'no_session_start'
  | 'no_configuration'
  | 'invalid_configuration'
  | 'no_frames'
  | NonNullable<Chosen['reason']>

export interface ExerciseMetrics {
  media_id: string
  measured: boolean
  reason: NotMeasured | null
  /** From 0 to 1; sure from `SURE_CONFIDENCE` on. */
  confidence: number
  side: Side | 'both' | null
  /** That happened: rest, working end and rest again were seen. */
  repetitions: number | null
  /** Repetitions that reached the prescribed range. */
  repetitions_to_target: number | null
  /** Time of the exercise in which the joint was not seen; what happened then is not counted. */
  not_visible_ms: number | null
  /** Of the repetitions; null when there were none, or when the noise makes it uncertain by more than 3 degrees. */
  range_of_motion_degrees: { min: number; max: number; mean: number } | null
  /** Mean duration of a repetition. */
  tempo_seconds: number | null
  /** From 0 to 1, left against right; null when only one side was measured. */
  symmetry: number | null
  hold_seconds: number | null
}

export interface RepetitionMetrics {
  media_id: string
  number: number
  side: Side | 'both'
  /** Since the session started. */
  start_ms: number
  peak_ms: number
  end_ms: number
  peak_degrees: number
  range_degrees: number
  tempo_seconds: number
  hold_seconds: number
  /** The working end reached the prescribed range. */
  reached_target: boolean
  /** Codes of the feedback rules that apply. */
  feedback: string[]
}

export interface PoseMetrics {
  exercises: ExerciseMetrics[]
  repetitions: RepetitionMetrics[]
}

export function notMeasured(media_id: string, reason: NotMeasured, confidence = 0): PoseMetrics {
  const none = {
    side: null,
    repetitions: null,
    repetitions_to_target: null,
    not_visible_ms: null,
    range_of_motion_degrees: null,
    tempo_seconds: null,
    symmetry: null,
    hold_seconds: null,
  }
  return { exercises: [{ media_id, measured: false, reason, confidence: down(confidence), ...none }], repetitions: [] }
}

export function metricsOf(media_id: string, config: PoseConfig, chosen: Chosen): PoseMetrics {
  if (chosen.reason) return notMeasured(media_id, chosen.reason, chosen.confidence)
  const movements = movementsOf(chosen)
  const holds = union(chosen.sides.flatMap((side) => side.holds()))
  const held = heldBetween(holds)
  const symmetry = symmetryOf(chosen)
  const repetitions = movements.map((movement, index): RepetitionMetrics => {
    const { start_seconds, end_seconds } = movement
    const values = {
      range_degrees: round(movement.range_degrees, 1),
      tempo_seconds: round(end_seconds - start_seconds, 2),
      hold_seconds: round(held(start_seconds, end_seconds), 2),
    }
    return {
      media_id,
      number: index + 1,
      side: movement.side,
      ...timesOf(movement),
      peak_degrees: round(movement.peak_degrees, 1),
      ...values,
      reached_target: reaches(config, movement.peak_degrees),
      feedback: config.feedback_rules.filter((rule) => applies(rule, values)).map(({ code }) => code),
    }
  })
  const { each, most } = RANGE_NOISE_MAX_DEGREES
  const isTooNoisy = chosen.sides.some(({ noise }) => noise > Math.min(most, each * Math.sqrt(repetitions.length)))
  const ranges = repetitions.map(({ range_degrees }) => range_degrees)
  const metrics: ExerciseMetrics = {
    media_id,
    measured: true,
    reason: null,
    confidence: down(chosen.confidence),
    side: chosen.side,
    repetitions: repetitions.length,
    repetitions_to_target: repetitions.filter(({ reached_target }) => reached_target).length,
    not_visible_ms: Math.round(1000 * Math.max(...chosen.sides.map(({ unseen_seconds }) => unseen_seconds))),
    range_of_motion_degrees:
      ranges.length === 0 || isTooNoisy
        ? null
        : { min: Math.min(...ranges), max: Math.max(...ranges), mean: round(mean(ranges), 1) },
    tempo_seconds: ranges.length === 0 ? null : round(mean(repetitions.map((one) => one.tempo_seconds)), 2),
    symmetry: symmetry === null ? null : round(symmetry, 2),
    hold_seconds: round(sum(holds.map(([from, to]) => to - from)), 2),
  }
  return { exercises: [metrics], repetitions }
}

/** Errors of single repetitions average out. */
const RANGE_NOISE_MAX_DEGREES = { each: 1.2, most: 2.2 }

/** How far a working end may stay behind: a camera is not more exact. */
const TARGET_TOLERANCE_DEGREES = 3

/** Further than the prescribed range has reached it, too. Without one the upper threshold is the target. */
export function reaches({ thresholds, target_range_degrees }: PoseConfig, peak_degrees: number): boolean {
  const { up_degrees, down_degrees } = thresholds
  if (up_degrees > down_degrees)
    return peak_degrees >= (target_range_degrees?.min ?? up_degrees) - TARGET_TOLERANCE_DEGREES
  return peak_degrees <= (target_range_degrees?.max ?? up_degrees) + TARGET_TOLERANCE_DEGREES
}

const timesOf = ({ start_seconds, peak_seconds, end_seconds }: SidedMovement) => ({
  start_ms: Math.round(start_seconds * 1000),
  peak_ms: Math.round(peak_seconds * 1000),
  end_ms: Math.round(end_seconds * 1000),
})

type Judged = Pick<RepetitionMetrics, 'range_degrees' | 'tempo_seconds' | 'hold_seconds'>

const CONDITIONS: Record<FeedbackRule['when'], (repetition: Judged, value: number) => boolean> = {
  range_below: ({ range_degrees }, value) => range_degrees < value,
  range_above: ({ range_degrees }, value) => range_degrees > value,
  tempo_below: ({ tempo_seconds }, value) => tempo_seconds < value,
  tempo_above: ({ tempo_seconds }, value) => tempo_seconds > value,
  hold_below: ({ hold_seconds }, value) => hold_seconds < value,
}

/** Whether a repetition earns a message; a client asks the same while the patient moves. */
export const applies = ({ when, value }: FeedbackRule, repetition: Judged): boolean =>
  CONDITIONS[when](repetition, value)

/** Two digits, never up: 0.796 is not sure. */
const down = (confidence: number): number => Math.floor(confidence * 100) / 100
