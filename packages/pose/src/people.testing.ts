// People as cameras at home see them, at random: angles that the model bends towards the middle, noise that lasts, wrong and
// drifting depth, films that begin late or end early, cuts, repetitions that go half of the way, others in the picture.
import { randomFrom } from '@tendon/testing'
import * as fc from 'fast-check'
import { type Camera, film, filmedRepetitions, filmedSeconds, STEADY_CAMERA } from './camera.ts'
import type { PoseBatch } from './codec.ts'
import { type PoseConfig, parsePoseConfig } from './config.ts'
import { type Angle, angleOn } from './landmarks.ts'
import { measure } from './measure.ts'
import type { ExerciseMetrics } from './metrics.ts'
import { real } from './motion.testing.ts'
import { type Exercise, type Performed, perform, type TrueRepetition } from './motion.ts'

interface Joint {
  angle: Angle
  plane: Exercise['plane']
  down: number
  up: number
  rest: [number, number]
  peak: [number, number]
}

/** Thresholds as in the library; what people do. */
const JOINTS: Joint[] = [
  {
    angle: ['left_hip', 'left_knee', 'left_ankle'],
    plane: 'sagittal',
    down: 160,
    up: 120,
    rest: [168, 178],
    peak: [60, 115],
  },
  {
    angle: ['left_shoulder', 'left_elbow', 'left_wrist'],
    plane: 'sagittal',
    down: 145,
    up: 75,
    rest: [158, 175],
    peak: [30, 60],
  },
  {
    angle: ['left_hip', 'left_shoulder', 'left_elbow'],
    plane: 'frontal',
    down: 35,
    up: 75,
    rest: [8, 25],
    peak: [80, 150],
  },
  {
    angle: ['left_knee', 'left_hip', 'left_shoulder'],
    plane: 'sagittal',
    down: 160,
    up: 130,
    rest: [166, 178],
    peak: [80, 125],
  },
]

export interface Person {
  exercise: Exercise
  camera: Camera
  config: PoseConfig
  seed: number
}

const stretch = (seconds: number, long: fc.Arbitrary<number>) =>
  fc.record({ from_seconds: real(0, seconds), seconds: long })

const often = <Value>(usual: Value, other: fc.Arbitrary<Value>) => fc.oneof(fc.constant(usual), other)

const camera: fc.Arbitrary<Camera> = fc
  .record({
    frames_per_second: fc.oneof(real(12, 30), real(5, 30)),
    jitter: real(0, 0.25),
    noise: fc.oneof(real(0, 0.003), real(0, 0.012)),
    noise_seconds: fc.oneof(fc.constant(0), real(0, 0.4)),
    depth_noise: real(1, 3),
    depth_scale: fc.oneof(real(0.8, 1.2), real(0, 1.5)),
    depth_drift: often(0, real(0, 0.4)),
    bias: fc.record({ straight: real(0, 25), bent: real(0, 35) }),
    turned_degrees: fc.integer({ min: -180, max: 180 }),
    mirrored: fc.constantFrom('no' as const, 'after' as const),
    visibility: often(0.97, real(0.4, 1)),
    lost: often(0, real(0, 0.4)),
    wild: often(0, real(0, 0.04)),
    gaps: often([], fc.array(stretch(25, real(0.2, 6)), { maxLength: 2 })),
    others: often([], fc.array(stretch(25, real(0.2, 4)), { maxLength: 2 })),
    swaps: often([], fc.array(stretch(25, real(0.2, 3)), { maxLength: 2 })),
    cuts: often([], fc.array(fc.record({ at_seconds: real(1, 10), skip_seconds: real(0.2, 3) }), { maxLength: 1 })),
    window: often(null, fc.record({ from_seconds: real(0, 5), to_seconds: real(8, 40) })),
  })
  .map((given) => ({ ...STEADY_CAMERA, ...given }))

export const people: fc.Arbitrary<Person> = fc
  .record({
    joint: fc.constantFrom(...JOINTS),
    ends: fc.tuple(real(0, 1), real(0, 1)),
    side: fc.constantFrom('left' as const, 'right' as const, 'both' as const),
    wanted: fc.constantFrom('auto' as const, 'own' as const),
    repetitions: fc.integer({ min: 0, max: 8 }),
    moving: real(1, 5),
    skew: real(0.35, 0.65),
    hold_seconds: often(0, real(0, 3)),
    pause_seconds: often(0, real(0, 3)),
    lead_seconds: real(0.5, 4),
    variation: real(0, 0.15),
    partial: often(undefined, fc.record({ share: real(0, 0.5), depth: fc.oneof(real(0.05, 0.2), real(0.2, 0.9)) })),
    camera,
    seed: fc.integer(),
  })
  .map(({ joint, ends, wanted, moving, skew, camera: seen, seed, partial, ...rest }) => {
    const between = ([from, to]: [number, number], share: number) => from + (to - from) * share
    const exercise: Exercise = {
      ...rest,
      angle: joint.angle,
      plane: joint.plane,
      rest_degrees: between(joint.rest, ends[0]),
      peak_degrees: between(joint.peak, ends[1]),
      rise_seconds: moving * skew,
      fall_seconds: moving * (1 - skew),
      ...(partial ? { partial } : {}),
    }
    const done = 2 * rest.lead_seconds + rest.repetitions * moving
    const isLong =
      !seen.window && seen.cuts.every(({ at_seconds, skip_seconds }) => at_seconds + skip_seconds < 0.8 * done)
    return {
      exercise,
      camera: isLong ? seen : { ...seen, cuts: [] },
      config: configOf(joint, wanted === 'auto' ? 'auto' : rest.side),
      seed,
    }
  })

function configOf({ angle, up, down }: Joint, side: PoseConfig['side']): PoseConfig {
  const parsed = parsePoseConfig({
    engine_code: 'blazepose-33',
    landmarks: [...angleOn('left', angle), ...angleOn('right', angle)],
    primary_angle: angle,
    side,
    thresholds: { up_degrees: up, down_degrees: down },
  })
  if ('fields' in parsed) throw new Error(JSON.stringify(parsed.fields))
  return parsed.config
}

export interface Answer {
  metrics: ExerciseMetrics
  /** Minimum and maximum count of a human viewer. */
  least: number
  most: number
  truth: Performed
  whole: TrueRepetition[]
}

/** Less of the way is no repetition, more is one; between the two it can be argued. */
const ARGUABLE = { from: 0.22, to: 0.62 }

export function answerTo({ exercise, camera: seen, config, seed }: Person): Answer {
  const random = randomFrom(seed)
  const truth = perform(exercise, random)
  const batches: PoseBatch[] = [...film(truth, seen, random)]
  const [from_ms, seconds] = [seen.starts_ms, filmedSeconds(truth, seen)]
  const { exercises } = measure(batches, {
    spans: [{ media_id: 'a', from_ms, to_ms: from_ms + Math.max(1, Math.ceil(seconds * 1000)) }],
    exercises: [{ media_id: 'a', pose_config: config }],
  })
  const [metrics] = exercises
  if (!metrics) throw new Error('no answer')
  const whole = filmedRepetitions(truth, seen)
  // Of what was done while the camera followed somebody else nobody knows.
  const unseen = ({ start_seconds, end_seconds }: TrueRepetition) =>
    seen.others.some(({ from_seconds, seconds: long }) => {
      const from = from_seconds + (seen.window?.from_seconds ?? 0)
      return from < end_seconds && from + long > start_seconds
    })
  const clear = whole.filter((one) => one.depth >= ARGUABLE.to && !unseen(one))
  // Half of one at the beginning and at the end, and on both sides of each cut.
  const edges = (seen.window ? 2 : 0) + 2 * seen.cuts.length
  const most = whole.filter(({ depth }) => depth > ARGUABLE.from).length + edges
  return { metrics, least: clear.length, most, truth, whole }
}
