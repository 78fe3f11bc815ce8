// A pose configuration taught by showing the exercise: of all joints the one that moves most and is counted well. What it did
// becomes the thresholds and the range; a specialist reviews them.
import type { PoseBatch } from './codec.ts'
import { POSE_ENGINE, type PoseConfig, parsePoseConfig } from './config.ts'
import type { Curve } from './curve.ts'
import { createFrameSlots } from './frames.ts'
import { type Angle, angleOn, type Side } from './landmarks.ts'
import { measure } from './measure.ts'
import type { ExerciseMetrics } from './metrics.ts'
import { quantile, within } from './numbers.ts'
import { createSight } from './sight.ts'

export const TAUGHT_JOINTS = ['knee', 'hip', 'elbow', 'shoulder', 'ankle'] as const
type TaughtJoint = (typeof TAUGHT_JOINTS)[number]

const JOINTS: Record<TaughtJoint, Angle> = {
  knee: ['left_hip', 'left_knee', 'left_ankle'],
  hip: ['left_shoulder', 'left_hip', 'left_knee'],
  elbow: ['left_shoulder', 'left_elbow', 'left_wrist'],
  shoulder: ['left_hip', 'left_shoulder', 'left_elbow'],
  ankle: ['left_knee', 'left_ankle', 'left_foot_index'],
}
export const TAUGHT_SECONDS_MAX = 60

export interface Proposal {
  joint: TaughtJoint
  config: PoseConfig
  /** How the recording is measured with it. */
  measured: ExerciseMetrics
  /** Other joints that moved, with their range. */
  others: { joint: TaughtJoint; side: Side | 'both'; range_degrees: number }[]
}

/** Why nothing can be proposed. */
export type NoProposal = 'no_frames' | 'too_long' | 'no_movement' | 'not_clear'

const RANGE_MIN_DEGREES = 28
/** Both sides take part when the weaker moves at least this share of the stronger. */
const BOTH_SHARE = 0.6
/** Where the thresholds lie between rest and working end, and how far around it the target reaches. */
const SHARES = { down: 0.3, up: 0.7 }
/** Of a small movement, as thresholds must be 15 degrees apart. */
const SMALL_DEGREES = 40
const SHARES_OF_SMALL = { down: 0.2, up: 0.8 }
const TARGET_SHARE = 0.15
const REST_SECONDS = 0.5
const CONFIDENCE_MIN = 0.5

/** `joint`: asks for this one, when several move together as knee and hip in a squat. */
export function proposeConfig(batches: readonly PoseBatch[], joint?: TaughtJoint): Proposal | NoProposal {
  const times = batches.flatMap(({ timestamps }) => [...timestamps])
  const [first, last] = [Math.min(...times), Math.max(...times)]
  if (times.length === 0) return 'no_frames'
  if (last - first > TAUGHT_SECONDS_MAX * 1000) return 'too_long'
  const moved = TAUGHT_JOINTS.flatMap((one) => movedOf(one, JOINTS[one], batches, first, last) ?? []).sort(
    (a, b) => b.range - a.range,
  )
  if (moved.length === 0) return 'no_movement'
  const span = { media_id: 'taught', from_ms: first, to_ms: last + 1 }
  for (const one of moved) {
    if (joint !== undefined && one.joint !== joint) continue
    const config = configOf(one)
    const [measured] = measure(batches, {
      spans: [span],
      exercises: [{ media_id: 'taught', pose_config: config }],
    }).exercises
    if (!measured?.repetitions || measured.confidence < CONFIDENCE_MIN) continue
    const others = moved.flatMap((other) =>
      other === one ? [] : [{ joint: other.joint, side: other.side, range_degrees: Math.round(other.range) }],
    )
    return { joint: one.joint, config, measured, others }
  }
  return 'not_clear'
}

interface Moved {
  joint: TaughtJoint
  angle: Angle
  side: Side | 'both'
  rest: number
  peak: number
  range: number
}

/** How a joint moved; undefined when it did not, or was not seen. */
function movedOf(
  joint: TaughtJoint,
  angle: Angle,
  batches: readonly PoseBatch[],
  from_ms: number,
  to_ms: number,
): Moved | undefined {
  const span = { media_id: joint, from_ms, to_ms: to_ms + 1 }
  const config = configOf({ joint, angle, side: 'both', rest: 0, peak: 90, range: 90 })
  const slots = createFrameSlots([span], new Map([[joint, config]]))
  for (const batch of batches) slots.add(batch)
  const sides = (['left', 'right'] as const).flatMap((side) => {
    const sight = createSight(side, 1, config.min_visibility)
    for (const { time_ms, values } of slots.between(from_ms, to_ms + 1))
      sight.push(time_ms / 1000, (time_ms - from_ms) / 1000, values)
    const { curve, good } = sight.read()
    return good >= 0.5 && curve.degrees.length > 0 ? [{ side, ...endsOf(curve) }] : []
  })
  const [one, other] = sides.sort((a, b) => b.range - a.range)
  if (!one || one.range < RANGE_MIN_DEGREES) return undefined
  const isBoth = other !== undefined && other.range >= BOTH_SHARE * one.range
  return { joint, angle, ...one, side: isBoth ? 'both' : one.side }
}

/** Rest is the end nearer to where the recording began. */
function endsOf({ seconds, degrees }: Curve) {
  const [low, high] = [quantile(degrees, 0.05), quantile(degrees, 0.95)]
  const begun = degrees.filter((_, frame) => (seconds[frame] ?? 0) <= (seconds[0] ?? 0) + REST_SECONDS)
  const isLowRest = quantile(begun, 0.5) - low <= high - quantile(begun, 0.5)
  return isLowRest ? { rest: low, peak: high, range: high - low } : { rest: high, peak: low, range: high - low }
}

function configOf({ angle, side, rest, peak, range }: Moved): PoseConfig {
  const shares = range < SMALL_DEGREES ? SHARES_OF_SMALL : SHARES
  const at = (share: number) => Math.round(within(0, rest + share * (peak - rest), 180))
  const target = [at(1 - TARGET_SHARE), at(1 + TARGET_SHARE)].sort((a, b) => a - b)
  const parsed = parsePoseConfig({
    engine_code: POSE_ENGINE,
    landmarks: [...angleOn('left', angle), ...angleOn('right', angle)],
    primary_angle: [...angle],
    side,
    thresholds: { up_degrees: at(shares.up), down_degrees: at(shares.down) },
    target_range_degrees: { min: target[0], max: target[1] },
  })
  if ('fields' in parsed) throw new Error(`A proposal must be valid: ${JSON.stringify(parsed.fields)}`)
  return parsed.config
}
