// How one exercise is measured. A repetition leads from rest, where the angle is beyond `down_degrees`, to the working end
// beyond `up_degrees` and back to rest. Whether the angle grows (raising an arm: down 30, up 80) or shrinks (a squat:
// down 160, up 110) follows from the two. The distance between them is the hysteresis of counting; `hysteresis_degrees`
// is how far a hold may leave its target before it ends.
import { type Angle, angleOn, isLandmark, type LandmarkName, type Side, sideOf } from './landmarks.ts'

export const POSE_ENGINE = 'blazepose-33'
export const POSE_SIDES = ['left', 'right', 'both', 'auto'] as const
export const CAMERA_VIEWS = ['side', 'front'] as const
export const CAMERA_HEIGHTS = ['floor', 'hip', 'chest'] as const
export const FEEDBACK_CONDITIONS = ['range_below', 'range_above', 'tempo_below', 'tempo_above', 'hold_below'] as const

export interface FeedbackRule {
  code: string
  when: (typeof FEEDBACK_CONDITIONS)[number]
  /** Degrees for a range, else seconds. */
  value: number
  /** By language. */
  message: Record<string, string>
}

/** Where the camera must stand for the joint to be seen well. */
export interface CameraPlace {
  view: (typeof CAMERA_VIEWS)[number]
  distance_m: number
  height: (typeof CAMERA_HEIGHTS)[number]
  /** What to tell the patient, by language. */
  text: Record<string, string>
}

export interface PoseConfig {
  engine_code: typeof POSE_ENGINE
  /** What the camera must see and a client draws; those of the angle are among them. */
  landmarks: LandmarkName[]
  /** The second is the vertex. The other side is its mirror image. */
  primary_angle: Angle
  /** `auto`: the side that moves. `both`: left and right at the same time are one repetition, in turns they are two. */
  side: (typeof POSE_SIDES)[number]
  thresholds: { up_degrees: number; down_degrees: number; hysteresis_degrees: number }
  /** How long each repetition should be held. */
  hold_seconds: number | null
  /** The angles between which the working end should lie; a hold is the time between them, or beyond `up_degrees`. */
  target_range_degrees: { min: number; max: number } | null
  min_visibility: number
  feedback_rules: FeedbackRule[]
  camera: CameraPlace | null
}

/** Counting needs room between the thresholds: a camera is off by several degrees. */
const THRESHOLDS_MIN_APART_DEGREES = 15
const MIN_VISIBILITY = 0.5
const FEEDBACK_RULES_MAX = 20
const MESSAGE_MAX_LENGTH = 300

/** The configuration with its defaults, or by field what is wrong with it. */
export type ParsedPoseConfig = { config: PoseConfig } | { fields: Record<string, string> }

export function parsePoseConfig(given: unknown): ParsedPoseConfig {
  const fields: Record<string, string> = {}
  const check = checker(fields)
  const config = check.object('', given, CONFIG_KEYS)
  if (!config) return { fields: { config: 'must be an object' } }

  if (config.engine_code !== POSE_ENGINE) fields.engine_code = `must be "${POSE_ENGINE}"`
  const side = check.oneOf('side', config.side ?? 'auto', POSE_SIDES)
  const primary_angle = check.angle('primary_angle', config.primary_angle)
  const landmarks = check.landmarks('landmarks', config.landmarks)
  if (primary_angle && side && landmarks) {
    const needed = sidesOf(side).flatMap((one) => angleOn(one, primary_angle))
    const missing = needed.filter((name) => !landmarks.includes(name))
    if (missing.length > 0) fields.landmarks = `must contain the points of the angle: ${missing.join(', ')}`
  }
  const thresholds = check.thresholds('thresholds', config.thresholds)
  const target_range_degrees = check.range('target_range_degrees', config.target_range_degrees ?? null)
  const hold_seconds = check.optional('hold_seconds', config.hold_seconds ?? null, 0.5, 600)
  const min_visibility = check.number('min_visibility', config.min_visibility ?? MIN_VISIBILITY, 0.3, 0.95)
  const feedback_rules = check.rules('feedback_rules', config.feedback_rules ?? [])
  const camera = check.camera('camera', config.camera ?? null)

  if (Object.keys(fields).length > 0 || !primary_angle || !landmarks || !side || !thresholds) return { fields }
  return {
    config: {
      engine_code: POSE_ENGINE,
      landmarks,
      primary_angle,
      side,
      thresholds,
      hold_seconds,
      target_range_degrees,
      min_visibility,
      feedback_rules,
      camera,
    },
  }
}

const sidesOf = (side: PoseConfig['side']): Side[] => (side === 'both' || side === 'auto' ? ['left', 'right'] : [side])

const CONFIG_KEYS = [
  'engine_code',
  'landmarks',
  'primary_angle',
  'side',
  'thresholds',
  'hold_seconds',
  'target_range_degrees',
  'min_visibility',
  'feedback_rules',
  'camera',
]

/** Reads one kind of value each; what does not fit is written into `fields` under its path. */
function checker(fields: Record<string, string>) {
  const object = (path: string, value: unknown, keys: string[]): Record<string, unknown> | undefined => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      if (path) fields[path] = 'must be an object'
      return undefined
    }
    for (const key of Object.keys(value))
      if (!keys.includes(key)) fields[path ? `${path}.${key}` : key] = `is not known; known are ${keys.join(', ')}`
    return { ...value }
  }

  const number = (path: string, value: unknown, min: number, max: number): number => {
    if (typeof value === 'number' && value >= min && value <= max) return value
    fields[path] = `must be a number from ${min} to ${max}`
    return min
  }

  const oneOf = <Value extends string>(path: string, value: unknown, known: readonly Value[]): Value | undefined => {
    const found = known.find((one) => one === value)
    if (!found) fields[path] = `must be one of ${known.join(', ')}`
    return found
  }

  const text = (path: string, value: unknown, shape: RegExp, words: string): string => {
    if (typeof value === 'string' && shape.test(value)) return value
    fields[path] = words
    return ''
  }

  /** By language. */
  const texts = (path: string, value: unknown): Record<string, string> =>
    Object.fromEntries(
      Object.entries(object(path, value, Object.keys(Object(value))) ?? {}).map(([language, words]) => [
        text(path, language, /^[a-z]{2}$/, 'must have languages of two letters as keys'),
        text(
          `${path}.${language}`,
          words,
          new RegExp(`^[^]{1,${MESSAGE_MAX_LENGTH}}$`),
          `must be text of 1 to ${MESSAGE_MAX_LENGTH} characters`,
        ),
      ]),
    )

  return {
    object,
    number,
    oneOf,
    optional: (path: string, value: unknown, min: number, max: number): number | null =>
      value === null ? null : number(path, value, min, max),

    landmarks(path: string, value: unknown): LandmarkName[] | undefined {
      if (Array.isArray(value) && value.every(isLandmark) && new Set(value).size === value.length) return value
      fields[path] = 'must be a list of different BlazePose landmarks, such as "left_knee"'
      return undefined
    },

    angle(path: string, value: unknown): Angle | undefined {
      const [first, vertex, last, ...more] = Array.isArray(value) ? value : []
      const points = [first, vertex, last]
      if (more.length === 0 && isLandmark(first) && isLandmark(vertex) && isLandmark(last))
        if (new Set(points).size === 3 && sideOf(vertex)) return [first, vertex, last]
      fields[path] = 'must name three different landmarks, the middle one (the joint) of the left or right side'
      return undefined
    },

    thresholds(path: string, value: unknown): PoseConfig['thresholds'] | undefined {
      const given = object(path, value, ['up_degrees', 'down_degrees', 'hysteresis_degrees'])
      if (!given) return undefined
      const up_degrees = number(`${path}.up_degrees`, given.up_degrees, 0, 180)
      const down_degrees = number(`${path}.down_degrees`, given.down_degrees, 0, 180)
      const apart = Math.abs(up_degrees - down_degrees)
      if (apart < THRESHOLDS_MIN_APART_DEGREES)
        fields[`${path}.up_degrees`] ??= `must be at least ${THRESHOLDS_MIN_APART_DEGREES} degrees from down_degrees`
      const hysteresis_degrees = number(`${path}.hysteresis_degrees`, given.hysteresis_degrees ?? 5, 1, 30)
      return { up_degrees, down_degrees, hysteresis_degrees }
    },

    range(path: string, value: unknown): PoseConfig['target_range_degrees'] {
      if (value === null) return null
      const given = object(path, value, ['min', 'max'])
      if (!given) return null
      const min = number(`${path}.min`, given.min, 0, 180)
      const max = number(`${path}.max`, given.max, 0, 180)
      if (min >= max) fields[`${path}.min`] ??= 'must be less than max'
      return { min, max }
    },

    camera(path: string, value: unknown): CameraPlace | null {
      if (value === null) return null
      const given = object(path, value, ['view', 'distance_m', 'height', 'text'])
      if (!given) return null
      return {
        view: oneOf(`${path}.view`, given.view, CAMERA_VIEWS) ?? 'side',
        distance_m: number(`${path}.distance_m`, given.distance_m, 0.5, 10),
        height: oneOf(`${path}.height`, given.height, CAMERA_HEIGHTS) ?? 'hip',
        text: texts(`${path}.text`, given.text),
      }
    },

    rules(path: string, value: unknown): FeedbackRule[] {
      if (!Array.isArray(value) || value.length > FEEDBACK_RULES_MAX) {
        fields[path] = `must be a list of at most ${FEEDBACK_RULES_MAX} rules`
        return []
      }
      const rules = value.map((one, index) => {
        const here = `${path}.${index}`
        const rule = object(here, one, ['code', 'when', 'value', 'message']) ?? {}
        const message = texts(`${here}.message`, rule.message)
        return {
          code: text(`${here}.code`, rule.code, /^[a-z][a-z0-9_]{0,49}$/, 'must be small letters, digits and "_"'),
          when: oneOf(`${here}.when`, rule.when, FEEDBACK_CONDITIONS) ?? 'range_below',
          value: number(`${here}.value`, rule.value, 0, 600),
          message,
        }
      })
      if (new Set(rules.map(({ code }) => code)).size < rules.length) fields[path] = 'must have different codes'
      return rules
    },
  }
}
