import type { AppointmentStatus } from '@tendon/contracts'
import type { ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

/** Each of these patients with their linked records, as with_linked_patients finds them. */
const recordsOf = (patientIds: readonly string[]) => sql`
  unnest(${patientIds}::uuid[]) as r (patient_id)
  join patients p on p.organization_id = (select current_app_org_id()) and p.id = r.patient_id
  cross join lateral (
    select p.id, p.patient_profile_id
    union all
    select m.id, m.patient_profile_id from patients m
    where m.organization_id = p.organization_id and m.id = p.merged_into_id and m.deleted_at is null
    union all
    select m.id, m.patient_profile_id from patients m
    where m.organization_id = p.organization_id and m.merged_into_id = coalesce(p.merged_into_id, p.id) and m.id <> p.id
      and m.deleted_at is null) as person (id, profile_id)`

/** The first visit of each patient, across linked records; only visits in these statuses count. */
export async function listFirstVisits(
  tx: ServiceTx,
  patientIds: readonly string[],
  statuses: readonly AppointmentStatus[],
): Promise<{ patient_id: string; id: string; starts_at: string }[]> {
  const { rows } = await sql<{ patient_id: string; id: string; starts_at: string }>`
    select distinct on (r.patient_id) r.patient_id, first.id, first.starts_at
    from ${recordsOf(patientIds)}
    cross join lateral (
      select a.id, a.starts_at from appointments a
      where a.organization_id = p.organization_id and a.patient_id = person.id and a.starts_at is not null
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
export async function countOpenForms(tx: ServiceTx, patientIds: readonly string[]): Promise<OpenForms[]> {
  const { rows } = await sql<OpenForms>`
    select r.patient_id, f.appointment_id, count(*)::integer as count
    from ${recordsOf(patientIds)}
    join forms f on f.organization_id = p.organization_id and f.patient_profile_id = person.profile_id
    where f.status in ('pending', 'in_progress')
    group by r.patient_id, f.appointment_id`.execute(tx)
  return rows
}
