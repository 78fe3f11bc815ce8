import type { List, Picker, Specialist, SpecialistChanges, SpecialistInclude } from '@tendon/contracts'
import { readChoices, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'human_id',
  'name',
  'title',
  'description',
  'slug',
  'signature_url',
  'avatar_url',
  'scheduling_timezone',
  'scheduling_active',
  'crm_name',
  'registration_number',
  'meeting_url',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const SPECIALTIES = sql<NonNullable<Specialist['specialties']>>`(
  select coalesce(jsonb_agg(jsonb_build_object('id', y.id, 'title', y.title, 'slug', y.slug) order by y.title, y.id), '[]')
  from specialist_specialties l join specialties y on y.organization_id = l.organization_id and y.id = l.specialty_id
  where l.specialist_id = specialists.id)`

// What the clinic may see of the member: of somebody who never acted here only what it typed itself.
const HUMAN = sql<NonNullable<Specialist['human']> | null>`(
  select jsonb_build_object('id', m.principal_id, 'name', m.name, 'email', m.email)
  from members m where m.principal_id = specialists.human_id)`

type Values = Omit<SpecialistChanges, 'specialty_ids'>

const row = <Given extends Values>(values: Given): Given =>
  values.name === undefined ? values : { ...values, name: values.name.normalize().trim() }

const selecting = (tx: TenantTx, include: readonly string[]) =>
  tx
    .selectFrom('specialists')
    .select(COLUMNS)
    .$if(include.includes('specialties'), (query) => query.select(SPECIALTIES.as('specialties')))
    .$if(include.includes('human'), (query) => query.select(HUMAN.as('human')))

/** Without the filter, deleted ones are excluded. `ids`: only specialists with these ids. */
export function listSpecialists(
  tx: TenantTx,
  { filters: { deleted = ['false'], include = [] }, ...list }: List,
  ids?: readonly string[],
): Promise<{ rows: Specialist[]; total: number }> {
  let query = selecting(tx, include)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  if (ids) query = query.where(sql<boolean>`id = any(${ids}::uuid[])`)
  return readPage(query, { ...list, filters: {} }, { search: ['name', 'title', 'slug', 'description', 'crm_name'] })
}

export function listSpecialistChoices(tx: TenantTx, picker: Picker) {
  const living = tx.selectFrom('specialists').select(['id', 'name', 'title']).where('deleted_at', 'is', null)
  return readChoices(living, picker, { search: ['name', 'title'] })
}

export function findSpecialist(
  tx: TenantTx,
  id: string,
  include: readonly SpecialistInclude[] = [],
): Promise<Specialist | undefined> {
  return selecting(tx, include).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. A deleted one is not found. */
export function findSpecialistForUpdate(tx: TenantTx, id: string): Promise<Specialist | undefined> {
  return tx
    .selectFrom('specialists')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function insertSpecialist(tx: TenantTx, values: Values & { name: string; slug: string }): Promise<Specialist> {
  const organizationZone = sql<string>`(select time_zone from organizations where id = (select current_app_org_id()))`
  return tx
    .insertInto('specialists')
    .values({ ...row(values), scheduling_timezone: values.scheduling_timezone ?? organizationZone })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export function updateSpecialist(tx: TenantTx, id: string, changes: Values): Promise<Specialist> {
  return tx
    .updateTable('specialists')
    .set({ ...row(changes), updated_at: sql`now()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteSpecialist(tx: TenantTx, id: string): Promise<string> {
  const { deleted_at } = await tx
    .updateTable('specialists')
    .set({ deleted_at: sql`now()` })
    .where('id', '=', id)
    .returning(sql<string>`deleted_at`.as('deleted_at'))
    .executeTakeFirstOrThrow()
  return deleted_at
}

export async function listSpecialtyIds(tx: TenantTx, specialistId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('specialist_specialties')
    .select('specialty_id')
    .where('specialist_id', '=', specialistId)
    .orderBy('specialty_id')
    .execute()
  return rows.map(({ specialty_id }) => specialty_id)
}

/** From now on these specialties and no others. */
export async function updateSpecialtyIds(tx: TenantTx, specialistId: string, ids: readonly string[]): Promise<void> {
  await sql`delete from specialist_specialties
    where specialist_id = ${specialistId} and specialty_id <> all (${ids}::uuid[])`.execute(tx)
  await sql`insert into specialist_specialties (specialist_id, specialty_id)
    select ${specialistId}, unnest(${ids}::uuid[]) on conflict do nothing`.execute(tx)
}
