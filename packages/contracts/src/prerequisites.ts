import { type Static, Type } from 'typebox'
import { Body, Id, Nullable } from './shapes.ts'
import { ClinicalBasis, evidence } from './tags.ts'

const named = { name: Type.String({ examples: ['Sit to stand'] }), slug: Type.String({ examples: ['sit-to-stand'] }) }

/** As an exercise names what is to be done first. */
export const PrerequisiteSummary = Type.Object({ id: Id, ...named })

export const Prerequisite = Type.Object({ exercise_id: Id, ...named, ...evidence })
export type Prerequisite = Static<typeof Prerequisite>

export const Prerequisites = Type.Object({ prerequisites: Type.Array(Prerequisite) })

export const NewPrerequisite = Body({
  prerequisite_exercise_id: Id,
  clinical_basis: Type.Optional(Nullable(ClinicalBasis)),
})
export type NewPrerequisite = Static<typeof NewPrerequisite>

export const ByPrerequisite = Type.Object({ id: Id, prerequisite_exercise_id: Id })
