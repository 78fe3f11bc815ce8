import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { ContraindicationFact, PrerequisiteFact, SafetyFacts } from './safety-rules.ts'

/** What the check weighs, whether or not the caller may see the library. */
export async function findSafetyFacts(
  tx: TenantTx,
  profileId: string,
  exerciseIds: readonly string[],
): Promise<SafetyFacts> {
  const [contraindications, prerequisites] = await Promise.all([
    sql<ContraindicationFact>`select * from find_contraindications(${profileId}, ${exerciseIds}::uuid[])`.execute(tx),
    sql<PrerequisiteFact>`select * from plan_prerequisites(${profileId}, ${exerciseIds}::uuid[])`.execute(tx),
  ])
  return { contraindications: contraindications.rows, prerequisites: prerequisites.rows }
}

/** The ids of these patients' draft and active plans of which a condition forbids an exercise. */
export async function listBlockedPlanIds(tx: TenantTx, profileIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string }>`
    select distinct treatment_plan_id as id from contraindicated_plans(${profileIds}::uuid[])
    where severity = 'contraindicated'`.execute(tx)
  return new Set(rows.map(({ id }) => id))
}
