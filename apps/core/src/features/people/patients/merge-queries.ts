import type { LinkedRecord } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** Includes deleted records for callers with data.view_deleted. */
export async function listLinkedRecords(tx: TenantTx, patientId: string): Promise<LinkedRecord[]> {
  const { rows } = await sql<LinkedRecord>`
    select patient_id as id, patient_profile_id, name, created_at, deleted_at, is_main from linked_patients(${patientId})
    where deleted_at is null or current_app_has_permission('data', 'view_deleted')`.execute(tx)
  return rows
}

export type MergeOutcome = 'merged' | 'restricted' | 'being_erased' | 'linked' | 'different_people'

/** null when either record is deleted or not of the clinic. */
export async function mergePatient(tx: TenantTx, id: string, into: string): Promise<MergeOutcome | null> {
  const { rows } = await sql<{ outcome: MergeOutcome | null }>`
    select merge_patient(${id}, ${into}) as outcome`.execute(tx)
  return rows[0]?.outcome ?? null
}

/** Returns the id of the record that it was linked to, or null. */
export async function unmergePatient(tx: TenantTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ into: string | null }>`select unmerge_patient(${id}) as into`.execute(tx)
  return rows[0]?.into ?? null
}
