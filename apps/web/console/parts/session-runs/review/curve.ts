import { type Angle, angleOn, jointOf, parsePoseConfig, VALUES_PER_FRAME } from '@tendon/pose'
import type { PoseConfig, RunTimeline } from '@tendon/sdk'
import type { Playback } from './playback.ts'
import type { ReplayFrames } from './replay.ts'

export interface Curve {
  /** Seconds of the run. */
  seconds: number[]
  /** null in a gap. */
  degrees: (number | null)[]
}

export interface FollowedJoint {
  angle: Angle
  /** Where rest ends and the working end begins, in degrees. */
  thresholds: { up_degrees: number; down_degrees: number } | null
}

const GAP_MS = 700
const VISIBLE = 0.3
/** For an exercise whose configuration was deleted: the joint that moved most. */
const JOINTS: readonly Angle[] = [
  ['left_hip', 'left_knee', 'left_ankle'],
  ['left_shoulder', 'left_hip', 'left_knee'],
  ['left_shoulder', 'left_elbow', 'left_wrist'],
  ['left_hip', 'left_shoulder', 'left_elbow'],
]

type Exercise = RunTimeline['exercises'][number]

/** The joint that the exercise measures, on the measured side. */
export function jointFor(
  exercise: Exercise,
  config: PoseConfig | undefined,
  frames: ReplayFrames,
  spans: Playback['spans'],
): FollowedJoint {
  const sides = exercise.repetitions.some(({ side }) => side === 'right') ? (['right'] as const) : (['left'] as const)
  const parsed = config && parsePoseConfig(config)
  if (parsed && 'config' in parsed) {
    const { primary_angle, thresholds } = parsed.config
    return { angle: angleOn(sides[0], primary_angle), thresholds }
  }
  const own = spans.filter((span) => span.exercise === exercise)
  const ranges = JOINTS.flatMap((joint) => (['left', 'right'] as const).map((side) => angleOn(side, joint))).map(
    (angle) => ({ angle, range: rangeOf(angle, frames, own) }),
  )
  const most = ranges.reduce((best, one) => (one.range > best.range ? one : best))
  return { angle: most.angle, thresholds: null }
}

function rangeOf(angle: Angle, frames: ReplayFrames, spans: Playback['spans']): number {
  const seen = [...frames.times.keys()]
    .filter((frame) => {
      const time = frames.times[frame] ?? 0
      return spans.some(({ from_ms, to_ms }) => time >= from_ms && time < to_ms)
    })
    .map((frame) => jointOf(frames.landmarks, angle, frame * VALUES_PER_FRAME))
    .filter(({ visibility }) => visibility >= VISIBLE)
    .map(({ degrees }) => degrees)
  return seen.length === 0 ? 0 : Math.max(...seen) - Math.min(...seen)
}

/** The angle over the whole run, of the joint that each exercise measures. */
export function curveOf(
  frames: ReplayFrames,
  spans: Playback['spans'],
  joints: ReadonlyMap<string, FollowedJoint>,
): Curve {
  const curve: Curve = { seconds: [], degrees: [] }
  let before = Number.NEGATIVE_INFINITY
  frames.times.forEach((time, frame) => {
    const span = spans.find(({ from_ms, to_ms }) => time >= from_ms && time < to_ms)
    const joint = span && joints.get(span.exercise.session_exercise_id)
    if (!joint) return
    if (time - before > GAP_MS && curve.seconds.length > 0) {
      curve.seconds.push((before + 1) / 1000)
      curve.degrees.push(null)
    }
    before = time
    const { degrees, visibility } = jointOf(frames.landmarks, joint.angle, frame * VALUES_PER_FRAME)
    curve.seconds.push(time / 1000)
    curve.degrees.push(visibility >= VISIBLE ? Math.round(degrees * 10) / 10 : null)
  })
  return curve
}
