import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** Keeps the times at which nothing was booked, on the first appointment. */
export async function updateSkipped(tx: TenantTx, id: string, skipped: readonly string[]): Promise<void> {
  await sql`update appointments set skipped_starts_at = ${skipped}::timestamptz[]
    where id = ${id} and organization_id = (select current_app_org_id())`.execute(tx)
}

/** One appointment of a series, which can be undone without the others. */
export async function startOccurrence(tx: TenantTx): Promise<void> {
  await sql`savepoint occurrence`.execute(tx)
}

export async function undoOccurrence(tx: TenantTx): Promise<void> {
  await sql`rollback to savepoint occurrence`.execute(tx)
}
