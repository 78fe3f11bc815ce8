import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/**
 * Locks a patient before an appointment is written: a deletion of the record then finds the appointment, or the record is gone
 * (features/people/patients/routes.ts takes the same lock).
 */
export async function lockPatient(tx: TenantTx, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || patient_profile_id, 0)) from patients
    where organization_id = current_app_org_id() and id = ${id}`.execute(tx)
}
