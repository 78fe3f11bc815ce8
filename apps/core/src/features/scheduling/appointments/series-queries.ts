import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
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

export async function hasSeries(tx: TenantTx, seriesId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('appointments')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('series_id', '=', seriesId)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Visits of a series that start then or later and were neither cancelled nor moved, in the order of their ids. */
export async function listIdsFrom(tx: TenantTx, seriesId: string, from: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('series_id', '=', seriesId)
    .where('starts_at', '>=', from)
    .where('status', 'not in', ['cancelled', 'entered_in_error'])
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** Nobody moves a visit of the series until the transaction ends: its patients, then its specialists are locked, as in a move. */
export async function lockSeries(tx: ServiceTx, seriesId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('consents ' || id, 0)) from (
      select distinct patient_profile_id as id from appointments
      where organization_id = (select current_app_org_id()) and series_id = ${seriesId} and patient_profile_id is not null
      order by 1 offset 0) profiles`.execute(tx)
  await sql`select pg_advisory_xact_lock(hashtextextended('appointments of ' || id, 0)) from (
      select distinct specialist_id as id from appointments
      where organization_id = (select current_app_org_id()) and series_id = ${seriesId} and specialist_id is not null
      order by 1 offset 0) specialists`.execute(tx)
}
