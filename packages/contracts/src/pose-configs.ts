import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Name, Nullable, Timestamp } from './shapes.ts'

/** The newest active version is in force. */
export const POSE_CONFIG_STATUSES = ['draft', 'active'] as const

const EXAMPLE = {
  engine_code: 'blazepose-33',
  landmarks: ['left_hip', 'left_knee', 'left_ankle', 'right_hip', 'right_knee', 'right_ankle'],
  primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
  side: 'both',
  thresholds: { up_degrees: 110, down_degrees: 160, hysteresis_degrees: 5 },
  hold_seconds: null,
  target_range_degrees: { min: 80, max: 110 },
  min_visibility: 0.5,
  feedback_rules: [
    { code: 'deeper', when: 'range_below', value: 50, message: { en: 'A little deeper.', ro: 'Puțin mai jos.' } },
  ],
}

const Degrees = Type.Number({ examples: [110] })
const Landmark = Type.String({ examples: ['left_knee'] })

/** As packages/pose reads and checks it. */
export const PoseConfig = Type.Object(
  {
    engine_code: Type.String({ examples: ['blazepose-33'] }),
    landmarks: Type.Array(Landmark, {
      description: 'What the camera must see; the points of the angle are among them.',
    }),
    primary_angle: Type.Array(Landmark, { description: 'Three landmarks; the joint stands in the middle.' }),
    side: Type.String({ description: '`left`, `right`, `both`, or `auto`: the side that moves.', examples: ['both'] }),
    thresholds: Type.Object(
      { up_degrees: Degrees, down_degrees: Degrees, hysteresis_degrees: Type.Number({ examples: [5] }) },
      { description: 'A repetition leads from rest, beyond down, to the working end, beyond up, and back.' },
    ),
    hold_seconds: Nullable(Type.Number({ examples: [5] })),
    target_range_degrees: Nullable(Type.Object({ min: Degrees, max: Degrees })),
    min_visibility: Type.Number({ description: 'Below it a point counts as not seen.', examples: [0.5] }),
    feedback_rules: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['deeper'] }),
        when: Type.String({ examples: ['range_below'] }),
        value: Type.Number({ examples: [50] }),
        message: Type.Record(Type.String(), Type.String(), { examples: [{ en: 'A little deeper.' }] }),
      }),
    ),
  },
  { examples: [EXAMPLE] },
)

const AssetVersion = Type.String({ ...Name(100, '1'), description: 'The version of the films that it was made for.' })
const TrackingEnabled = Type.Boolean({ description: 'Whether a camera may follow the exercise.', examples: [true] })

export const PoseConfigVersion = Type.Object({
  id: Id,
  exercise_id: Id,
  version: Type.Integer({ examples: [1] }),
  tracking_enabled: TrackingEnabled,
  engine_code: Type.String({ examples: ['blazepose-33'] }),
  status: Enum(POSE_CONFIG_STATUSES, 'active'),
  pinned_asset_version: Nullable(AssetVersion),
  config: PoseConfig,
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
})
export type PoseConfigVersion = Static<typeof PoseConfigVersion>

export const PoseConfigVersions = Type.Object({ versions: Type.Array(PoseConfigVersion) })

export const NewPoseConfig = Body({
  tracking_enabled: Type.Optional(TrackingEnabled),
  status: Type.Optional(
    Type.Unsafe<(typeof POSE_CONFIG_STATUSES)[number]>({
      ...Enum(POSE_CONFIG_STATUSES, 'active'),
      description: '`active` unless said: in force at once. A `draft` waits; write it again as active.',
    }),
  ),
  pinned_asset_version: Type.Optional(Nullable(AssetVersion)),
  // Checked by packages/pose, which names every field that is wrong.
  config: Type.Unsafe<unknown>({ type: 'object', description: 'As in the answer.', examples: [EXAMPLE] }),
})
export type NewPoseConfig = Static<typeof NewPoseConfig>

const SlugOrId = Type.String({
  minLength: 2,
  maxLength: 63,
  pattern: '^[A-Za-z0-9-]+$',
  description: 'The slug of the exercise, or its id.',
  examples: ['squat'],
})

export const ByExerciseSlug = Type.Object({ id: SlugOrId })
export const ByPoseConfigVersion = Type.Object({
  id: SlugOrId,
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] }),
})
