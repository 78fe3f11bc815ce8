import type { List, Location, LocationChanges, NewLocation, Picker } from '@tendon/contracts'
import { asService, CLINIC, readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'name',
  'address',
  'phone',
  'email',
  'time_zone',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

/** One spelling of a name, so that the unique index sees what a reader sees. */
const row = <Values extends { name?: string }>(values: Values): Values =>
  values.name === undefined ? values : { ...values, name: values.name.normalize().trim() }

/** Without the filter, deleted ones are excluded. Row-level security shows them only to holders of data.view_deleted. */
export async function listLocations(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = tx.selectFrom('locations').select(COLUMNS)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['name'] })
}

export async function listLocationChoices(tx: TenantTx, picker: Picker) {
  const living = tx.selectFrom('locations').select(['id', 'name']).where('deleted_at', 'is', null)
  return readChoices(living, picker, { search: ['name'] })
}

export async function findLocation(tx: TenantTx, id: string): Promise<Location | undefined> {
  return tx.selectFrom('locations').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. A deleted one is not found. */
export async function findLocationForUpdate(tx: TenantTx, id: string): Promise<Location | undefined> {
  return tx
    .selectFrom('locations')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function insertLocation(tx: TenantTx, values: NewLocation): Promise<Location> {
  return tx.insertInto('locations').values(row(values)).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function updateLocation(tx: TenantTx, id: string, changes: LocationChanges): Promise<Location> {
  return tx.updateTable('locations').set(row(changes)).where('id', '=', id).returning(COLUMNS).executeTakeFirstOrThrow()
}

/** What a route that deletes declares. */
export const DELETING = {
  codes: ['locations.manage', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one.',
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteLocation(tx: TenantTx, id: string): Promise<string | null> {
  const deleted = await asService(tx, DELETING.codes, (own) =>
    own
      .updateTable('locations')
      .set({ deleted_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('deleted_at')
      .executeTakeFirst(),
  )
  return deleted?.deleted_at ?? null
}
