import type { Closure, ClosureChanges, List, NewClosure } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'

const COLUMNS = ['id', 'date', 'date_to', 'location_id', 'name', 'created_at', 'updated_at', 'version'] as const

export function listClosures(tx: TenantTx, list: List): Promise<{ rows: Closure[]; total: number }> {
  return readPage(tx.selectFrom('closures').select(COLUMNS), list, {})
}

export function findClosureForUpdate(tx: TenantTx, id: string): Promise<Closure | undefined> {
  return tx.selectFrom('closures').select(COLUMNS).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function insertClosure(tx: TenantTx, values: NewClosure): Promise<Closure> {
  return tx.insertInto('closures').values(values).returning(COLUMNS).executeTakeFirstOrThrow()
}

export function updateClosure(tx: TenantTx, id: string, changes: ClosureChanges): Promise<Closure> {
  return tx.updateTable('closures').set(changes).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function deleteClosure(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('closures').where('id', '=', id).execute()
}
