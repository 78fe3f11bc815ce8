// A person who stands: x to the picture's right (the person's left), y down, z away from the camera, in body heights.
import {
  type Angle,
  isLandmark,
  LANDMARKS,
  type LandmarkName,
  landmarkIndex,
  oppositeOf,
  type Side,
  sideOf,
} from './landmarks.ts'
import { RADIAN_DEGREES } from './numbers.ts'

type Point = readonly [x: number, y: number, z: number]

const LEFT_AND_MIDDLE: Partial<Record<LandmarkName, Point>> = {
  nose: [0, 0.08, -0.07],
  left_eye_inner: [0.01, 0.065, -0.06],
  left_eye: [0.018, 0.065, -0.06],
  left_eye_outer: [0.026, 0.065, -0.055],
  left_ear: [0.04, 0.075, 0],
  mouth_left: [0.015, 0.1, -0.06],
  left_shoulder: [0.11, 0.18, 0],
  left_elbow: [0.13, 0.35, 0.01],
  left_wrist: [0.14, 0.5, -0.02],
  left_pinky: [0.145, 0.55, -0.02],
  left_index: [0.14, 0.555, -0.04],
  left_thumb: [0.13, 0.53, -0.045],
  left_hip: [0.06, 0.5, 0],
  left_knee: [0.065, 0.73, -0.01],
  left_ankle: [0.065, 0.94, 0.02],
  left_heel: [0.06, 0.97, 0.04],
  left_foot_index: [0.08, 0.98, -0.07],
}

/** x, y, z of each landmark. */
const STANDING = Float64Array.from(
  LANDMARKS.flatMap((name) => {
    const [x, y, z] = LEFT_AND_MIDDLE[name] ?? LEFT_AND_MIDDLE[oppositeOf(name)] ?? [0, 0, 0]
    return sideOf(name) === 'right' ? [-x, y, z] : [x, y, z]
  }),
)

/** Where each landmark's opposite is. */
export const OPPOSITES = LANDMARKS.map((name) => landmarkIndex(oppositeOf(name)))

const HAND = ['wrist', 'pinky', 'index', 'thumb']
const FOOT = ['ankle', 'heel', 'foot_index']
const FOLLOWERS: Record<string, string[]> = { elbow: HAND, wrist: HAND, knee: FOOT, ankle: FOOT }

/** What moves along with a point, itself among it. */
function limbOf(name: LandmarkName): number[] {
  const [side = '', ...joint] = name.split('_')
  const along = (FOLLOWERS[joint.join('_')] ?? []).map((one) => `${side}_${one}`).filter(isLandmark)
  return [...new Set([name, ...along])].map(landmarkIndex)
}

const placeOf = (name: LandmarkName): number[] => [...STANDING.subarray(landmarkIndex(name) * 3).subarray(0, 3)]

export const standing = (): Float64Array => STANDING.slice()

export function put(body: Float64Array, name: LandmarkName, point: Point): void {
  body.set(point, landmarkIndex(name) * 3)
}

export type Bend = (body: Float64Array, degrees: number) => void

/** Turns the last point of an angle about the middle one until the angle is as wanted; what hangs on it comes along. */
export function bender(angle: Angle, plane: 'sagittal' | 'frontal', side: Side): Bend {
  const [a, v, c] = [placeOf(angle[0]), placeOf(angle[1]), placeOf(angle[2])]
  const limb = limbOf(angle[2])
  const arm = unit(minus(a, v))
  const towards = plane === 'sagittal' ? [0, 0, -1] : [side === 'left' ? 1 : -1, 0, 0]
  const across = unit(
    minus(
      towards,
      arm.map((one) => one * dot(towards, arm)),
    ),
  )
  const length = Math.sqrt(dot(minus(c, v), minus(c, v)))
  const home = minus(v, c)
  return (body, degrees) => {
    const [along, aside] = [length * Math.cos(degrees / RADIAN_DEGREES), length * Math.sin(degrees / RADIAN_DEGREES)]
    for (let axis = 0; axis < 3; axis += 1) {
      const shift = (home[axis] ?? 0) + along * (arm[axis] ?? 0) + aside * (across[axis] ?? 0)
      for (const landmark of limb) body[landmark * 3 + axis] = (body[landmark * 3 + axis] ?? 0) + shift
    }
  }
}

const minus = (a: number[], b: number[]): number[] => a.map((one, axis) => one - (b[axis] ?? 0))
const dot = (a: number[], b: number[]): number => a.reduce((sum, one, axis) => sum + one * (b[axis] ?? 0), 0)
const unit = (a: number[]): number[] => a.map((one) => one / Math.sqrt(dot(a, a)))
