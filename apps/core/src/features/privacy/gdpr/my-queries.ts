import type { List, MyExport } from '@tendon/contracts'
import { CLINIC, type DB, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = ['id', 'organization_id', 'status', 'progress', 'created_at', 'completed_at', 'expires_at'] as const

export type StoredExport = MyExport & { object_key: string | null; patient_id: string; patient_profile_id: string }

const mine = (tx: TenantTx) => tx.selectFrom(sql<DB['privacy_requests']>`my_exports()`.as('privacy_requests'))

/** One request for each record of the caller at the clinic in context, unless one is under way. */
export async function requestMyExports(tx: TenantTx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from request_my_exports() as id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whether the caller has a record at the clinic in context. */
export async function isPatientHere(tx: TenantTx): Promise<boolean> {
  const found = await tx
    .selectFrom('patients')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function listMyExports(tx: TenantTx, list: List): Promise<{ rows: MyExport[]; total: number }> {
  return readPage(mine(tx).select(COLUMNS), list)
}

export async function findMyExport(tx: TenantTx, id: string): Promise<StoredExport | undefined> {
  return mine(tx)
    .select([...COLUMNS, 'object_key', 'patient_id', 'patient_profile_id'])
    .where(sql<boolean>`id = ${id}`)
    .executeTakeFirst()
}
