import type { List, NewProduct, Product, ProductChanges } from '@tendon/contracts'
import { asService, CLINIC, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'sku',
  'name',
  'description',
  'price_cents',
  'currency',
  'vat_rate',
  'status',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const row = <Values extends { name?: string }>(values: Values): Values =>
  values.name === undefined ? values : { ...values, name: values.name.normalize().trim() }

/** Without the filter, deleted ones are excluded. Row-level security shows them only to holders of data.view_deleted. */
export async function listProducts(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = tx.selectFrom('products').select(COLUMNS)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['name', 'sku', 'description'] })
}

export async function findProduct(tx: TenantTx, id: string): Promise<Product | undefined> {
  return await tx.selectFrom('products').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. A deleted one is not found. */
export async function findProductForUpdate(tx: TenantTx, id: string): Promise<Product | undefined> {
  return tx
    .selectFrom('products')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertProduct(tx: TenantTx, values: NewProduct): Promise<Product> {
  return tx.insertInto('products').values(row(values)).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function updateProduct(tx: TenantTx, id: string, changes: ProductChanges): Promise<Product> {
  return tx.updateTable('products').set(row(changes)).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** What a route that deletes declares. */
export const DELETING = {
  codes: ['services.manage', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one.',
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteProduct(tx: TenantTx, id: string): Promise<string | null> {
  const deleted = await asService(tx, DELETING.codes, (own) =>
    own
      .updateTable('products')
      .set({ deleted_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('deleted_at')
      .executeTakeFirst(),
  )
  return deleted?.deleted_at ?? null
}
