import { type Static, type TSchema, Type } from 'typebox'
import { Contraindication } from './contraindications.ts'
import { Instruction } from './instructions.ts'
import { PrerequisiteSummary } from './prerequisites.ts'
import { Body, Enum, Id, Name, Nullable, Paragraphs, RowVersion, Slug as ShortSlug, Timestamp } from './shapes.ts'
import { BodyRegionSummary, ConditionSummary, TAG_KEYS, TagSummary } from './tags.ts'
import { TAXONOMY_AXES, type TaxonomyAxis } from './taxonomy.ts'
import { videoFields } from './videos.ts'

export const EXERCISE_STATUSES = ['draft', 'published', 'archived'] as const
export type ExerciseStatus = (typeof EXERCISE_STATUSES)[number]
export const DIFFICULTIES = ['beginner', 'intermediate', 'advanced'] as const
export const EXERCISE_KINDS = ['reps_based', 'duration_based', 'static'] as const
export type ExerciseKind = (typeof EXERCISE_KINDS)[number]
export const EXERCISE_SCOPES = ['global', 'org', 'all'] as const
const MAX_TAGS_PER_AXIS = 100

const ExerciseName = Name(200, 'Squat')
const Slug = Type.String({ ...ShortSlug, examples: ['squat'] })
const Description = Paragraphs(5_000, 'Strengthens thighs and hips.')
const InstructionsSummary = Paragraphs(5_000, 'Bend hips and knees, keep the back straight, come up again.')
const Difficulty = Enum(DIFFICULTIES)
const Seconds = Type.Integer({ minimum: 1, maximum: 86_400, examples: [120] })
const count = (maximum: number, example: number) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum, examples: [example] }))
const DefaultDose = Type.Object(
  { sets: count(100, 3), reps: count(1_000, 10), hold_seconds: count(3_600, 5), rest_seconds: count(3_600, 60) },
  { additionalProperties: false, description: 'A starting dose. The clinician adapts it to the patient.' },
)
const Progression = Type.String({
  ...Paragraphs(1_000, 'Hold a weight in front of the chest.'),
  description: 'How to make the exercise harder.',
})
const Regression = Type.String({
  ...Paragraphs(1_000, 'Sit down on a chair and stand up again.'),
  description: 'How to make the exercise easier.',
})
const Source = Type.String({
  ...Paragraphs(1_000, 'Kisner and Colby: Therapeutic Exercise, 7th edition'),
  description: 'The guideline or textbook behind technique, dose, progression and prerequisites.',
})
const Kind = Enum(EXERCISE_KINDS)
const Status = Enum(EXERCISE_STATUSES)

const Words = {
  name: Type.Optional(ExerciseName),
  description: Type.Optional(Description),
  instructions_summary: Type.Optional(InstructionsSummary),
  progression: Type.Optional(Progression),
  regression: Type.Optional(Regression),
}
const TRANSLATED = { ro: { name: 'Genuflexiune', description: 'Întărește coapsele și șoldurile.' } }
const NewTranslations = Type.Object(
  { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
  { additionalProperties: false, description: 'Replaces the previous list.', examples: [TRANSLATED] },
)

const PoseConfigSummary = Type.Object({
  id: Id,
  tracking_enabled: Type.Boolean({ examples: [true] }),
  engine_code: Type.String({ examples: ['blazepose-33'] }),
  status: Type.String({ examples: ['active'] }),
  pinned_asset_version: Nullable(Type.String({ examples: ['1'] })),
})

/** What list and detail both give. */
const common = {
  id: Id,
  organization_id: Type.Unsafe<string | null>({
    ...Nullable(Id),
    description: 'The clinic; null for exercises of the platform.',
  }),
  name: ExerciseName,
  slug: Slug,
  description: Nullable(Description),
  difficulty: Nullable(Difficulty),
  estimated_duration_seconds: Nullable(Seconds),
  kind: Kind,
  status: Status,
  ...videoFields,
  cloned_from_id: Nullable(Id),
  translations: Type.Record(Type.String(), Type.Object(Words), {
    description: 'Language code → name and texts in that language.',
    examples: [TRANSLATED],
  }),
  categories: Type.Array(TagSummary),
  body_regions: Type.Array(BodyRegionSummary),
  equipment: Type.Array(TagSummary),
  movement_patterns: Type.Array(TagSummary),
  recovery_phases: Type.Array(TagSummary),
  conditions: Type.Array(ConditionSummary),
  skill_prerequisites: Type.Array(TagSummary),
  prerequisites: Type.Array(PrerequisiteSummary),
  contraindications: Type.Array(Contraindication),
  pose_config: Nullable(PoseConfigSummary),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
} satisfies Record<(typeof TAG_KEYS)[TaxonomyAxis], TSchema> & Record<string, TSchema>

export const ExerciseSummary = Type.Object({
  ...common,
  contraindications_count: Type.Integer({ examples: [1] }),
  instructions_count: Type.Integer({ examples: [4] }),
})
export type ExerciseSummary = Static<typeof ExerciseSummary>

export const Exercise = Type.Object({
  ...common,
  instructions_summary: Nullable(InstructionsSummary),
  default_dose: Nullable(DefaultDose),
  progression: Nullable(Progression),
  regression: Nullable(Regression),
  source: Nullable(Source),
  created_by_user_id: Nullable(Id),
  instructions: Type.Array(Instruction),
})
export type Exercise = Static<typeof Exercise>

export const Exercises = Type.Object({
  exercises: Type.Array(ExerciseSummary),
  total: Type.Integer({ examples: [1] }),
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [50] }),
  total_pages: Type.Integer({ examples: [1] }),
})

const Ids = Type.Optional(Type.Array(Id, { maxItems: MAX_TAGS_PER_AXIS }))
const details = {
  description: Type.Optional(Nullable(Description)),
  instructions_summary: Type.Optional(Nullable(InstructionsSummary)),
  default_dose: Type.Optional(Nullable(DefaultDose)),
  progression: Type.Optional(Nullable(Progression)),
  regression: Type.Optional(Nullable(Regression)),
  source: Type.Optional(Nullable(Source)),
  difficulty: Type.Optional(Nullable(Difficulty)),
  estimated_duration_seconds: Type.Optional(Nullable(Seconds)),
  kind: Type.Optional(Kind),
  status: Type.Optional(Status),
  translations: Type.Optional(NewTranslations),
  category_ids: Ids,
  body_region_ids: Ids,
  equipment_ids: Ids,
  movement_pattern_ids: Ids,
  recovery_phase_ids: Ids,
  condition_ids: Ids,
  skill_prerequisite_ids: Ids,
} satisfies Record<`${TaxonomyAxis}_ids`, TSchema> & Record<string, TSchema>

export const NewExercise = Body({ name: ExerciseName, slug: Slug, ...details })
export type NewExercise = Static<typeof NewExercise>

export const ExerciseChanges = Type.Object(
  { name: Type.Optional(ExerciseName), slug: Type.Optional(Slug), ...details, version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type ExerciseChanges = Static<typeof ExerciseChanges>

export const ExerciseStatusChange = Body({ status: Status, version: Type.Optional(RowVersion) })

/** May be left out altogether. */
export const ExerciseClone = Nullable(
  Body({ name: Type.Optional(Name(200, 'Squat for beginners')), slug: Type.Optional(Slug) }),
)

export const exerciseList = {
  sort: ['name', 'slug', 'status', 'estimated_duration_seconds', 'created_at', 'updated_at'],
  filters: {
    ...(Object.fromEntries(TAXONOMY_AXES.map((axis) => [`${axis}_id`, 'uuid'])) as Record<
      `${TaxonomyAxis}_id`,
      'uuid'
    >),
    difficulty: DIFFICULTIES,
    status: EXERCISE_STATUSES,
    scope: EXERCISE_SCOPES,
    has_video: 'boolean',
    tracking_enabled: 'boolean',
    deleted: 'boolean',
  },
  q: true,
} as const
