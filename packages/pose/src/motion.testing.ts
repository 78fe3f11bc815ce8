// Filmed exercises at random, for tests: what was done, how it was filmed, and the configuration it is measured by.
import { randomFrom } from '@tendon/testing'
import * as fc from 'fast-check'
import { type Camera, film, STEADY_CAMERA } from './camera.ts'
import type { PoseBatch } from './codec.ts'
import { type PoseConfig, parsePoseConfig } from './config.ts'
import { type Angle, angleOn } from './landmarks.ts'
import { measure } from './measure.ts'
import type { ExerciseMetrics, RepetitionMetrics } from './metrics.ts'
import { type Exercise, type Performed, perform } from './motion.ts'

export const KNEE: Angle = ['left_hip', 'left_knee', 'left_ankle']
const ELBOW: Angle = ['left_shoulder', 'left_elbow', 'left_wrist']
const SHOULDER: Angle = ['left_hip', 'left_shoulder', 'left_elbow']

export const TEN_KNEE_BENDS: Exercise = {
  angle: KNEE,
  side: 'left',
  repetitions: 10,
  rest_degrees: 170,
  peak_degrees: 80,
  rise_seconds: 1,
  hold_seconds: 0,
  fall_seconds: 1,
  pause_seconds: 0.5,
  lead_seconds: 1.5,
  plane: 'sagittal',
  variation: 0,
}

export interface Filmed {
  exercise: Exercise
  camera: Camera
  config: PoseConfig
  seed: number
}

export function configFor(
  exercise: Exercise,
  given: Partial<PoseConfig> = {},
  at = { down: 0.3, up: 0.7 },
): PoseConfig {
  const range = exercise.peak_degrees - exercise.rest_degrees
  const parsed = parsePoseConfig({
    engine_code: 'blazepose-33',
    landmarks: [...angleOn('left', exercise.angle), ...angleOn('right', exercise.angle)],
    primary_angle: exercise.angle,
    side: exercise.side === 'in_turns' ? 'both' : exercise.side,
    thresholds: {
      up_degrees: exercise.rest_degrees + at.up * range,
      down_degrees: exercise.rest_degrees + at.down * range,
    },
    ...given,
  })
  if ('fields' in parsed) throw new Error(JSON.stringify(parsed.fields))
  return parsed.config
}

/** Spread evenly, unlike `fc.double`. */
export const real = (min: number, max: number): fc.Arbitrary<number> =>
  fc.nat(10_000).map((share) => min + ((max - min) * share) / 10_000)

function exercises(framesPerSecond: number, framesPerRepetition: number): fc.Arbitrary<Exercise> {
  const movingMin = Math.max(1, framesPerRepetition / framesPerSecond) / 0.9
  return fc
    .record({
      angle: fc.constantFrom(KNEE, ELBOW, SHOULDER),
      side: fc.constantFrom('left' as const, 'right' as const, 'both' as const, 'in_turns' as const),
      repetitions: fc.integer({ min: 1, max: 8 }),
      ends: fc.tuple(real(10, 170), real(25, 155)).filter(([rest, peak]) => Math.abs(rest - peak) >= 50),
      moving: real(movingMin, Math.max(6, movingMin + 1)),
      skew: real(0.4, 0.6),
      hold_seconds: fc.oneof(fc.constant(0), real(0, 4)),
      pause_seconds: fc.oneof(fc.constant(0), real(0, 3)),
      lead_seconds: real(1, 3),
      plane: fc.constantFrom('sagittal' as const, 'frontal' as const),
      variation: real(0, 0.1),
    })
    .map(({ ends, moving, skew, ...rest }) => ({
      ...rest,
      rest_degrees: ends[0],
      peak_degrees: ends[1],
      rise_seconds: moving * skew,
      fall_seconds: moving * (1 - skew),
    }))
}

export type Faults = { [Key in keyof Camera]?: fc.Arbitrary<Camera[Key]> }

/** At 5 to 30 frames a second, from any direction, mirrored or not. With 15 frames in a repetition a camera can follow. */
export const filmed = (faults: Faults = {}, framesPerRepetition = 15): fc.Arbitrary<Filmed> =>
  real(5, 30).chain((frames_per_second) =>
    fc
      .record({
        exercise: exercises(frames_per_second, framesPerRepetition),
        seed: fc.integer(),
        down: real(0.25, 0.35),
        up: real(0.65, 0.75),
        camera: fc.record({
          jitter: real(0, 0.25),
          mirrored: fc.constantFrom('no' as const, 'after' as const),
          turned_degrees: fc.integer({ min: -180, max: 180 }),
          starts_ms: fc.constantFrom(0, 61_234),
          ...faults,
        }),
      })
      .map(({ exercise, seed, down, up, camera }) => ({
        exercise,
        seed,
        camera: { ...STEADY_CAMERA, frames_per_second, ...camera },
        config: configFor(exercise, {}, { down, up }),
      })),
  )

export interface Outcome {
  truth: Performed
  batches: PoseBatch[]
  metrics: ExerciseMetrics
  repetitions: RepetitionMetrics[]
}

export function filmAndMeasure(
  { exercise, camera, config, seed }: Filmed,
  change: (batches: PoseBatch[], truth: Performed) => PoseBatch[] = (batches) => batches,
): Outcome {
  const random = randomFrom(seed)
  const truth = perform(exercise, random)
  const batches = change([...film(truth, camera, random)], truth)
  const from_ms = camera.starts_ms
  const { exercises, repetitions } = measure(batches, {
    spans: [{ media_id: 'knee', from_ms, to_ms: from_ms + Math.ceil(truth.seconds * 1000) }],
    exercises: [{ media_id: 'knee', pose_config: config }],
  })
  const [metrics] = exercises
  if (!metrics) throw new Error('no answer')
  return { truth, batches, metrics, repetitions }
}

/** Ten knee bends (26 s) that begin at a time of the session. */
export function bends(starts_ms: number, changed: Partial<Exercise> = {}): PoseBatch[] {
  const random = randomFrom(starts_ms)
  return [...film(perform({ ...TEN_KNEE_BENDS, ...changed }, random), { ...STEADY_CAMERA, starts_ms }, random)]
}
