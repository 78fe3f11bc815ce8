import type { LinkedRecord } from '@tendon/contracts'
import { asService, CLINIC, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import { type MergeOutcome, mergeOutcome } from './merge-rules.ts'
import { LOCKING_PATIENT } from './queries.ts'

/** Includes deleted records for callers with data.view_deleted. */
export async function listLinkedRecords(tx: TenantTx, patientId: string): Promise<LinkedRecord[]> {
  const { rows } = await sql<LinkedRecord>`
    select patient_id as id, patient_profile_id, name, created_at, deleted_at, is_main from linked_patients(${patientId})
    where deleted_at is null or current_app_has_permission('data', 'view_deleted')`.execute(tx)
  return rows
}

/** What the routes that link records declare. */
export const MERGING = {
  codes: [...LOCKING_PATIENT.codes, 'data.view_deleted', 'gdpr.erase_data'],
  why: 'Locks both records, writes the link, and must see erasures in progress.',
}

/** null when either record is deleted or not of the clinic. */
export async function mergePatient(tx: TenantTx, id: string, into: string): Promise<MergeOutcome | null> {
  return asService(tx, MERGING.codes, async (own) => {
    const records = await own
      .selectFrom('patients')
      .select(['id', 'deleted_at', 'erased_at', 'restricted_at', 'merged_into_id'])
      .where('organization_id', '=', CLINIC)
      .where('id', 'in', [id, into])
      .orderBy('id')
      .forUpdate()
      .execute()
    const [erasures, linked, people] = await together([
      own
        .selectFrom('privacy_requests')
        .select('id')
        .where('organization_id', '=', CLINIC)
        .where('patient_id', 'in', [id, into])
        .where('kind', '=', 'erase')
        .where('status', 'in', ['accepted', 'active'])
        .execute(),
      own
        .selectFrom('patients')
        .select('id')
        .where('organization_id', '=', CLINIC)
        .where('merged_into_id', '=', id)
        .execute(),
      // Waits for a claim in progress; a later claim waits for the link and removes it (patient_profiles_unlink_claimed).
      own
        .selectFrom('patient_profiles as f')
        .innerJoin('patients as p', (join) =>
          join.onRef('p.organization_id', '=', 'f.organization_id').onRef('p.patient_profile_id', '=', 'f.id'),
        )
        .select('f.human_id')
        .where('p.organization_id', '=', CLINIC)
        .where((eb) => eb.or([eb('p.id', 'in', [id, into]), eb('p.merged_into_id', '=', into)]))
        .orderBy('f.id')
        .forShare('f')
        .execute(),
    ])
    const outcome = mergeOutcome({
      records,
      isBeingErased: erasures.length > 0,
      isMain: linked.length > 0,
      humanIds: people.map(({ human_id }) => human_id),
    })
    if (outcome === 'merged')
      await own
        .updateTable('patients')
        .set({ merged_into_id: into })
        .where('organization_id', '=', CLINIC)
        .where('id', '=', id)
        .execute()
    return outcome
  })
}

/** Returns the id of the record that it was linked to, or null. */
export async function unmergePatient(tx: TenantTx, id: string): Promise<string | null> {
  return asService(tx, MERGING.codes, async (own) => {
    const patient = await own
      .selectFrom('patients')
      .select('merged_into_id')
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!patient?.merged_into_id) return null
    await own
      .updateTable('patients')
      .set({ merged_into_id: null })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .execute()
    return patient.merged_into_id
  })
}
