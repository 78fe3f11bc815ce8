import type { SafetyFinding, TreatmentPlanSummary } from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { contraindicatedBy, findConditionTree, listContraindicated } from '../patient-conditions/index.ts'
import { exerciseIdsOf, inOrder, pathOf, type StoredSession, type WantedSession } from '../programs/index.ts'
import { contraindicated, overrideRequired } from './errors.ts'
import type { ListedPlan } from './queries.ts'
import { isOpen } from './rules.ts'
import { listHeld, listNamed, listPrerequisites } from './safety-queries.ts'
import { findingsInOrder, newlyAnswered, type SafetyFacts, verdictOn } from './safety-rules.ts'

type Findings = ReadonlyMap<string, SafetyFinding[]>

/** What a route that checks the safety of exercises declares. */
export const CHECKING_SAFETY = {
  codes: ['patients.view_org', 'exercises.manage_org', 'session_runs.view_org', 'treatment_plans.view_org'],
  why: 'A warning must not disappear because the caller may not see its cause.',
}

function findSafetyFacts(tx: TenantTx, profileId: string, exerciseIds: readonly string[]): Promise<SafetyFacts> {
  return asService(tx, CHECKING_SAFETY.codes, async (own) => {
    const [held, named, prerequisites] = await together([
      listHeld(own, profileId),
      listNamed(own, exerciseIds),
      listPrerequisites(own, profileId, exerciseIds),
    ])
    if (held.length === 0 || named.length === 0) return { contraindications: [], prerequisites }
    const ids = [...held.map((one) => one.condition_id), ...named.map((one) => one.contraindicated_id)]
    const found = contraindicatedBy(named, held, await findConditionTree(own, ids))
    return {
      contraindications: found.map((one) => ({ ...one.named, ...one.held, severity: one.severity })),
      prerequisites,
    }
  })
}

/** What is found today, by the path of the exercise in the sessions. */
export async function findFindings(
  tx: TenantTx,
  profileId: string,
  sessions: readonly { exercises: readonly { exercise_id: string }[] }[],
): Promise<Findings> {
  const order = inOrder(sessions)
  const facts = await findSafetyFacts(tx, profileId, exerciseIdsOf(sessions))
  const found = findingsInOrder(
    order.map(({ exercise }) => exercise.exercise_id),
    facts,
  )
  return new Map(order.map(({ path }, index) => [path, found[index] ?? []]))
}

/** Plans that were given before a condition was recorded, or a contraindication named, stay given: the list tells. */
export async function withBlocks(tx: TenantTx, plans: readonly ListedPlan[]): Promise<TreatmentPlanSummary[]> {
  const open = plans.filter(({ status }) => isOpen(status))
  const profileIds = [...new Set(open.map(({ patient_profile_id }) => patient_profile_id))]
  const found = profileIds.length === 0 ? [] : await listContraindicated(tx, profileIds)
  const blocked = new Set(
    found.filter(({ severity }) => severity === 'contraindicated').map(({ treatment_plan_id }) => treatment_plan_id),
  )
  return plans.map((plan) => ({ ...plan, is_blocked: blocked.has(plan.id) }))
}

/** An exercise that is given in spite of what was found. */
export interface Override {
  exercise_id: string
  reason: string
  findings: SafetyFinding[]
}

export interface Checked {
  /** With what was found at each exercise, to be stored with the reason. */
  sessions: WantedSession[]
  overrides: Override[]
}

/** Refuses sessions that the patient cannot be given. */
export async function checkSafety(
  tx: TenantTx,
  profileId: string,
  before: readonly StoredSession[],
  wanted: readonly WantedSession[],
): Promise<Checked> {
  const found = await findFindings(tx, profileId, wanted)
  const known = new Map(inOrder(before).map(({ exercise }) => [exercise.id, exercise]))
  const entries = inOrder(wanted).map(({ path, exercise: { id, exercise_id, override_reason } }) => ({
    path,
    exercise_id,
    findings: found.get(path) ?? [],
    override_reason,
    stored: id === null ? undefined : known.get(id),
  }))
  const { blocking, unanswered } = verdictOn(entries)
  if (blocking.length > 0) throw contraindicated({ findings: [...blocking, ...unanswered] })
  if (unanswered.length > 0) throw overrideRequired({ findings: unanswered })
  const overrides = entries.map((entry) => ({
    exercise_id: entry.exercise_id,
    reason: entry.override_reason ?? '',
    findings: newlyAnswered(entry),
  }))
  return { sessions: withSafety(wanted, found), overrides: overrides.filter(({ findings }) => findings.length > 0) }
}

const withSafety = (wanted: readonly WantedSession[], found: Findings): WantedSession[] =>
  wanted.map((session, index) => ({
    ...session,
    exercises: session.exercises.map((one, place) => ({ ...one, safety: found.get(pathOf(index, place)) ?? [] })),
  }))
