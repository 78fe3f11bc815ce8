import type { List, TreatmentPlan, TreatmentPlanStatus, TreatmentPlanSummary } from '@tendon/contracts'
import { CLINIC, readPage, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'

export type PlanRow = Omit<TreatmentPlan, 'sessions'> & { patient_profile_id: string }

const COLUMNS = [
  'treatment_plans.id',
  'treatment_plans.patient_profile_id',
  'treatment_plans.program_id',
  'treatment_plans.title',
  'treatment_plans.description',
  'treatment_plans.status',
  'treatment_plans.starts_on',
  'treatment_plans.ends_on',
  'treatment_plans.version',
  'treatment_plans.activated_at',
  'treatment_plans.completed_at',
  'treatment_plans.archived_at',
  'treatment_plans.created_by_principal_id',
  'treatment_plans.created_at',
  'treatment_plans.updated_at',
] as const

const PATIENT = sql<
  PlanRow['patient']
>`jsonb_build_object('id', patients.id, 'name', patients.first_name || ' ' || patients.last_name)`
export const SESSIONS_COUNT = sql<number>`(
  select count(*) from plan_sessions s
  where s.organization_id = treatment_plans.organization_id and s.treatment_plan_id = treatment_plans.id
    and s.removed_at is null)`

const LAST_ACTIVE = sql<string | null>`(case when treatment_plans.activated_at is not null then coalesce(
  plan_last_run_at(treatment_plans.id),
  greatest(treatment_plans.activated_at, treatment_plans.starts_on::timestamptz)) end)`

/** Whether the last day has passed where the clinic is. */
export const hasEnded = (timeZone: RawBuilder<unknown>) =>
  sql<boolean>`coalesce(treatment_plans.ends_on < (now() at time zone ${timeZone})::date, false)`
const CLINIC_ZONE = sql`(select o.time_zone from organizations o where o.id = treatment_plans.organization_id)`

/** Plans of the clinic in context. The filter is needed because policies also show callers their own plans at other clinics. */
const ofClinic = (tx: TenantTx) =>
  tx
    .selectFrom('treatment_plans')
    .innerJoin('patients', (join) =>
      join
        .onRef('patients.organization_id', '=', 'treatment_plans.organization_id')
        .onRef('patients.patient_profile_id', '=', 'treatment_plans.patient_profile_id'),
    )
    .select(COLUMNS)
    .select([PATIENT.as('patient'), hasEnded(CLINIC_ZONE).as('has_ended')])
    .where('treatment_plans.organization_id', '=', CLINIC)

export type ListedPlan = Omit<TreatmentPlanSummary, 'is_blocked'> & { patient_profile_id: string }

/** Lists plans, without those of deleted patients. `q` searches the title of the plan and the patient's name. */
export async function listPlans(
  tx: TenantTx,
  { q, filters: { patient_id, lead_specialist_id: leads, ...filters }, ...list }: List,
) {
  // The last activity is computed only for the plans of the page, unless the list sorts or filters by it, because it reads
  // the runs of each plan.
  const byActivity = [...list.sort.map(({ field }) => field), ...list.ranges.map(({ column }) => column)].includes(
    'last_active_at',
  )
  const activity = byActivity ? LAST_ACTIVE : sql<string | null>`null::timestamptz`
  let query = ofClinic(tx)
    .leftJoinLateral(
      sql<{ last_active_at: string | null }>`(select ${activity} as last_active_at)`.as('activity'),
      (join) => join.onTrue(),
    )
    .select([
      SESSIONS_COUNT.as('sessions_count'),
      (byActivity ? sql<string | null>`activity.last_active_at` : LAST_ACTIVE).as('last_active_at'),
    ])
    .where('patients.deleted_at', 'is', null)
  if (q !== undefined)
    query = query.where(
      sql<boolean>`(position(fold_text(${q}) in fold_text(treatment_plans.title)) > 0 or patients.id in (select search_patients(${q})))`,
    )
  if (patient_id) query = query.where(sql<boolean>`patients.id = any(with_linked_patients(${patient_id}::uuid[]))`)
  if (leads) query = query.where(sql<boolean>`patients.lead_specialist_id = any(${leads}::uuid[])`)
  return readPage(
    query,
    { ...list, filters },
    {
      id: 'treatment_plans.id',
      newest: 'treatment_plans.created_at',
      columns: {
        program_id: 'treatment_plans.program_id',
        status: 'treatment_plans.status',
        title: 'treatment_plans.title',
        starts_on: 'treatment_plans.starts_on',
        ends_on: 'treatment_plans.ends_on',
        last_active_at: 'activity.last_active_at',
        created_at: 'treatment_plans.created_at',
        updated_at: 'treatment_plans.updated_at',
      },
    },
  )
}

export async function findPlan(tx: TenantTx, id: string): Promise<PlanRow | undefined> {
  return ofClinic(tx)
    .where('treatment_plans.id', '=', id)
    .where(sql<boolean>`(patients.deleted_at is null or current_app_has_permission('data', 'view_deleted'))`)
    .executeTakeFirst()
}

export interface PlanDetails {
  title: string
  description?: string | null
  starts_on?: string | null
  ends_on?: string | null
}

const row = ({ title, description, starts_on, ends_on }: PlanDetails) => ({
  title: title.normalize().trim(),
  description: description ?? null,
  starts_on: starts_on ?? null,
  ends_on: ends_on ?? null,
})

export async function insertPlan(
  tx: TenantTx,
  of: { patient_profile_id: string; program_id: string | null },
  values: PlanDetails,
): Promise<string> {
  const { id } = await tx
    .insertInto('treatment_plans')
    .values({ ...row(values), ...of })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const changed = (tx: TenantTx, id: string) =>
  tx.updateTable('treatment_plans').where('organization_id', '=', CLINIC).where('id', '=', id)

export async function updatePlan(tx: TenantTx, id: string, values: PlanDetails): Promise<void> {
  await changed(tx, id).set(row(values)).execute()
}

const REACHED = { active: 'activated_at', completed: 'completed_at', archived: 'archived_at' } as const

export async function updatePlanStatus(
  tx: TenantTx,
  id: string,
  status: Exclude<TreatmentPlanStatus, 'draft'>,
): Promise<void> {
  await changed(tx, id)
    .set({ status, [REACHED[status]]: sql<string>`now()` })
    .execute()
}

export async function deletePlan(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('treatment_plans').where('organization_id', '=', CLINIC).where('id', '=', id).execute()
}
