import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Name, Nullable, Timestamp } from './shapes.ts'

/** The newest active version is the current one. */
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
  camera: {
    view: 'side',
    distance_m: 2.5,
    height: 'hip',
    text: {
      en: 'Put the camera to your side, 2.5 m away, at hip height.',
      ro: 'Așezați camera lateral, la 2,5 m, la înălțimea șoldului.',
    },
  },
}

const Degrees = Type.Number({ examples: [110] })
const Landmark = Type.String({ examples: ['left_knee'] })

/** The format that packages/pose reads and checks. */
export const PoseConfig = Type.Object(
  {
    engine_code: Type.String({ examples: ['blazepose-33'] }),
    landmarks: Type.Array(Landmark, {
      description: 'Landmarks that the camera must see, including those of the angle.',
    }),
    primary_angle: Type.Array(Landmark, { description: 'Three landmarks, with the joint in the middle.' }),
    side: Type.String({ description: '`left`, `right`, `both`, or `auto`: the side that moves.', examples: ['both'] }),
    thresholds: Type.Object(
      { up_degrees: Degrees, down_degrees: Degrees, hysteresis_degrees: Type.Number({ examples: [5] }) },
      { description: 'A repetition goes from rest (beyond `down`) to the end position (beyond `up`) and back.' },
    ),
    hold_seconds: Nullable(Type.Number({ examples: [5] })),
    target_range_degrees: Nullable(Type.Object({ min: Degrees, max: Degrees })),
    min_visibility: Type.Number({
      description: 'Landmarks with a lower visibility count as not seen.',
      examples: [0.5],
    }),
    feedback_rules: Type.Array(
      Type.Object({
        code: Type.String({ examples: ['deeper'] }),
        when: Type.String({ examples: ['range_below'] }),
        value: Type.Number({ examples: [50] }),
        message: Type.Record(Type.String(), Type.String(), { examples: [{ en: 'A little deeper.' }] }),
      }),
    ),
    camera: Type.Optional(
      Nullable(
        Type.Object(
          {
            view: Type.String({ description: '`side` or `front` of the patient.', examples: ['side'] }),
            distance_m: Type.Number({ examples: [2.5] }),
            height: Type.String({ description: '`floor`, `hip` or `chest`.', examples: ['hip'] }),
            text: Type.Record(Type.String(), Type.String(), {
              description: 'What to tell the patient, by language.',
              examples: [{ en: 'Put the camera to your side, 2.5 m away, at hip height.' }],
            }),
          },
          { description: 'Where the camera must stand. null: not said. Absent in versions from before it was known.' },
        ),
      ),
    ),
  },
  { examples: [EXAMPLE] },
)

const AssetVersion = Type.String({ ...Name(100, '1'), description: 'The version of the videos that it was made for.' })
const TrackingEnabled = Type.Boolean({
  description: 'Whether the exercise can be tracked by camera.',
  examples: [true],
})

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
      description: '`active` (the default) takes effect immediately. A `draft` does not; write it again as active.',
    }),
  ),
  pinned_asset_version: Type.Optional(Nullable(AssetVersion)),
  // Checked by packages/pose, which names every field that is wrong.
  config: Type.Unsafe<unknown>({
    type: 'object',
    description: 'The same format as in the response.',
    examples: [EXAMPLE],
  }),
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

export const TAUGHT_JOINTS = ['knee', 'hip', 'elbow', 'shoulder', 'ankle'] as const
/** 60 s at 60 frames a second do not compress to more. */
export const MAX_RECORDING_LENGTH = 3_000_000

const Joint = Enum(TAUGHT_JOINTS, 'knee')
const Range = Type.Integer({ description: 'Degrees between rest and working end.', minimum: 0, examples: [84] })

export const PoseConfigRecording = Body({
  recording: Type.String({
    minLength: 4,
    maxLength: MAX_RECORDING_LENGTH,
    pattern: '^[A-Za-z0-9+/]+={0,2}$',
    description:
      'One to three good repetitions, 60 seconds at most, in the pose batch format: batches one after the other, compressed with gzip, in base64. Landmarks are world landmarks in metres.',
    examples: ['H4sIAAAAAAAAA2NkYGBgAgBqiKVXCQAAAA=='],
  }),
  joint: Type.Optional(
    Type.Unsafe<(typeof TAUGHT_JOINTS)[number]>({
      ...Joint,
      description:
        'Which joint, when several move together, as knee and hip in a squat. Otherwise the one that moves most.',
    }),
  ),
})
export type PoseConfigRecording = Static<typeof PoseConfigRecording>

export const PoseConfigProposal = Type.Object({
  joint: Joint,
  config: PoseConfig,
  repetitions: Type.Integer({ description: 'Counted in the recording with this configuration.', examples: [3] }),
  confidence: Type.Number({ examples: [0.94] }),
  range_degrees: Range,
  others: Type.Array(Type.Object({ joint: Joint, side: Type.String({ examples: ['both'] }), range_degrees: Range }), {
    description: 'Other joints that moved.',
  }),
})
export type PoseConfigProposal = Static<typeof PoseConfigProposal>
