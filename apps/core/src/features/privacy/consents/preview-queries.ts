import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** Counts, at one clinic, of the calling patient's data that depends on consents. */
export interface Dependents {
  /** Active treatment plans. */
  plans: number
  /** Sessions in progress. */
  runs: number
  /** Future video appointments. */
  videos: number
}

interface DependentsOfClinic extends Dependents {
  organization_id: string
}

export async function countDependents(tx: TenantTx, now: Date): Promise<Map<string, Dependents>> {
  const { rows } = await sql<DependentsOfClinic>`
    select organization_id, count(*) filter (where kind = 'plan') as plans, count(*) filter (where kind = 'run') as runs,
      count(*) filter (where kind = 'video') as videos
    from (
      select organization_id, 'plan' as kind from treatment_plans
      where patient_profile_id = any(current_app_profile_ids()) and status = 'active'
      union all
      select organization_id, 'run' from session_runs
      where patient_profile_id = any(current_app_profile_ids()) and status = 'in_progress'
      union all
      select organization_id, 'video' from appointments
      where patient_profile_id = any(current_app_profile_ids()) and mode = 'video' and starts_at > ${now}
        and status in ('pending', 'confirmed')
    ) dependents
    group by organization_id`.execute(tx)
  return new Map(rows.map(({ organization_id, ...counts }) => [organization_id, counts]))
}

interface TextInForce {
  organization_id: string | null
  purpose_code: string
  version: number
  body_translations: Record<string, string>
  published_at: string
}

/** The current texts of these organizations (null: the platform), independent of the clinic in context. */
export async function listTextsInForce(tx: TenantTx, places: readonly (string | null)[]): Promise<TextInForce[]> {
  const { rows } = await sql<TextInForce>`
    select place.id as organization_id, p.code as purpose_code, v.version, v.body_translations, v.published_at
    from unnest(${places}::uuid[]) place (id)
    join consent_purposes p on (p.scope = 'platform') = (place.id is null)
    cross join lateral purpose_version_in_force(p.code, place.id) v`.execute(tx)
  return rows
}

/** The text of each consent of the calling patient, by the consent's id. */
export async function listAcceptedTexts(tx: TenantTx): Promise<Map<string, Record<string, string>>> {
  const { rows } = await sql<{ consent_id: string; body_translations: Record<string, string> }>`
    select consent_id, body_translations from my_accepted_texts()`.execute(tx)
  return new Map(rows.map(({ consent_id, body_translations }) => [consent_id, body_translations]))
}

export async function listClinicNames(tx: TenantTx): Promise<Map<string, string>> {
  const { rows } = await sql<{ organization_id: string; name: string }>`select * from my_clinic_names()`.execute(tx)
  return new Map(rows.map(({ organization_id, name }) => [organization_id, name]))
}
