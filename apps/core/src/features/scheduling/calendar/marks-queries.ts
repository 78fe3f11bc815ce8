import type { AppointmentStatus } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

export interface PatientOfVisit {
  patient_id: string
  patient_profile_id: string
}

/**
 * The rows "record": each of these patients with their linked records. Few records are linked: the partial index on
 * merged_into_id finds all of the clinic at once, and no patient is looked up alone.
 */
const records = (patients: readonly PatientOfVisit[]) => {
  const ids = patients.map(({ patient_id }) => patient_id)
  const profileIds = patients.map(({ patient_profile_id }) => patient_profile_id)
  return sql`linked as materialized (
      select m.id, m.merged_into_id as main_id, m.patient_profile_id as profile_id from patients m
      where m.organization_id = (select current_app_org_id()) and m.merged_into_id is not null and m.deleted_at is null),
    member as materialized (
      select main_id, id, profile_id from linked
      union all
      select p.id, p.id, p.patient_profile_id from patients p
      where p.organization_id = (select current_app_org_id()) and p.deleted_at is null
        and p.id = any (array(select main_id from linked))),
    record as materialized (
      select r.patient_id, r.patient_id as id, r.profile_id
      from unnest(${ids}::uuid[], ${profileIds}::uuid[]) as r (patient_id, profile_id)
      union all
      select own.id, other.id, other.profile_id
      from member own join member other on other.main_id = own.main_id and other.id <> own.id
      where own.id = any (${ids}::uuid[]))`
}

/** The first visit of each patient, across linked records; only visits in these statuses count. */
export async function listFirstVisits(
  tx: ServiceTx,
  patients: readonly PatientOfVisit[],
  statuses: readonly AppointmentStatus[],
): Promise<{ patient_id: string; id: string; starts_at: string }[]> {
  const { rows } = await sql<{ patient_id: string; id: string; starts_at: string }>`
    with ${records(patients)}
    select distinct on (r.patient_id) r.patient_id, first.id, first.starts_at
    from record r
    cross join lateral (
      select a.id, a.starts_at from appointments a
      where a.organization_id = (select current_app_org_id()) and a.patient_id = r.id and a.starts_at is not null
        and a.status = any (${statuses}::text[])
      order by a.starts_at, a.id limit 1) first
    order by r.patient_id, first.starts_at, first.id`.execute(tx)
  return rows
}

export interface OpenForms {
  patient_id: string
  /** null: they belong to no visit. */
  appointment_id: string | null
  count: number
}

/** How many forms of each patient are not completed, by visit. */
export async function countOpenForms(tx: ServiceTx, patients: readonly PatientOfVisit[]): Promise<OpenForms[]> {
  const { rows } = await sql<OpenForms>`
    with ${records(patients)}
    select r.patient_id, f.appointment_id, count(*)::integer as count
    from record r
    join forms f on f.organization_id = (select current_app_org_id()) and f.patient_profile_id = r.profile_id
      and f.status in ('pending', 'in_progress')
    group by r.patient_id, f.appointment_id`.execute(tx)
  return rows
}
