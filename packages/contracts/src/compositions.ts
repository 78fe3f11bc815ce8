import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Slug, Timestamp } from './shapes.ts'

const SIDES = ['left', 'right'] as const
export type Side = (typeof SIDES)[number]
export const LATERALITIES = ['bilateral', 'unilateral'] as const
export const COMPOSITION_REPS = [5, 10, 15, 20] as const
const MAX_SETS = 20
/** The longest JSON body that the composer reads. */
export const MAX_COMPOSER_BODY_BYTES = 64 * 1024

export const CompositionLanguage = Type.String({
  pattern: '^[a-z]{2,3}$',
  description: 'The code of a language.',
  examples: ['en'],
})

const count = (maximum: number, example: number) => Type.Integer({ minimum: 1, maximum, examples: [example] })

/** What a bundle of filmed pieces is made of. */
export const CompositionManifest = Type.Object(
  {
    manifest_version: Type.Literal(1, { examples: [1] }),
    exercise: Slug,
    kind: Enum(['reps_based', 'duration_based', 'static']),
    languages: Type.Array(CompositionLanguage, { minItems: 1, maxItems: 20, uniqueItems: true }),
    laterality: Type.Optional(Enum(LATERALITIES)),
    reps_per_video_block: Type.Optional(count(20, 5)),
    counts_per_audio_master: Type.Optional(count(100, 10)),
    hold_seconds: Type.Optional(count(600, 30)),
    holds_per_video_block: Type.Optional(count(100, 1)),
    max_holds: Type.Optional(count(100, 5)),
  },
  { additionalProperties: false },
)
export type CompositionManifest = Static<typeof CompositionManifest>

/** How many blocks of repetitions one voice-over counts through. */
export function blocksPerVoice({
  reps_per_video_block: block = 1,
  counts_per_audio_master: counts = block,
}: CompositionManifest): number {
  return Math.max(1, Math.floor(counts / block))
}

export const CompositionSet = Type.Object(
  {
    side: Enum(SIDES),
    reps: Type.Unsafe<number>({
      type: 'integer',
      minimum: 5,
      maximum: 20,
      multipleOf: 5,
      description: '5, 10, 15 or 20.',
      examples: [10],
    }),
  },
  { additionalProperties: false },
)
export type CompositionSet = Static<typeof CompositionSet>

const Seed = Type.Integer({
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Chooses among the variants of each clip; the same seed gives the same video.',
  examples: [7],
})

export const NewComposition = Body({
  exercise: Slug,
  language: CompositionLanguage,
  sets: Type.Array(CompositionSet, { minItems: 1, maxItems: MAX_SETS }),
  seed: Seed,
})
export type NewComposition = Static<typeof NewComposition>

export const RENDER_STATUSES = [
  'queued',
  'rendering',
  'uploading',
  'transcoding',
  'ready',
  'failed',
  'cancelled',
] as const
export type RenderStatus = (typeof RENDER_STATUSES)[number]

/** The first three are steps of the status `rendering`. */
export const RENDER_STAGES = ['normalising', 'joining', 'checking', 'uploading', 'transcoding'] as const
export type RenderStage = (typeof RENDER_STAGES)[number]

const RenderError = Type.Object({
  code: Type.String({ examples: ['bad_clip'] }),
  message: Type.String({ examples: ['rep-left-video-2.mp4 cannot be used: it is damaged or of another format.'] }),
})

const RenderWait = Type.Object(
  {
    for: Enum(['host', 'disk']),
    until: Timestamp,
  },
  {
    description:
      'Why a render that was started waits, and when it is tried again: host, the video host is unavailable or asked to wait; disk, the disk of the renderer is full. Null when it does not wait for either.',
  },
)

const url = (description: string) =>
  Type.String({ examples: ['https://api.tendon.example/v1/public/renders/…'], description })

export const Render = Type.Object({
  id: Id,
  exercise: Slug,
  asset_version: Type.Integer({ examples: [3] }),
  language: CompositionLanguage,
  sets: Type.Array(CompositionSet),
  seed: Seed,
  status: Enum(RENDER_STATUSES),
  progress: Type.Integer({ minimum: 0, maximum: 100, examples: [40] }),
  stage: Nullable(
    Type.Unsafe<RenderStage>({
      type: 'string',
      enum: [...RENDER_STAGES],
      description:
        'The step that is running: converting the clips, joining them, checking the result, sending it to the video host, or the work of the host. Null before the render starts and after it has ended.',
      examples: ['normalising'],
    }),
  ),
  duration_seconds: Nullable(Type.Number({ examples: [62.4] })),
  playback_hls_url: url('Plays for six hours after it was read, once the status is ready; 404 not_ready before.'),
  poster_url: Nullable(url('A picture of the film; null until the status is ready.')),
  captions: Type.Array(CompositionLanguage, { description: 'Languages of the captions in the film.' }),
  waiting: Nullable(RenderWait),
  error: Nullable(RenderError),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Render = Static<typeof Render>

/** The answer to a composition: the render, and the two names that the specification gives. */
export const Composed = Type.Object({ video_id: Id, ...Render.properties })
export type Composed = Static<typeof Composed>

export const CompositionPreview = Type.Object({
  exercise: Slug,
  asset_version: Type.Integer({ examples: [3] }),
  duration_seconds: Type.Number({ examples: [62.4] }),
  missing: Type.Array(Type.String({ examples: ['rep-right'] })),
  items: Type.Array(
    Type.Object({
      slot: Type.String({ examples: ['rep-left'] }),
      variant: Type.Integer({ examples: [2] }),
      file: Type.String({ examples: ['rep-left-video-2.mp4'] }),
      start_seconds: Type.Number({ examples: [4] }),
      duration_seconds: Type.Number({ examples: [12] }),
    }),
  ),
})
export type CompositionPreview = Static<typeof CompositionPreview>

export const renderList = {
  sort: ['created_at', 'updated_at'],
  ranges: ['created_at'],
  filters: { status: RENDER_STATUSES, exercise: 'text' },
} as const
