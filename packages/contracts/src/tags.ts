import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Paragraphs, Timestamp } from './shapes.ts'
import { BODY_AREAS, TAXONOMY_AXES, type TaxonomyAxis } from './taxonomy.ts'

/** Axis of the taxonomy → the key of its values in an exercise. Bodies name them `<axis>_ids`, filters `<axis>_id`. */
export const TAG_KEYS = {
  category: 'categories',
  body_region: 'body_regions',
  equipment: 'equipment',
  movement_pattern: 'movement_patterns',
  recovery_phase: 'recovery_phases',
  condition: 'conditions',
  skill_prerequisite: 'skill_prerequisites',
} as const satisfies Record<TaxonomyAxis, string>

export const ClinicalBasis = Type.String({
  ...Paragraphs(2_000, 'Guideline of the national society of physiotherapy, 2024'),
  description: 'The clinical basis of the assessment.',
})
/** Who judged, when, on what basis. */
export const evidence = {
  tagged_by_principal_id: Nullable(Id),
  tagged_at: Timestamp,
  clinical_basis: Nullable(ClinicalBasis),
}

const summary = {
  id: Id,
  name: Type.String({ examples: ['Knee'] }),
  slug: Type.String({ examples: ['knee'] }),
}
export const TagSummary = Type.Object(summary)
export const BodyRegionSummary = Type.Object({ ...summary, body_area: Enum(BODY_AREAS, 'lower_body') })
export const ConditionSummary = Type.Object({
  ...summary,
  icd10_code: Nullable(Type.String({ examples: ['M17.1'] })),
})
export type ConditionSummary = Static<typeof ConditionSummary>

const TagType = Enum(TAXONOMY_AXES, 'body_region')

export const ExerciseTag = Type.Object({
  tag_type: TagType,
  tag_id: Id,
  name: summary.name,
  slug: summary.slug,
  ...evidence,
})
export type ExerciseTag = Static<typeof ExerciseTag>

export const NewExerciseTag = Body({
  tag_type: TagType,
  tag_id: Id,
  clinical_basis: Type.Optional(Nullable(ClinicalBasis)),
})
export type NewExerciseTag = Static<typeof NewExerciseTag>

export const NamedExerciseTag = Type.Object({ tag_type: TagType, tag_id: Id })
