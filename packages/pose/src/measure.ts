// Frames of a run → repetitions and metrics of each exercise. Pure; batches may come one by one and in any order. Where
// a measurement is not sound the answer is "not measured" with its reason, and no number.
import { curveOf, emptySight, type Sight, see } from './angles.ts'
import type { PoseBatch } from './codec.ts'
import { confidenceIn, marginOf } from './confidence.ts'
import { type FeedbackRule, type PoseConfig, parsePoseConfig } from './config.ts'
import { createFrameSlots, type FrameSlots, type MediaSpan } from './frames.ts'
import { heldBetween, holdsOf, union } from './holds.ts'
import type { Side } from './landmarks.ts'
import { mean, round, sum } from './numbers.ts'
import { count, describe } from './repetitions.ts'
import { type Chosen, choose, movementsOf, type SidedMovement, type SideMeasurement, symmetryOf } from './sides.ts'
import { watchSwaps } from './swaps.ts'

export interface Manifest {
  /** Empty when the run has no `session_start`. */
  spans: readonly MediaSpan[]
  /** As frozen when the run was made; null for an exercise that is not tracked. */
  exercises: readonly { media_id: string; pose_config: unknown }[]
}

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
  repetitions: number | null
  /** Of the repetitions; null when there were none. */
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
  /** Codes of the feedback rules that apply. */
  feedback: string[]
}

export interface PoseMetrics {
  exercises: ExerciseMetrics[]
  repetitions: RepetitionMetrics[]
}

export interface Measurement {
  add(batch: PoseBatch): void
  finish(): PoseMetrics
}

export function measure(batches: Iterable<PoseBatch>, manifest: Manifest): PoseMetrics {
  const measurement = startMeasurement(manifest)
  for (const batch of batches) measurement.add(batch)
  return measurement.finish()
}

export function startMeasurement({ spans, exercises }: Manifest): Measurement {
  const parsed = new Map(exercises.map(({ media_id, pose_config }) => [media_id, parsePoseConfig(pose_config)]))
  const configs = new Map([...parsed].flatMap(([id, one]) => ('config' in one ? [[id, one.config] as const] : [])))
  const slots = createFrameSlots(spans, configs)

  const measureOne = ({ media_id, pose_config }: Manifest['exercises'][number]) => {
    const config = configs.get(media_id)
    if (pose_config === null || pose_config === undefined) return notMeasured(media_id, 'no_configuration')
    if (!config) return notMeasured(media_id, 'invalid_configuration')
    if (spans.length === 0) return notMeasured(media_id, 'no_session_start')
    const own = spans.filter((span) => span.media_id === media_id)
    return measureExercise(media_id, config, slots, own)
  }

  return {
    add: slots.add,
    finish() {
      const all = exercises.map(measureOne)
      return {
        exercises: all.flatMap((one) => one.exercises),
        repetitions: all.flatMap((one) => one.repetitions),
      }
    },
  }
}

function notMeasured(media_id: string, reason: NotMeasured, confidence = 0): PoseMetrics {
  const none = {
    side: null,
    repetitions: null,
    range_of_motion_degrees: null,
    tempo_seconds: null,
    symmetry: null,
    hold_seconds: null,
  }
  return { exercises: [{ media_id, measured: false, reason, confidence: down(confidence), ...none }], repetitions: [] }
}

function measureExercise(media_id: string, config: PoseConfig, slots: FrameSlots, spans: MediaSpan[]): PoseMetrics {
  const seen = { left: emptySight(), right: emptySight() }
  const swaps = watchSwaps(config.min_visibility)
  let total_ms = 0
  for (const { from_ms, to_ms } of spans) {
    const end = to_ms ?? Math.max(from_ms, slots.last())
    for (const { time_ms, values } of slots.between(from_ms, to_ms ?? end + 1)) {
      const [seconds, own] = [time_ms / 1000, (total_ms + time_ms - from_ms) / 1000]
      for (const side of SIDES) see(seen[side], seconds, own, values, side, config.min_visibility)
      swaps.see(seconds, values)
    }
    total_ms += end - from_ms
  }
  if (seen.left.frames === 0) return notMeasured(media_id, 'no_frames')
  const exercise = { config, total_seconds: total_ms / 1000, swaps: swaps.count() }
  const chosen = choose(
    config.side,
    measureSide('left', seen.left, exercise),
    measureSide('right', seen.right, exercise),
  )
  return chosen.reason ? notMeasured(media_id, chosen.reason, chosen.confidence) : result(media_id, config, chosen)
}

const SIDES = ['left', 'right'] as const

interface Watched {
  config: PoseConfig
  total_seconds: number
  swaps: number
}

function measureSide(side: Side, sight: Sight, { config, total_seconds, swaps }: Watched): SideMeasurement {
  const { up_degrees, down_degrees } = config.thresholds
  const sign = up_degrees > down_degrees ? 1 : -1
  const thresholds = { up: sign * up_degrees, down: sign * down_degrees }
  const curve = curveOf(sight)
  const counted = count(curve, sign, thresholds)
  const movements = describe(curve, sign, thresholds, counted.excursions)
  const margin = marginOf(curve)
  const confidence = confidenceIn({
    visibility: sight.visibility / sight.frames,
    curve,
    total_seconds,
    swaps,
    counted,
    movements,
    other_counts: [-margin, margin].map(
      (shift) => count(curve, sign, { up: thresholds.up + shift, down: thresholds.down - shift }).excursions.length,
    ),
    band_degrees: thresholds.up - thresholds.down,
  })
  return { side, ...confidence, movements, holds: holdsOf(curve, config) }
}

function result(media_id: string, config: PoseConfig, chosen: Chosen): PoseMetrics {
  const movements = movementsOf(chosen)
  const holds = union(chosen.sides.flatMap((side) => side.holds))
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
      feedback: config.feedback_rules.filter((rule) => applies(rule, values)).map(({ code }) => code),
    }
  })
  const ranges = repetitions.map(({ range_degrees }) => range_degrees)
  const metrics: ExerciseMetrics = {
    media_id,
    measured: true,
    reason: null,
    confidence: down(chosen.confidence),
    side: chosen.side,
    repetitions: repetitions.length,
    range_of_motion_degrees:
      ranges.length === 0 ? null : { min: Math.min(...ranges), max: Math.max(...ranges), mean: round(mean(ranges), 1) },
    tempo_seconds: ranges.length === 0 ? null : round(mean(repetitions.map((one) => one.tempo_seconds)), 2),
    symmetry: symmetry === null ? null : round(symmetry, 2),
    hold_seconds: round(sum(holds.map(([from, to]) => to - from)), 2),
  }
  return { exercises: [metrics], repetitions }
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
