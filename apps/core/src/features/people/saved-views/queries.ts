import type { SavedViews, SavedViewsParams } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

type ListName = SavedViewsParams['list']

const COLUMNS = ['views', 'version', 'updated_at'] as const
const NOTHING_SAVED: SavedViews = { views: [], version: 1, updated_at: null }

/** Row-level security shows the caller's own views only. */
export async function findSavedViews(tx: TenantTx, list: ListName): Promise<SavedViews> {
  const found = await tx.selectFrom('saved_views').select(COLUMNS).where('list', '=', list).executeTakeFirst()
  return found ?? NOTHING_SAVED
}

/** Serializes changes, so that the second one reads the result of the first. */
export async function lockSavedViews(tx: TenantTx): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(
    'saved_views ' || current_app_org_id() || current_app_principal_id(), 0))`.execute(tx)
}

export function saveViews(tx: TenantTx, list: ListName, views: SavedViews['views']): Promise<SavedViews> {
  const values = { views: sql<SavedViews['views']>`${JSON.stringify(views)}::jsonb` }
  return tx
    .insertInto('saved_views')
    .values({ list, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'principal_id', 'list']).doUpdateSet(values))
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}
