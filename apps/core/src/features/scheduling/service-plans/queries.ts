import type {
  List,
  NewServicePlan,
  ServicePlan,
  ServicePlanChanges,
  ServicePlanProduct,
  ServicePlanProductDetails,
} from '@tendon/contracts'
import { asService, CLINIC, existing, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'name',
  'description',
  'valid_days',
  'billing',
  'price_cents',
  'currency',
  'status',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const ITEMS = sql<ServicePlan['items']>`(
  select coalesce(json_agg(json_build_object('service_id', i.service_id, 'quantity', i.quantity) order by i.position), '[]')
  from service_plan_items i
  where i.organization_id = service_plans.organization_id and i.service_plan_id = service_plans.id)`
const PRODUCTS = sql<ServicePlanProduct[]>`(
  select coalesce(json_agg(json_build_object('product_id', p.product_id, 'quantity', p.quantity)
    order by p.created_at, p.product_id), '[]')
  from service_plan_products p
  where p.organization_id = service_plans.organization_id and p.service_plan_id = service_plans.id)`

const select = (tx: TenantTx) =>
  tx.selectFrom('service_plans').select([...COLUMNS, ITEMS.as('items'), PRODUCTS.as('products')])

const row = <Values extends { name?: string }>(values: Values): Values =>
  values.name === undefined ? values : { ...values, name: values.name.normalize().trim() }

/** Without the filter, deleted ones are excluded. Row-level security shows them only to holders of data.view_deleted. */
export async function listServicePlans(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = select(tx)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['name', 'description'] })
}

export async function findServicePlan(tx: TenantTx, id: string): Promise<ServicePlan | undefined> {
  return await select(tx).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. A deleted one is not found. */
export async function findServicePlanForUpdate(tx: TenantTx, id: string): Promise<ServicePlan | undefined> {
  return select(tx).where('id', '=', id).where('deleted_at', 'is', null).forNoKeyUpdate().executeTakeFirst()
}

export async function insertServicePlan(tx: TenantTx, { items = [], ...values }: NewServicePlan): Promise<ServicePlan> {
  const { id } = await tx.insertInto('service_plans').values(row(values)).returning('id').executeTakeFirstOrThrow()
  await replaceItems(tx, id, items)
  return existing(await findServicePlan(tx, id))
}

export async function updateServicePlan(
  tx: TenantTx,
  id: string,
  { items, ...values }: ServicePlanChanges,
): Promise<ServicePlan> {
  await tx
    .updateTable('service_plans')
    .set({ ...row(values), updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
  if (items) await replaceItems(tx, id, items)
  return existing(await findServicePlan(tx, id))
}

async function replaceItems(tx: TenantTx, id: string, items: ServicePlan['items']): Promise<void> {
  await tx.deleteFrom('service_plan_items').where('service_plan_id', '=', id).execute()
  const rows = items.map((item, position) => ({ service_plan_id: id, ...item, position }))
  if (rows.length > 0) await tx.insertInto('service_plan_items').values(rows).execute()
}

/** Deleted products stay in the plan; their details are hidden from everybody, so that all callers see the same. */
export async function listPlanProducts(
  tx: TenantTx,
  id: string,
  list: List,
): Promise<{ rows: ServicePlanProductDetails[]; total: number }> {
  const query = tx
    .selectFrom('service_plan_products as l')
    .leftJoin('products as p', (join) =>
      join
        .onRef('p.organization_id', '=', 'l.organization_id')
        .onRef('p.id', '=', 'l.product_id')
        .on('p.deleted_at', 'is', null),
    )
    .select([
      'l.product_id',
      'l.quantity',
      'p.sku',
      'p.name',
      'p.price_cents',
      'p.currency',
      'p.status',
      'l.created_at',
    ])
    .where('l.service_plan_id', '=', id)
  return readPage(query, list, {
    columns: {
      name: 'p.name',
      sku: 'p.sku',
      price_cents: 'p.price_cents',
      quantity: 'l.quantity',
      created_at: 'l.created_at',
    },
    search: ['p.name', 'p.sku'],
    id: 'l.product_id',
    newest: 'l.created_at',
  })
}

export async function insertPlanProduct(tx: TenantTx, id: string, product: ServicePlanProduct): Promise<void> {
  await tx
    .insertInto('service_plan_products')
    .values({ service_plan_id: id, ...product })
    .execute()
}

export async function deletePlanProduct(tx: TenantTx, id: string, productId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('service_plan_products')
    .where('service_plan_id', '=', id)
    .where('product_id', '=', productId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** What a route that deletes declares. */
export const DELETING = {
  codes: ['services.manage', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one.',
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteServicePlan(tx: TenantTx, id: string): Promise<string | null> {
  const deleted = await asService(tx, DELETING.codes, (own) =>
    own
      .updateTable('service_plans')
      .set({ deleted_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('deleted_at')
      .executeTakeFirst(),
  )
  return deleted?.deleted_at ?? null
}
