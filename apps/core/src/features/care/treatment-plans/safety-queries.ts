import type { RowOf, ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import type { ContraindicationFact, PrerequisiteFact } from './safety-rules.ts'

// What the check weighs, whether or not the caller may see the library.

type Held = RowOf<'patient_conditions', 'condition_id' | 'since' | 'status' | 'stage' | 'cleared_for'> &
  Pick<ContraindicationFact, 'condition_slug' | 'condition_name' | 'condition_icd10_code'> &
  Pick<ContraindicationFact, 'patient_condition_id' | 'recorded_by_principal_id' | 'recorded_at'>

interface Named
  extends RowOf<'exercise_contraindications', 'exercise_id' | 'severity' | 'stages' | 'until_cleared_for'>,
    RowOf<'exercise_contraindications', 'description' | 'clinical_basis' | 'source' | 'translations'>,
    RowOf<'exercise_contraindications', 'tagged_by_principal_id' | 'tagged_at'> {
  contraindication_id: string
  contraindicated_id: string
  contraindicated_condition: ContraindicationFact['contraindicated_condition']
}

/** Conditions of the patient and of linked records. */
export async function listHeld(tx: ServiceTx, profileId: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    select p.id as patient_condition_id, p.condition_id, t.slug as condition_slug,
      translated_name(t.name, t.translations) as condition_name, t.icd10_code as condition_icd10_code, p.since,
      p.created_by_principal_id as recorded_by_principal_id, p.created_at as recorded_at, p.status, p.stage, p.cleared_for
    from patient_conditions p
    join taxonomy_tags t on t.id = p.condition_id and (t.organization_id is null or t.organization_id = (select current_app_org_id()))
    where p.organization_id = (select current_app_org_id()) and p.patient_profile_id = any (linked_profile_ids(${profileId}))
    order by p.created_at, p.id`.execute(tx)
  return rows
}

export async function listNamed(tx: ServiceTx, exerciseIds: readonly string[]): Promise<Named[]> {
  const { rows } = await sql<Named>`
    select c.exercise_id, c.id as contraindication_id, c.condition_id as contraindicated_id, c.severity, c.stages,
      c.until_cleared_for, c.description, c.clinical_basis, c.source, c.translations, c.tagged_by_principal_id, c.tagged_at,
      jsonb_build_object('id', d.id, 'slug', d.slug, 'name', translated_name(d.name, d.translations),
        'icd10_code', d.icd10_code) as contraindicated_condition
    from exercise_contraindications c
    join taxonomy_tags d on d.id = c.condition_id and (d.organization_id is null or d.organization_id = (select current_app_org_id()))
    where c.exercise_id = any (${exerciseIds}::uuid[])
      and (c.organization_id is null or c.organization_id = (select current_app_org_id()))
    order by c.tagged_at, c.id`.execute(tx)
  return rows
}

export async function listPrerequisites(
  tx: ServiceTx,
  profileId: string,
  exerciseIds: readonly string[],
): Promise<PrerequisiteFact[]> {
  const { rows } = await sql<PrerequisiteFact>`
    select p.exercise_id, e.id as prerequisite_exercise_id, translated_name(e.name, e.translations) as prerequisite_name,
      e.slug as prerequisite_slug, p.clinical_basis, p.translations, p.tagged_by_principal_id, p.tagged_at,
      exists (select 1 from session_run_events v
        join session_exercises x on x.organization_id = v.organization_id and x.id = v.session_exercise_id
        where v.organization_id = (select current_app_org_id()) and v.patient_profile_id = ${profileId} and v.type = 'completed'
          and x.exercise_id = e.id) as completed
    from exercise_prerequisites p
    join exercises e on e.id = p.prerequisite_exercise_id and e.deleted_at is null
      and (e.organization_id is null or e.organization_id = (select current_app_org_id()))
    where p.exercise_id = any (${exerciseIds}::uuid[])
      and (p.organization_id is null or p.organization_id = (select current_app_org_id()))
    order by p.tagged_at, e.id`.execute(tx)
  return rows
}
