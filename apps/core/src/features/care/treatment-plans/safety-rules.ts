import type { CONDITION_STAGES, SafetyFinding } from '@tendon/contracts'

// The safety check: what a patient's conditions and the exercises still to be done first say against giving them an
// exercise. A contraindication blocks, asks for a reason or is shown, by its severity. A prerequisite that the patient has
// neither completed nor is given earlier in the plan asks for a reason.

interface Evidence {
  clinical_basis: string | null
  tagged_by_principal_id: string | null
  tagged_at: string
  translations: SafetyFinding['translations']
}

/** A contraindication of the exercise that the patient has the condition for. */
export interface ContraindicationFact extends Evidence {
  exercise_id: string
  contraindication_id: string
  severity: 'contraindicated' | 'relative' | 'precaution'
  description: string | null
  patient_condition_id: string
  condition_id: string
  condition_slug: string
  condition_name: string
  condition_icd10_code: string | null
  since: string | null
  recorded_by_principal_id: string | null
  recorded_at: string
  status: 'active' | 'resolved' | 'history'
  stage: (typeof CONDITION_STAGES)[number] | null
  source: string | null
  contraindicated_condition: NonNullable<SafetyFinding['contraindicated_condition']>
}

export interface PrerequisiteFact extends Evidence {
  exercise_id: string
  prerequisite_exercise_id: string
  prerequisite_name: string
  prerequisite_slug: string
  /** By the patient, in a session. */
  completed: boolean
}

export interface SafetyFacts {
  contraindications: readonly ContraindicationFact[]
  prerequisites: readonly PrerequisiteFact[]
}

const LEVEL_OF = { contraindicated: 'block', relative: 'reason', precaution: 'notice' } as const

/** What is found at each of the exercises, which are done in this order. */
export function findingsInOrder(exerciseIds: readonly string[], facts: SafetyFacts): SafetyFinding[][] {
  const contraindications = Map.groupBy(facts.contraindications, ({ exercise_id }) => exercise_id)
  const prerequisites = Map.groupBy(facts.prerequisites, ({ exercise_id }) => exercise_id)
  const earlier = new Set<string>()
  return exerciseIds.map((id) => {
    const findings = [
      ...(contraindications.get(id) ?? []).map(contraindicationFinding),
      ...(prerequisites.get(id) ?? [])
        .filter((fact) => !fact.completed && !earlier.has(fact.prerequisite_exercise_id))
        .map(prerequisiteFinding),
    ]
    earlier.add(id)
    return findings
  })
}

const evidenceOf = ({ clinical_basis, tagged_by_principal_id, tagged_at, translations }: Evidence) => ({
  tagged_by_principal_id,
  tagged_at,
  clinical_basis,
  translations,
})

const contraindicationFinding = (fact: ContraindicationFact): SafetyFinding => ({
  kind: 'contraindication',
  level: LEVEL_OF[fact.severity],
  exercise_id: fact.exercise_id,
  contraindication_id: fact.contraindication_id,
  severity: fact.severity,
  description: fact.description,
  patient_condition: {
    id: fact.patient_condition_id,
    condition: {
      id: fact.condition_id,
      slug: fact.condition_slug,
      name: fact.condition_name,
      icd10_code: fact.condition_icd10_code,
    },
    since: fact.since,
    recorded_by_principal_id: fact.recorded_by_principal_id,
    recorded_at: fact.recorded_at,
    status: fact.status,
    stage: fact.stage,
  },
  contraindicated_condition: fact.contraindicated_condition,
  source: fact.source,
  prerequisite: null,
  ...evidenceOf(fact),
})

const prerequisiteFinding = (fact: PrerequisiteFact): SafetyFinding => ({
  kind: 'prerequisite',
  level: 'reason',
  exercise_id: fact.exercise_id,
  contraindication_id: null,
  severity: null,
  description: null,
  patient_condition: null,
  prerequisite: { id: fact.prerequisite_exercise_id, name: fact.prerequisite_name, slug: fact.prerequisite_slug },
  ...evidenceOf(fact),
})

/** An entry of a plan with the reason that comes with it; `stored`: as it is in the plan already. */
export interface Entry {
  path: string
  findings: readonly SafetyFinding[]
  override_reason: string | null
  stored: { override_reason: string | null; safety: readonly SafetyFinding[] } | undefined
}

type LocatedFinding = SafetyFinding & { path: string }

const keyOf = ({ contraindication_id, prerequisite }: SafetyFinding) => contraindication_id ?? prerequisite?.id

/**
 * A reason answers what was found when it was written. Found later, something asks for a reason of its own: the old text
 * that merely comes along does not count.
 */
export function isAnswered(finding: SafetyFinding, { override_reason, stored }: Entry): boolean {
  if (override_reason === null) return false
  return stored?.override_reason !== override_reason || wasKnown(finding, stored.safety)
}

const wasKnown = (finding: SafetyFinding, known: readonly SafetyFinding[]) =>
  known.some((one) => one.level === 'reason' && keyOf(one) === keyOf(finding))

export interface Verdict {
  /** The exercise cannot be given. */
  blocking: LocatedFinding[]
  /** What still takes a reason. */
  unanswered: LocatedFinding[]
}

export function verdictOn(entries: readonly Entry[]): Verdict {
  const located = (level: SafetyFinding['level'], isMeant: (finding: SafetyFinding, entry: Entry) => boolean) =>
    entries.flatMap((entry) =>
      entry.findings
        .filter((finding) => finding.level === level && isMeant(finding, entry))
        .map((finding) => ({ path: entry.path, ...finding })),
    )
  return {
    blocking: located('block', () => true),
    unanswered: located('reason', (finding, entry) => !isAnswered(finding, entry)),
  }
}

/** What a reason that was just written answers. */
export const newlyAnswered = ({ findings, override_reason, stored }: Entry): SafetyFinding[] =>
  override_reason === null || override_reason === stored?.override_reason
    ? []
    : findings.filter(({ level }) => level === 'reason')
