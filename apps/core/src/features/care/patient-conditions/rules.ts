import type { AffectedPlan } from '@tendon/contracts'

/** The latest current date in any time zone. */
const MAX_UTC_OFFSET_MS = 14 * 60 * 60 * 1000

/** Why the condition cannot have begun on this day; undefined when it can. */
export function problemOfSince(since: string | null | undefined, now: Date): string | undefined {
  const latest = new Date(now.getTime() + MAX_UTC_OFFSET_MS).toISOString().slice(0, 10)
  return since && since > latest ? 'must not be in the future' : undefined
}

/** An exercise of a plan that is contraindicated by a condition. */
export interface AffectedExercise {
  plan: Pick<AffectedPlan, 'id' | 'title'>
  exercise: AffectedPlan['exercises'][number]
}

/** Grouped by plan. Of several contraindications of an exercise the first counts. */
export function affectedPlans(found: readonly AffectedExercise[]): AffectedPlan[] {
  return [...Map.groupBy(found, ({ plan }) => plan.id).values()].flatMap((ofPlan) => {
    const byExercise = Map.groupBy(ofPlan, ({ exercise }) => exercise.id)
    const exercises = [...byExercise.values()].flatMap(([first]) => first?.exercise ?? [])
    return ofPlan.slice(0, 1).map(({ plan }) => ({ ...plan, exercises }))
  })
}

/** The exercises of a plan that the patient must not do. */
const forbiddenIn = ({ exercises }: AffectedPlan): string[] =>
  exercises.filter(({ severity }) => severity === 'contraindicated').map(({ id }) => id)

/** The exercises that were not forbidden in the plan before. */
export function newlyForbidden(plan: AffectedPlan, before: AffectedPlan | undefined): string[] {
  const known = before ? forbiddenIn(before) : []
  return forbiddenIn(plan).filter((id) => !known.includes(id))
}
