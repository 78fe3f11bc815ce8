// Frames of a run → repetitions and metrics of each exercise. Pure; batches may come one by one and in any order. Where
// a measurement is not sound the answer is "not measured" with its reason, and no number.
import type { PoseBatch } from './codec.ts'
import { DOUBTFUL, START_SECONDS } from './confidence.ts'
import { type PoseConfig, parsePoseConfig } from './config.ts'
import { followExercise } from './exercise.ts'
import { createFrameSlots, type FrameSlots, type MediaSpan } from './frames.ts'
import { metricsOf, notMeasured, type PoseMetrics } from './metrics.ts'

export interface Manifest {
  /** Empty when the run has no `session_start`. */
  spans: readonly MediaSpan[]
  /** Frozen when the run was created; null for an exercise that is not tracked. */
  exercises: readonly { media_id: string; pose_config: unknown }[]
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

function measureExercise(media_id: string, config: PoseConfig, slots: FrameSlots, spans: MediaSpan[]): PoseMetrics {
  const exercise = followExercise(config)
  let total_ms = 0
  let unfilmed_ms = 0
  for (const { from_ms, to_ms } of spans) {
    const frames = exercise.frames()
    const end = to_ms ?? Math.max(from_ms, slots.last())
    for (const { time_ms, values } of slots.between(from_ms, to_ms ?? end + 1))
      exercise.push(time_ms / 1000, (total_ms + time_ms - from_ms) / 1000, values)
    if (exercise.frames() > frames) total_ms += end - from_ms
    else if (end - from_ms > START_SECONDS * 1000) unfilmed_ms += end - from_ms
  }
  if (exercise.frames() === 0) return notMeasured(media_id, 'no_frames')
  return withUnfilmed(metricsOf(media_id, config, exercise.read(total_ms / 1000)), unfilmed_ms)
}

/** The camera may be turned on between two sets. What it counted since then stands, but is not all that was done. */
function withUnfilmed({ exercises, repetitions }: PoseMetrics, unfilmed_ms: number): PoseMetrics {
  if (unfilmed_ms === 0) return { exercises, repetitions }
  return {
    exercises: exercises.map((one) => ({
      ...one,
      confidence: Math.min(one.confidence, DOUBTFUL),
      not_visible_ms: one.not_visible_ms === null ? null : one.not_visible_ms + unfilmed_ms,
    })),
    repetitions,
  }
}
