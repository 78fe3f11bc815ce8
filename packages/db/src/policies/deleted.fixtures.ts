import type { TestDatabase } from '@tendon/testing'

/** The tables whose deleted rows can be restored, with a row. Locations have one in every clinic. */
const DELETED: Readonly<Record<string, readonly [columns: string, values: string]>> = {
  specialists: ['name, slug, scheduling_timezone', `'Dan', 'deleted-dan', 'UTC'`],
  custom_fields: ['entity_type, key, label, field_type', `'patient', 'deleted', 'Deleted', 'text'`],
  exercises: ['name, slug', `'Lift', 'deleted-lift'`],
  programs: ['name', `'Deleted'`],
  services: ['name, slug, duration_minutes', `'Deleted', 'deleted', 30`],
  service_plans: ['name, price_cents', `'Deleted', 1`],
  products: ['sku, name, price_cents', `'DELETED', 'Deleted', 1`],
}

export const RESTORABLE = ['locations', ...Object.keys(DELETED)]

export async function createDeleted(query: TestDatabase['query'], id: string): Promise<void> {
  for (const [table, [columns, values]] of Object.entries(DELETED))
    await query(`insert into ${table} (organization_id, deleted_at, ${columns}) values ($1, now(), ${values})`, [id])
}
