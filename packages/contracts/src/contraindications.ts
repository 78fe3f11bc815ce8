import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Name, Nullable } from './shapes.ts'
import { ClinicalBasis, ConditionSummary, evidence } from './tags.ts'

/**
 * What happens when an exercise is to be given to somebody with the condition: it is refused, it takes a reason, or it is
 * shown.
 */
export const CONTRAINDICATION_SEVERITIES = ['contraindicated', 'relative', 'precaution'] as const

const Severity = Enum(CONTRAINDICATION_SEVERITIES)
const Description = Name(2_000, 'Deep bending presses on the irritated joint.')

const Words = { description: Type.Optional(Description), clinical_basis: Type.Optional(ClinicalBasis) }
const TRANSLATED = { ro: { description: 'Îndoirea adâncă apasă pe articulația iritată.' } }
export const ContraindicationTranslations = Type.Record(Type.String(), Type.Object(Words), {
  description: 'Language code → description and clinical basis in that language.',
  examples: [TRANSLATED],
})

export const Contraindication = Type.Object({
  id: Id,
  condition: ConditionSummary,
  description: Nullable(Description),
  severity: Severity,
  ...evidence,
  translations: ContraindicationTranslations,
})
export type Contraindication = Static<typeof Contraindication>

export const Contraindications = Type.Object({ contraindications: Type.Array(Contraindication) })

export const NewContraindication = Body({
  condition_id: Id,
  severity: Severity,
  description: Type.Optional(Nullable(Description)),
  clinical_basis: Type.Optional(Nullable(ClinicalBasis)),
  translations: Type.Optional(
    Type.Object(
      { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
      { additionalProperties: false, examples: [TRANSLATED] },
    ),
  ),
})
export type NewContraindication = Static<typeof NewContraindication>

export const ByContraindication = Type.Object({ id: Id, contraindicationId: Id })
