import type { List, MyExport } from '@tendon/contracts'
import { type DB, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = ['id', 'organization_id', 'status', 'progress', 'created_at', 'completed_at', 'expires_at'] as const

export type StoredExport = MyExport & { object_key: string | null; patient_id: string; patient_profile_id: string }

const mine = (tx: TenantTx) => tx.selectFrom(sql<DB['privacy_requests']>`my_exports()`.as('privacy_requests'))

/** Undefined when the caller has no record at the clinic in context. */
export async function requestMyExport(tx: TenantTx): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select request_my_export() as id`.execute(tx)
  return rows[0]?.id ?? undefined
}

export async function listMyExports(tx: TenantTx, list: List): Promise<{ rows: MyExport[]; total: number }> {
  const { rows, total } = await readPage(mine(tx).select(COLUMNS), list)
  return { rows, total }
}

export async function findMyExport(tx: TenantTx, id: string): Promise<StoredExport | undefined> {
  const found = await mine(tx)
    .select([...COLUMNS, 'object_key', 'patient_id', 'patient_profile_id'])
    .where(sql<boolean>`id = ${id}`)
    .executeTakeFirst()
  return found
}
