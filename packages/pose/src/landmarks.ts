// The 33 points of BlazePose in their order in a frame. Left and right are the patient's own.

export const LANDMARKS = [
  'nose',
  'left_eye_inner',
  'left_eye',
  'left_eye_outer',
  'right_eye_inner',
  'right_eye',
  'right_eye_outer',
  'left_ear',
  'right_ear',
  'mouth_left',
  'mouth_right',
  'left_shoulder',
  'right_shoulder',
  'left_elbow',
  'right_elbow',
  'left_wrist',
  'right_wrist',
  'left_pinky',
  'right_pinky',
  'left_index',
  'right_index',
  'left_thumb',
  'right_thumb',
  'left_hip',
  'right_hip',
  'left_knee',
  'right_knee',
  'left_ankle',
  'right_ankle',
  'left_heel',
  'right_heel',
  'left_foot_index',
  'right_foot_index',
] as const

export type LandmarkName = (typeof LANDMARKS)[number]
export type Side = 'left' | 'right'
/** Two arms of an angle with its vertex between them. */
export type Angle = readonly [LandmarkName, LandmarkName, LandmarkName]

const INDEX = new Map<string, number>(LANDMARKS.map((name, index) => [name, index]))

export const isLandmark = (name: unknown): name is LandmarkName => typeof name === 'string' && INDEX.has(name)

export const landmarkIndex = (name: LandmarkName): number => INDEX.get(name) ?? 0

/** The same point of the other side; the nose is its own. */
export function oppositeOf(name: LandmarkName): LandmarkName {
  const other = name.replace(/left|right/, (side) => (side === 'left' ? 'right' : 'left'))
  return isLandmark(other) ? other : name
}

export function sideOf(name: LandmarkName): Side | undefined {
  if (name.includes('left')) return 'left'
  return name.includes('right') ? 'right' : undefined
}

/** An angle is written for one side, that of its vertex; on the other side it is the mirror image. */
export function angleOn(side: Side, angle: Angle): Angle {
  if (sideOf(angle[1]) === side) return angle
  return [oppositeOf(angle[0]), oppositeOf(angle[1]), oppositeOf(angle[2])]
}

/** Pairs of landmarks between which a client draws a line. */
export const CONNECTIONS: readonly (readonly [LandmarkName, LandmarkName])[] = [
  ['left_shoulder', 'right_shoulder'],
  ['left_hip', 'right_hip'],
  ...(['left', 'right'] as const).flatMap((side) =>
    (
      [
        ['shoulder', 'elbow'],
        ['elbow', 'wrist'],
        ['wrist', 'pinky'],
        ['wrist', 'index'],
        ['wrist', 'thumb'],
        ['pinky', 'index'],
        ['shoulder', 'hip'],
        ['hip', 'knee'],
        ['knee', 'ankle'],
        ['ankle', 'heel'],
        ['ankle', 'foot_index'],
        ['heel', 'foot_index'],
      ] as const
    ).map(([from, to]) => [`${side}_${from}`, `${side}_${to}`] as const),
  ),
]
