// The movement of a patient's body in one set, and the camera that films it.
import type { RunPayload } from '@tendon/contracts'
import { type Camera, type Exercise, type PoseConfig, parsePoseConfig, STEADY_CAMERA } from '@tendon/pose'

export type PlannedExercise = Pick<
  RunPayload['exercises'][number],
  'id' | 'sets' | 'reps' | 'hold_seconds' | 'rest_seconds' | 'side' | 'pose_config'
>

export type Random = () => number

export const between = (random: Random, min: number, max: number): number => min + (max - min) * random()
export const whole = (random: Random, min: number, max: number): number => Math.floor(between(random, min, max + 1))
export const pick = <Value>(random: Random, from: readonly Value[]): Value | undefined =>
  from[Math.floor(random() * from.length)]

/** Like a phone or a laptop at home. */
export const cameraAtHome = (random: Random, framesPerSecond: number): Camera => ({
  ...STEADY_CAMERA,
  frames_per_second: framesPerSecond,
  jitter: 0.15,
  noise: between(random, 0.0005, 0.0015),
  noise_seconds: 0.1,
  bias: { straight: between(random, 2, 12), bent: between(random, 0, 12) },
  depth_scale: between(random, 0.9, 1.1),
  lost: 0.01,
  mirrored: random() < 0.5 ? 'after' : 'no',
  turned_degrees: Math.round(between(random, -60, 60)),
  visibility: between(random, 0.9, 0.99),
})

export const configOf = ({ pose_config }: PlannedExercise): PoseConfig | null => {
  const parsed = pose_config && parsePoseConfig(pose_config)
  return parsed && 'config' in parsed ? parsed.config : null
}

/** Without a configuration only the duration matters. */
const ANY_JOINT = { angle: ['left_hip', 'left_knee', 'left_ankle'], rest_degrees: 170, peak_degrees: 90 } as const
const DEFAULT_REPS = 8
const MIN_LEAD_SECONDS = 2
/** Shares of the distance between the thresholds: how far beyond them the rest and working positions are. */
const REST_BEYOND = 0.4
const PEAK_BEYOND = { weak: 0.35, strong: 0.9 }
const MIN_PEAK_BEYOND_DEGREES = 8

/** One set, from standing to standing. `progress` from 0 to 1: how well the patient does it. */
export function setOf(
  exercise: PlannedExercise,
  config: PoseConfig | null,
  progress: number,
  random: Random,
): Exercise {
  const { reps, hold_seconds, rest_seconds } = exercise
  const hold = hold_seconds ?? config?.hold_seconds ?? null
  return {
    ...(config ? jointOf(config, progress) : { ...ANY_JOINT, angle: [...ANY_JOINT.angle] }),
    side: sideOf(exercise, config, random),
    repetitions: reps ?? (hold === null ? DEFAULT_REPS : 1),
    rise_seconds: between(random, 0.9, 1.5),
    hold_seconds: hold === null ? 0.3 : hold + 0.6,
    fall_seconds: between(random, 0.9, 1.6),
    pause_seconds: between(random, 0.4, 0.9),
    lead_seconds: Math.max(MIN_LEAD_SECONDS, rest_seconds / 2),
    plane: 'sagittal',
    variation: 0.06,
  }
}

/** Standing still. */
export const standing = (set: Exercise, seconds: number): Exercise => ({
  ...set,
  repetitions: 0,
  pause_seconds: 0,
  lead_seconds: seconds / 2,
})

function jointOf({ primary_angle, thresholds: { up_degrees, down_degrees } }: PoseConfig, progress: number) {
  const apart = up_degrees - down_degrees
  const beyond = Math.abs(apart) * (PEAK_BEYOND.weak + (PEAK_BEYOND.strong - PEAK_BEYOND.weak) * progress)
  return {
    angle: primary_angle,
    rest_degrees: possible(down_degrees - REST_BEYOND * apart),
    peak_degrees: possible(up_degrees + Math.sign(apart) * Math.max(MIN_PEAK_BEYOND_DEGREES, beyond)),
  }
}

const possible = (degrees: number): number => Math.min(176, Math.max(10, degrees))

function sideOf({ side }: PlannedExercise, config: PoseConfig | null, random: Random): Exercise['side'] {
  if (config?.side === 'both') return 'both'
  if (config?.side === 'left' || config?.side === 'right') return config.side
  return side === 'left' || side === 'right' ? side : random() < 0.5 ? 'left' : 'right'
}
