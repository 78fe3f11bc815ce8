import { type Static, Type } from 'typebox'
import { Body, Id, Nullable } from './shapes.ts'
import { ClinicalBasis, evidence } from './tags.ts'

const named = { name: Type.String({ examples: ['Sit to stand'] }), slug: Type.String({ examples: ['sit-to-stand'] }) }

/** A prerequisite as an exercise lists it. */
export const PrerequisiteSummary = Type.Object({ id: Id, ...named })

const Words = { clinical_basis: Type.Optional(ClinicalBasis) }
const TRANSLATED = { ro: { clinical_basis: 'Ghidul societății naționale de fizioterapie, 2024' } }

export const Prerequisite = Type.Object({
  exercise_id: Id,
  ...named,
  ...evidence,
  translations: Type.Record(Type.String(), Type.Object(Words), {
    description: 'Language code → clinical basis in that language.',
    examples: [TRANSLATED],
  }),
})
export type Prerequisite = Static<typeof Prerequisite>

export const Prerequisites = Type.Object({ prerequisites: Type.Array(Prerequisite) })

export const NewPrerequisite = Body({
  prerequisite_exercise_id: Id,
  clinical_basis: Type.Optional(Nullable(ClinicalBasis)),
  translations: Type.Optional(
    Type.Object(
      { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
      { additionalProperties: false, examples: [TRANSLATED] },
    ),
  ),
})
export type NewPrerequisite = Static<typeof NewPrerequisite>

export const ByPrerequisite = Type.Object({ id: Id, prerequisite_exercise_id: Id })
