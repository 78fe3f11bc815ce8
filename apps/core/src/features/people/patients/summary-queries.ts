import {
  MAX_PAIN_RUNS,
  type Patient,
  type PatientOverview,
  type SummaryRun,
  type SummaryVisit,
} from '@tendon/contracts'
import { CLINIC, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

// What is shown of patients besides their records, for one record or a page of them: a statement each, whatever the number
// of patients. Who may see what is decided before (summary.ts). Linked records are included, as in the lists.

type Key = Pick<Patient, 'id' | 'patient_profile_id'>

/** Visits last eight hours at most (services_duration_minutes_check). */
const LONGEST_VISIT = sql`interval '1 day'`

const idsOf = (patients: readonly Key[]) => patients.map(({ id }) => id)
const profilesOf = (patients: readonly Key[]) => patients.map((one) => one.patient_profile_id)

interface VisitRow extends SummaryVisit {
  patient_id: string
  is_next: boolean
}

const VISIT = sql`a.id, a.starts_at, a.ends_at, a.status, a.mode, a.specialist_id, a.service_id`

/** Of each patient, the next or current visit and the last one. A row for each linked record lets the index give the order. */
export async function listEdgeVisits(tx: TenantTx, patients: readonly Key[]): Promise<VisitRow[]> {
  const { rows } = await sql<VisitRow>`
    select record.id as patient_id, v.is_next, v.id, v.starts_at, v.ends_at, v.status, v.mode,
      (select jsonb_build_object('id', s -> 'id', 'name', s -> 'name') from appointment_specialist(v.specialist_id) s
        where s is not null) as specialist,
      (select jsonb_build_object('id', s -> 'id', 'name', translated_name(s ->> 'name', s -> 'translations'))
        from appointment_service(v.service_id) s where s is not null) as service
    from unnest(${idsOf(patients)}::uuid[]) record (id)
    cross join lateral (
      (select true as is_next, one.* from unnest(with_linked_patients(array[record.id])) linked (id)
        cross join lateral (
          select ${VISIT} from appointments a
          where a.organization_id = ${CLINIC} and a.patient_id = linked.id
            and a.status in ('pending', 'confirmed', 'checked_in')
            and a.starts_at > now() - ${LONGEST_VISIT} and a.ends_at > now()
          order by a.starts_at limit 1) one
        order by one.starts_at, one.id limit 1)
      union all
      (select false, one.* from unnest(with_linked_patients(array[record.id])) linked (id)
        cross join lateral (
          select ${VISIT} from appointments a
          where a.organization_id = ${CLINIC} and a.patient_id = linked.id and a.starts_at <= now()
            and (a.status = 'completed' or a.status in ('confirmed', 'checked_in') and a.ends_at <= now())
          order by a.starts_at desc limit 1) one
        order by one.starts_at desc, one.id limit 1)
    ) v
    order by record.id, v.is_next`.execute(tx)
  return rows
}

interface RunWithPain extends SummaryRun {
  patient_id: string
  worst: number | null
  reported_at: string | null
}

/** The newest runs of each patient, newest first, each with the worst pain reported in it. */
export async function listLastRuns(tx: TenantTx, patients: readonly Key[]): Promise<RunWithPain[]> {
  const { rows } = await sql<RunWithPain>`
    select record.id as patient_id, r.id, r.status, r.started_at, r.ended_at, pain.worst, pain.reported_at
    from unnest(${idsOf(patients)}::uuid[], ${profilesOf(patients)}::uuid[]) record (id, profile_id)
    cross join lateral (
      select one.* from unnest(linked_profile_ids(record.profile_id)) linked (id)
      cross join lateral (
        select s.id, s.status, s.started_at, s.ended_at from session_runs s
        where s.organization_id = ${CLINIC} and s.patient_profile_id = linked.id
        order by s.started_at desc limit ${MAX_PAIN_RUNS}) one
      order by one.started_at desc, one.id desc limit ${MAX_PAIN_RUNS}) r
    cross join lateral (
      select max(severity) as worst, max(at) as reported_at from (
        select severity, created_at as at from pain_reports
        where organization_id = ${CLINIC} and session_run_id = r.id
        union all
        select pain, updated_at from session_feedback
        where organization_id = ${CLINIC} and session_run_id = r.id) reports) pain
    order by record.id, r.started_at desc, r.id desc`.execute(tx)
  return rows
}

export async function listActiveConditions(tx: TenantTx, { patient_profile_id }: Key) {
  const { rows } = await sql<PatientOverview['conditions'][number]>`
    select c.id, c.status, c.stage, jsonb_build_object('id', t.id, 'slug', t.slug,
      'name', translated_name(t.name, t.translations), 'icd10_code', t.icd10_code) as condition
    from patient_conditions c join taxonomy_tags t on t.id = c.condition_id
    where c.organization_id = ${CLINIC} and c.patient_profile_id = any(linked_profile_ids(${patient_profile_id}))
      and c.status = 'active'
    order by c.created_at, c.id`.execute(tx)
  return rows
}

/** The newest active plan; its runs only for callers who may see runs. */
export async function findActivePlan(
  tx: TenantTx,
  { patient_profile_id }: Key,
  { withRuns }: { withRuns: boolean },
): Promise<PatientOverview['plan']> {
  const { rows } = await sql<NonNullable<PatientOverview['plan']>>`
    select t.id, t.title, case when ${withRuns}::boolean then (
      select count(*) from session_runs r where r.organization_id = ${CLINIC} and r.treatment_plan_id = t.id
        and r.started_at > now() - interval '14 days') end as runs_14d
    from treatment_plans t
    where t.organization_id = ${CLINIC} and t.patient_profile_id = any(linked_profile_ids(${patient_profile_id}))
      and t.status = 'active'
    order by t.activated_at desc nulls last, t.id desc limit 1`.execute(tx)
  return rows[0] ?? null
}

/** Counts forms that are not signed. */
export async function countOpenForms(tx: TenantTx, { patient_profile_id }: Key) {
  const { rows } = await sql<{ forms_open: number; to_sign: number }>`
    select count(*) filter (where status <> 'completed' or signed_by = 'patient') as forms_open,
      count(*) filter (where status = 'completed' and signed_by = 'staff') as to_sign
    from forms
    where organization_id = ${CLINIC} and patient_profile_id = any(linked_profile_ids(${patient_profile_id}))
      and status <> 'signed'`.execute(tx)
  return rows[0]
}

/** Required purposes whose text in force is not accepted; and what future visits need, for callers who may see visits. */
export async function listMissingConsents(
  tx: TenantTx,
  { id, patient_profile_id }: Key,
  { withVisits }: { withVisits: boolean },
): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select p.code from consent_purposes p cross join lateral purpose_version_in_force(p.code, ${CLINIC}) v
    where p.scope = 'org' and p.legal_basis <> 'consent' and not exists (
      select 1 from consents c where c.organization_id = ${CLINIC} and c.patient_profile_id = ${patient_profile_id}
        and c.purpose_code = p.code and c.withdrawn_at is null and c.purpose_version = v.version)
    union
    select unnest(a.missing_consents) from appointments a
    where ${withVisits}::boolean and a.organization_id = ${CLINIC} and a.patient_id = ${id} and a.starts_at > now()
      and a.status in ('pending', 'confirmed', 'checked_in')
    order by 1`.execute(tx)
  return rows.map(({ code }) => code)
}
