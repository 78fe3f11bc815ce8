import type { List, NewPatientCondition, PatientCondition, PatientConditionChanges } from '@tendon/contracts'
import { CLINIC, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { listContraindicated } from './contraindication-queries.ts'
import type { AffectedExercise } from './rules.ts'

const CONDITION = sql<PatientCondition['condition']>`(
  select jsonb_build_object('id', t.id, 'slug', t.slug, 'name', translated_name(t.name, t.translations),
    'icd10_code', t.icd10_code)
  from taxonomy_tags t where t.id = patient_conditions.condition_id)`

const PATIENT_ID = sql<string>`(
  select p.id from patients p where p.organization_id = patient_conditions.organization_id
    and p.patient_profile_id = patient_conditions.patient_profile_id)`

const conditions = (tx: TenantTx) =>
  tx
    .selectFrom('patient_conditions')
    .select(['id', 'since', 'note', 'status', 'stage', 'cleared_at', 'cleared_by_principal_id'])
    .select(['created_by_principal_id', 'created_at', 'updated_at', 'version'])
    .select([CONDITION.as('condition'), sql<PatientCondition['cleared_for']>`cleared_for`.as('cleared_for')])
    .select(PATIENT_ID.as('patient_id'))
    .where('organization_id', '=', CLINIC)

const conditionsOf = (tx: TenantTx, profileId: string) => conditions(tx).where('patient_profile_id', '=', profileId)

/** Lists conditions of a patient, including those of linked records. */
export async function listPatientConditions(tx: TenantTx, profileId: string, list: List) {
  const query = conditions(tx).where(sql<boolean>`patient_profile_id = any(linked_profile_ids(${profileId}))`)
  return readPage(query, list)
}

export const findPatientCondition = (
  tx: TenantTx,
  profileId: string,
  id: string,
): Promise<PatientCondition | undefined> => conditionsOf(tx, profileId).where('id', '=', id).executeTakeFirst()

/** A condition of the platform or of the clinic's own; undefined for every other id. */
export async function findCondition(tx: TenantTx, id: string): Promise<{ deprecated: boolean } | undefined> {
  return tx
    .selectFrom('taxonomy_tags')
    .select(sql<boolean>`deprecated_at is not null`.as('deprecated'))
    .where('id', '=', id)
    .where('axis', '=', 'condition')
    .executeTakeFirst()
}

/** Exercises of active plans that are contraindicated by a condition of the patient, the most severe first. */
export async function listAffectedExercises(
  tx: TenantTx,
  profileId: string,
  patientConditionId: string,
): Promise<AffectedExercise[]> {
  const found = await listContraindicated(tx, [profileId])
  return found
    .filter((one) => one.status === 'active' && one.patient_condition_id === patientConditionId)
    .map(({ treatment_plan_id, title, exercise_id, exercise_name, severity }) => ({
      plan: { id: treatment_plan_id, title },
      exercise: { id: exercise_id, name: exercise_name, severity },
    }))
}

export async function findProgramId(tx: TenantTx, planId: string): Promise<string | null> {
  const found = await tx.selectFrom('treatment_plans').select('program_id').where('id', '=', planId).executeTakeFirst()
  return found?.program_id ?? null
}

export async function insertPatientCondition(tx: TenantTx, profileId: string, values: NewPatientCondition) {
  const { id } = await tx
    .insertInto('patient_conditions')
    .values({ ...values, patient_profile_id: profileId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updatePatientCondition(
  tx: TenantTx,
  id: string,
  changes: PatientConditionChanges,
): Promise<void> {
  await tx
    .updateTable('patient_conditions')
    .set(changes)
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}

export async function deletePatientCondition(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('patient_conditions').where('organization_id', '=', CLINIC).where('id', '=', id).execute()
}
