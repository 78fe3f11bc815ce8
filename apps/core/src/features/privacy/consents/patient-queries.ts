import { asService, CLINIC, type RowOf, type ServiceTx, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import { lockProfiles } from './queries.ts'

/** A record of the calling patient at a clinic. */
export interface MyRecord {
  organization_id: string
  patient_id: string
  patient_profile_id: string
  deleted_at: string | null
  erased_at: string | null
}

/** Where the calling human is or was a patient; first the profile that was there first. */
export async function listMyRecords(tx: TenantTx): Promise<MyRecord[]> {
  return tx
    .selectFrom('patients')
    .select(['organization_id', 'id as patient_id', 'patient_profile_id', 'deleted_at', 'erased_at'])
    .where(sql<boolean>`patient_profile_id = any(current_app_profile_ids())`)
    .orderBy(sql`array_position(current_app_profile_ids(), patient_profile_id)`)
    .execute()
}

/** The profile for the human's platform consents: the one that has such consents, otherwise the first. */
export async function findPlatformProfile(tx: TenantTx): Promise<string | undefined> {
  const row = await tx
    .selectFrom('patient_profiles as f')
    .select('f.id')
    .where('f.human_id', '=', sql<string>`current_app_principal_id()`)
    .where(sql<boolean>`f.id = any(current_app_profile_ids())`)
    .orderBy(
      sql`exists (select 1 from consents c where c.patient_profile_id = f.id and c.organization_id is null)`,
      'desc',
    )
    .orderBy('f.created_at')
    .orderBy('f.id')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** Does `work` as a patient of that clinic (null: on the platform), in the same transaction. */
export async function asPatientAt(
  tx: TenantTx,
  organizationId: string | null,
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await sql<{ begun: boolean }>`select begin_as_patient(${organizationId}) as begun`.execute(tx)
  if (!rows[0]?.begun) throw new Error('the caller has no record at this clinic')
  await work()
  await sql`select end_as_patient()`.execute(tx)
}

/** For staff of the clinic who may see or record consents. */
export const AS_STAFF = {
  codes: ['patients.view_org', 'data.view_deleted'],
  why: 'Who sees or records consents need not see patients; of them the service reads the profile.',
} as const

type PatientHere = RowOf<'patients', 'patient_profile_id' | 'deleted_at'>

/** A patient of the clinic in context, as far as the caller may know of what they agreed to. */
export function findPatientHere(
  tx: TenantTx,
  patientId: string,
  { seesDeleted }: { seesDeleted: boolean },
): Promise<PatientHere | undefined> {
  return asService(tx, AS_STAFF.codes, (own) => select(own, patientId, seesDeleted))
}

function select(tx: ServiceTx, id: string, seesDeleted = false): Promise<PatientHere | undefined> {
  return tx
    .selectFrom('patients')
    .select(['patient_profile_id', 'deleted_at'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .$if(!seesDeleted, (query) => query.where('deleted_at', 'is', null))
    .executeTakeFirst()
}

/** The same, locked; undefined when the person is no longer a patient. */
export function findPatientForChange(tx: TenantTx, patientId: string): Promise<PatientHere | undefined> {
  return asService(tx, AS_STAFF.codes, async (own) => {
    const known = await select(own, patientId)
    if (!known) return undefined
    const [, patient] = await together([lockProfiles(own, [known.patient_profile_id]), select(own, patientId)])
    return patient
  })
}

export async function updateLeftClinic(tx: TenantTx, organizationId: string, reason: string | null) {
  const { rows } = await sql<{ patient_id: string; patient_profile_id: string; left_at: string }>`
    select * from leave_clinic(${organizationId}, ${reason})`.execute(tx)
  return rows
}

/** When it was erased; null: there is no such account any more. */
export async function updateErasedAccount(tx: TenantTx): Promise<string | null> {
  const { rows } = await sql<{ erased_at: string | null }>`select erase_account() as erased_at`.execute(tx)
  return rows[0]?.erased_at ?? null
}
