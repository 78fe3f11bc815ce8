import { asService, CLINIC, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import { LOCKING_PATIENT } from './queries.ts'
import { type RestoreOutcome, restoreOutcome } from './restore-rules.ts'

/** What the route that restores a patient declares. */
export const RESTORING_PATIENT = {
  codes: [...LOCKING_PATIENT.codes, 'data.view_deleted', 'gdpr.erase_data'],
  why: 'Nobody else changes a deleted record; it must see erasures in progress.',
}

interface RestoredPatient {
  outcome: RestoreOutcome
  deleted_at: string | null
}

/** Consents stay withdrawn. `nationalIdIndex`: of the number in the profile, which the deletion had cleared. */
export async function restorePatient(
  tx: TenantTx,
  id: string,
  nationalIdIndex: Buffer | null,
): Promise<RestoredPatient | undefined> {
  return asService(tx, RESTORING_PATIENT.codes, async (own) => {
    const patient = await own
      .selectFrom('patients')
      .select(['deleted_at', 'erased_at', 'deleted_by_principal_id', 'restricted_at', 'patient_profile_id'])
      .select(sql<boolean>`coalesce(deleted_at < now() - interval '30 days', false)`.as('is_late'))
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst()
    if (!patient) return undefined
    const erasure = await own
      .selectFrom('privacy_requests')
      .select('id')
      .where('organization_id', '=', CLINIC)
      .where('patient_id', '=', id)
      .where('kind', '=', 'erase')
      .where('status', 'in', ['accepted', 'active'])
      .executeTakeFirst()
    const outcome = restoreOutcome({ ...patient, is_being_erased: erasure !== undefined })
    if (outcome === 'restored')
      await together([
        own
          .updateTable('patients')
          .set({ deleted_at: null, deleted_by_principal_id: null })
          .where('organization_id', '=', CLINIC)
          .where('id', '=', id)
          .execute(),
        nationalIdIndex &&
          own
            .updateTable('patient_profiles')
            .set({ national_id_index: nationalIdIndex })
            .where('organization_id', '=', CLINIC)
            .where('id', '=', patient.patient_profile_id)
            .execute(),
      ])
    return { outcome, deleted_at: patient.deleted_at }
  })
}
