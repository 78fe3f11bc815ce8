import { asService, type RowOf, type ServiceTx, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import {
  type ConditionLinks,
  type ConditionTree,
  type ContraindicatedExercise,
  type CountedCondition,
  contraindicatedExercises,
  type PlannedContraindication,
} from './contraindication-rules.ts'

/** What a route that reads contraindicated plans declares. */
export const READING_CONTRAINDICATED = {
  codes: ['patients.view_org', 'treatment_plans.view_org', 'exercises.manage_org', 'data.view_deleted'],
  why: 'A warning must not disappear because the caller may not see its cause, or the exercise was deleted.',
}

/** These conditions of the library, and all that their parents and replacements lead to. */
export async function findConditionTree(tx: ServiceTx, ids: readonly string[]): Promise<ConditionTree> {
  const { rows } = await sql<ConditionLinks>`
    with recursive reached (id, parent_id, replaced_by_id) as (
      select id, parent_id, replaced_by_id from taxonomy_tags
      where (organization_id is null or organization_id = (select current_app_org_id())) and id = any (${ids}::uuid[])
      union
      select t.id, t.parent_id, t.replaced_by_id
      from reached r join taxonomy_tags t on t.id = any (array[r.parent_id, r.replaced_by_id])
        and (t.organization_id is null or t.organization_id = (select current_app_org_id())))
    select id, parent_id, replaced_by_id from reached`.execute(tx)
  return new Map(rows.map((links) => [links.id, links]))
}

type Condition = Omit<CountedCondition, 'status' | 'stage' | 'cleared_for'> &
  RowOf<'patient_conditions', 'status' | 'stage' | 'cleared_for'>

const OWNERS = (profileIds: readonly string[]) => sql<string>`(
  select distinct unnest(linked_profile_ids(id)) from unnest(${profileIds}::uuid[]) id)`

/** Those of the patients, each with conditions of its linked records. */
async function listCounted(tx: ServiceTx, profileIds: readonly string[]): Promise<Condition[]> {
  const { rows } = await sql<Condition>`
    select person.id as patient_profile_id, c.id as patient_condition_id, c.condition_id, c.status, c.stage, c.cleared_for
    from ${OWNERS(profileIds)} person (id)
    cross join lateral unnest(linked_profile_ids(person.id)) record (id)
    join patient_conditions c on c.organization_id = (select current_app_org_id())
      and c.patient_profile_id = record.id`.execute(tx)
  return rows
}

/** What is said against the exercises of their draft and active plans, by plan and exercise. */
async function listPlanned(tx: ServiceTx, profileIds: readonly string[]): Promise<PlannedContraindication[]> {
  const { rows } = await sql<PlannedContraindication>`
    with planned as (
      select distinct t.id, t.title, t.status, t.created_at, t.patient_profile_id, x.exercise_id
      from treatment_plans t
      join plan_sessions s on s.organization_id = t.organization_id and s.treatment_plan_id = t.id and s.removed_at is null
      join session_exercises x on x.organization_id = s.organization_id and x.plan_session_id = s.id and x.removed_at is null
      where t.organization_id = (select current_app_org_id()) and t.status in ('draft', 'active')
        and t.patient_profile_id in ${OWNERS(profileIds)})
    select n.id as treatment_plan_id, n.title, n.status, n.patient_profile_id, n.exercise_id,
      translated_name(e.name, e.translations) as exercise_name, c.condition_id as contraindicated_id, c.severity, c.stages,
      c.until_cleared_for
    from planned n
    join exercise_contraindications c on c.exercise_id = n.exercise_id
      and (c.organization_id is null or c.organization_id = (select current_app_org_id()))
    join exercises e on e.id = n.exercise_id and (e.organization_id is null or e.organization_id = (select current_app_org_id()))
    order by n.created_at, n.id, e.name, e.id, c.tagged_at, c.id`.execute(tx)
  return rows
}

/** Exercises in open plans of these patients that are contraindicated, also by what was added after the plan was written. */
export async function listContraindicated(
  tx: TenantTx,
  profileIds: readonly string[],
): Promise<ContraindicatedExercise[]> {
  return asService(tx, READING_CONTRAINDICATED.codes, async (own) => {
    const [held, planned] = await together([listCounted(own, profileIds), listPlanned(own, profileIds)])
    if (held.length === 0 || planned.length === 0) return []
    const ids = [
      ...held.map(({ condition_id }) => condition_id),
      ...planned.map(({ contraindicated_id }) => contraindicated_id),
    ]
    return contraindicatedExercises(planned, held, await findConditionTree(own, ids))
  })
}
