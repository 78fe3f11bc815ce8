import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/**
 * Locks a patient before an appointment is written: a deletion of the record then finds the appointment, or the record is gone
 * (features/people/patients/routes.ts takes the same lock).
 */
export async function lockPatient(tx: TenantTx, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || patient_profile_id, 0)) from patients
    where organization_id = (select current_app_org_id()) and id = ${id}`.execute(tx)
}

/** Locks the patients of these appointments before anything else of them is locked or written: so do erasures. */
export async function lockPatientsOf(tx: TenantTx, appointmentIds: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || id, 0)) from (
      select distinct patient_profile_id as id from appointments
      where organization_id = (select current_app_org_id()) and id = any (${appointmentIds}::uuid[])
        and patient_profile_id is not null
      order by 1) profiles`.execute(tx)
}

export interface BookingPatient extends RowOf<'patients', 'id' | 'patient_profile_id' | 'restricted_at'> {
  has_telemedicine: boolean
}

/** Patients of the clinic in context; in a patient's request, their own records. */
const select = (tx: TenantTx) =>
  tx
    .selectFrom('patients')
    .select(['id', 'patient_profile_id', 'restricted_at'])
    .select(sql<boolean>`has_consent(patient_profile_id, organization_id, 'telemedicine')`.as('has_telemedicine'))
    .where('organization_id', '=', CLINIC)
    .where('deleted_at', 'is', null)

export function findBookingPatient(tx: TenantTx, id: string): Promise<BookingPatient | undefined> {
  return select(tx).where('id', '=', id).executeTakeFirst()
}

/** The caller's record at the clinic in context. */
export function findMyRecord(tx: TenantTx): Promise<BookingPatient | undefined> {
  return select(tx)
    .where(sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`)
    .orderBy('created_at')
    .executeTakeFirst()
}

/** Whether the patient has agreed to telemedicine at the clinic in context. */
export async function hasTelemedicine(tx: TenantTx, profileId: string | null): Promise<boolean> {
  const { rows } = await sql<{ is_given: boolean }>`
    select has_consent(${profileId}, current_app_org_id(), 'telemedicine') as is_given`.execute(tx)
  return rows[0]?.is_given === true
}
