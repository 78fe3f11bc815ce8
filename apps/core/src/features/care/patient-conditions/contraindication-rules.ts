import type { CLEARANCES, CONDITION_STAGES, CONTRAINDICATION_SEVERITIES, PatientCondition } from '@tendon/contracts'

// Whether an exercise is contraindicated for a patient: how the condition that the contraindication names relates to a
// condition that the patient has or had, and how severe it then is.

export type Severity = (typeof CONTRAINDICATION_SEVERITIES)[number]

/** A condition of the library with the conditions that it leads to. */
export interface ConditionLinks {
  id: string
  parent_id: string | null
  replaced_by_id: string | null
}
export type ConditionTree = ReadonlyMap<string, ConditionLinks>

export interface HeldCondition extends Pick<PatientCondition, 'status' | 'stage' | 'cleared_for'> {
  condition_id: string
}

export interface NamedContraindication {
  contraindicated_id: string
  severity: Severity
  stages: readonly (typeof CONDITION_STAGES)[number][] | null
  until_cleared_for: (typeof CLEARANCES)[number] | null
}

const MAX_LINEAGE = 20

/** The condition that is current: a deprecated condition is followed to its replacement. Undefined in a circle. */
export function currentCondition(tree: ConditionTree, id: string): string | undefined {
  const passed = new Set<string>()
  let at = tree.get(id)
  while (at && at.replaced_by_id !== null && !passed.has(at.id)) {
    passed.add(at.id)
    at = tree.get(at.replaced_by_id)
  }
  return at?.replaced_by_id === null ? at.id : undefined
}

/** The condition and its ancestors, nearest first; a deprecated condition counts as its replacement. */
export function lineageOf(tree: ConditionTree, id: string): string[] {
  const lineage: string[] = []
  let next: string | null = id
  while (next !== null && lineage.length < MAX_LINEAGE) {
    const current = currentCondition(tree, next)
    if (current === undefined) break
    lineage.push(current)
    next = tree.get(current)?.parent_id ?? null
  }
  return lineage
}

/** same: the patient has the condition, or a kind of it. kin: the patient's is the broader term, or both have one parent. */
type Relation = 'same' | 'kin' | null

/** How the condition of a contraindication relates to a patient's condition, both as lineages. */
export function relationOf(held: readonly string[], contraindicated: readonly string[]): Relation {
  const [own, ownParent] = held
  const [named, namedParent] = contraindicated
  if (own === undefined || named === undefined) return null
  if (held.includes(named)) return 'same'
  const isBroader = contraindicated.includes(own)
  return isBroader || (ownParent !== undefined && ownParent === namedParent) ? 'kin' : null
}

/**
 * The severity for a patient's condition; null when it is lifted. For a past condition (history) it is a precaution at most.
 * A resolved condition lifts contraindications for stages or until cleared; the others become precautions. For kin, an
 * absolute contraindication becomes relative: the clinician decides whether it applies. An unknown stage lifts nothing.
 */
export function severityFor(
  { status, stage, cleared_for }: HeldCondition,
  { severity, stages, until_cleared_for }: NamedContraindication,
  relation: Relation,
): Severity | null {
  if (relation === null) return null
  if (status === 'history') return 'precaution'
  if (status === 'resolved') return stages === null && until_cleared_for === null ? 'precaution' : null
  if (stages !== null && stage !== null && !stages.includes(stage)) return null
  if (until_cleared_for !== null && cleared_for.includes(until_cleared_for)) return null
  return relation === 'kin' && severity === 'contraindicated' ? 'relative' : severity
}

/** Severities of contraindications for conditions. Lineages are computed once for each condition. */
export function weighing(tree: ConditionTree) {
  const lineages = new Map<string, string[]>()
  const lineage = (id: string) => {
    const known = lineages.get(id) ?? lineageOf(tree, id)
    lineages.set(id, known)
    return known
  }
  return (held: HeldCondition, named: NamedContraindication): Severity | null =>
    severityFor(held, named, relationOf(lineage(held.condition_id), lineage(named.contraindicated_id)))
}

/** Each contraindication with each condition that it holds for, in the order of contraindications, then of conditions. */
export function contraindicatedBy<Named extends NamedContraindication, Held extends HeldCondition>(
  named: readonly Named[],
  held: readonly Held[],
  tree: ConditionTree,
): { named: Named; held: Held; severity: Severity }[] {
  const weigh = weighing(tree)
  return named.flatMap((one) =>
    held.flatMap((condition) => {
      const severity = weigh(condition, one)
      return severity === null ? [] : [{ named: one, held: condition, severity }]
    }),
  )
}

/** A contraindication of an exercise of an open plan. */
export interface PlannedContraindication extends NamedContraindication {
  treatment_plan_id: string
  title: string
  status: 'draft' | 'active'
  patient_profile_id: string
  exercise_id: string
  exercise_name: string
}

/** A condition of a patient or of a linked record, with the patient whose plans it counts for. */
export interface CountedCondition extends HeldCondition {
  patient_profile_id: string
  patient_condition_id: string
}

export interface ContraindicatedExercise
  extends Pick<PlannedContraindication, 'treatment_plan_id' | 'title' | 'status' | 'exercise_id' | 'exercise_name'> {
  patient_condition_id: string
  severity: Severity
}

const RANK = { contraindicated: 1, relative: 2, precaution: 3 } as const satisfies Record<Severity, number>

/** In the order of plans and exercises; of an exercise, the most severe first. */
export function contraindicatedExercises(
  planned: readonly PlannedContraindication[],
  held: readonly CountedCondition[],
  tree: ConditionTree,
): ContraindicatedExercise[] {
  const weigh = weighing(tree)
  const ofPatient = Map.groupBy(held, ({ patient_profile_id }) => patient_profile_id)
  const found = planned.flatMap((one) =>
    (ofPatient.get(one.patient_profile_id) ?? []).flatMap((condition) => {
      const severity = weigh(condition, one)
      if (severity === null) return []
      const { treatment_plan_id, title, status, exercise_id, exercise_name } = one
      const { patient_condition_id } = condition
      return [{ treatment_plan_id, title, status, exercise_id, exercise_name, patient_condition_id, severity }]
    }),
  )
  const ofExercise = Map.groupBy(found, ({ treatment_plan_id, exercise_id }) => `${treatment_plan_id} ${exercise_id}`)
  return [...ofExercise.values()].flatMap((all) =>
    all.toSorted((one, other) => RANK[one.severity] - RANK[other.severity]),
  )
}
