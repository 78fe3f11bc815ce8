import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Paragraphs } from './shapes.ts'
import { ClinicalBasis, ConditionSummary, evidence } from './tags.ts'

/**
 * What happens when an exercise is to be given to somebody with the condition: it is refused, it takes a reason, or it is
 * shown.
 */
export const CONTRAINDICATION_SEVERITIES = ['contraindicated', 'relative', 'precaution'] as const

/** Stages of a condition: the slugs of the recovery phases. */
export const CONDITION_STAGES = ['acute', 'subacute', 'strength', 'return_to_activity', 'maintenance'] as const
/** What a patient can be cleared for. None includes another. */
export const CLEARANCES = ['movement', 'stretching', 'load', 'full_load'] as const

const Severity = Enum(CONTRAINDICATION_SEVERITIES)
const Description = Paragraphs(2_000, 'Deep bending presses on the irritated joint.')

const Source = Type.String({
  ...Paragraphs(500, 'ACSM Guidelines for Exercise Testing and Prescription, 11th edition'),
  description: 'The guideline or textbook behind the statement.',
})
const Stages = Type.Array(Enum(CONDITION_STAGES), {
  minItems: 1,
  maxItems: CONDITION_STAGES.length,
  uniqueItems: true,
  description:
    'Holds only in these stages of the condition, and while the stage is not recorded. Null: in every stage.',
  examples: [['acute', 'subacute']],
})
const UntilClearedFor = Type.Unsafe<(typeof CLEARANCES)[number]>({
  ...Enum(CLEARANCES, 'full_load'),
  description: 'Holds until the patient’s condition is cleared for this. Null: clearance does not lift it.',
})

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
  stages: Type.Unsafe<(typeof CONDITION_STAGES)[number][] | null>({ ...Nullable(Stages), examples: [null] }),
  until_cleared_for: Nullable(UntilClearedFor),
  ...evidence,
  source: Nullable(Source),
  translations: ContraindicationTranslations,
})
export type Contraindication = Static<typeof Contraindication>

export const Contraindications = Type.Object({ contraindications: Type.Array(Contraindication) })

export const NewContraindication = Body({
  condition_id: Id,
  severity: Severity,
  description: Type.Optional(Nullable(Description)),
  clinical_basis: Type.Optional(Nullable(ClinicalBasis)),
  source: Type.Optional(Nullable(Source)),
  stages: Type.Optional(
    Type.Unsafe<(typeof CONDITION_STAGES)[number][] | null>({ ...Nullable(Stages), examples: [null] }),
  ),
  until_cleared_for: Type.Optional(Nullable(UntilClearedFor)),
  translations: Type.Optional(
    Type.Object(
      { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
      { additionalProperties: false, examples: [TRANSLATED] },
    ),
  ),
})
export type NewContraindication = Static<typeof NewContraindication>

export const ByContraindication = Type.Object({ id: Id, contraindicationId: Id })
