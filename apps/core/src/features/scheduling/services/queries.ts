import type { List, NewService, PublicService, Service, ServiceChanges } from '@tendon/contracts'
import { asService, CLINIC, existing, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'name',
  'slug',
  'description',
  'translations',
  'duration_minutes',
  'buffer_before_minutes',
  'buffer_after_minutes',
  'slot_interval_minutes',
  'min_notice_minutes',
  'max_days_ahead',
  'modes',
  'specialty_id',
  'requires_confirmation',
  'cancel_notice_minutes',
  'reschedule_notice_minutes',
  'reminder_offsets_minutes',
  'max_per_day',
  'is_public',
  'status',
  'color',
  'intake_form_template_id',
  'price_cents',
  'currency',
  'created_at',
  'updated_at',
  'version',
  'deleted_at',
] as const

const SPECIALIST_IDS = sql<string[]>`(
  select coalesce(json_agg(l.specialist_id order by l.specialist_id), '[]') from service_specialists l
  where l.organization_id = services.organization_id and l.service_id = services.id)`
const LOCATION_IDS = sql<string[]>`(
  select coalesce(json_agg(l.location_id order by l.location_id), '[]') from service_locations l
  where l.organization_id = services.organization_id and l.service_id = services.id)`

const select = (tx: TenantTx) =>
  tx.selectFrom('services').select([...COLUMNS, SPECIALIST_IDS.as('specialist_ids'), LOCATION_IDS.as('location_ids')])

/** Without the filter, deleted ones are excluded. Row-level security shows them only to holders of data.view_deleted. */
export async function listServices(tx: TenantTx, { filters: { deleted = ['false'], ...filters }, ...list }: List) {
  let query = select(tx)
  if (!deleted.includes('true')) query = query.where('deleted_at', 'is', null)
  if (!deleted.includes('false')) query = query.where('deleted_at', 'is not', null)
  return readPage(query, { ...list, filters }, { search: ['name', 'description'] })
}

export async function findService(tx: TenantTx, id: string): Promise<Service | undefined> {
  return await select(tx).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. A deleted one is not found. */
export async function findServiceForUpdate(tx: TenantTx, id: string): Promise<Service | undefined> {
  return select(tx).where('id', '=', id).where('deleted_at', 'is', null).forNoKeyUpdate().executeTakeFirst()
}

type Values = Omit<ServiceChanges, 'specialist_ids' | 'location_ids'>

const row = ({ translations, ...values }: Values) => ({
  ...values,
  ...(values.name === undefined ? {} : { name: values.name.normalize().trim() }),
  ...(translations === undefined ? {} : { translations: JSON.stringify(translations) }),
})

export async function insertService(
  tx: TenantTx,
  { specialist_ids = [], location_ids = [], ...values }: NewService & { slug: string },
): Promise<Service> {
  const { id } = await tx
    .insertInto('services')
    .values({
      ...row(values),
      name: values.name.normalize().trim(),
      slug: values.slug,
      duration_minutes: values.duration_minutes,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceLinks(tx, id, { specialist_ids, location_ids })
  return existing(await findService(tx, id))
}

export async function updateService(
  tx: TenantTx,
  id: string,
  { specialist_ids, location_ids, ...values }: ServiceChanges,
): Promise<Service> {
  if (Object.keys(values).length > 0) {
    await tx.updateTable('services').set(row(values)).where('id', '=', id).execute()
  }
  await replaceLinks(tx, id, { specialist_ids, location_ids })
  return existing(await findService(tx, id))
}

async function replaceLinks(
  tx: TenantTx,
  id: string,
  { specialist_ids, location_ids }: { specialist_ids?: string[] | undefined; location_ids?: string[] | undefined },
): Promise<void> {
  if (specialist_ids) {
    await tx.deleteFrom('service_specialists').where('service_id', '=', id).execute()
    const rows = specialist_ids.map((specialist_id) => ({ service_id: id, specialist_id }))
    if (rows.length > 0) await tx.insertInto('service_specialists').values(rows).execute()
  }
  if (location_ids) {
    await tx.deleteFrom('service_locations').where('service_id', '=', id).execute()
    const rows = location_ids.map((location_id) => ({ service_id: id, location_id }))
    if (rows.length > 0) await tx.insertInto('service_locations').values(rows).execute()
  }
}

/** What a route that deletes declares. */
export const DELETING = {
  codes: ['services.manage', 'appointments.view_org', 'data.view_deleted'],
  why: 'An update must see the row that it writes: here a deleted one. Who manages services need not see appointments.',
}

/** The time of the deletion, or null when it is deleted already. */
export async function deleteService(tx: TenantTx, id: string): Promise<string | null> {
  const deleted = await asService(tx, DELETING.codes, (own) =>
    own
      .updateTable('services')
      .set({ deleted_at: sql<string>`now()` })
      .where('organization_id', '=', CLINIC)
      .where('id', '=', id)
      .where('deleted_at', 'is', null)
      .returning('deleted_at')
      .executeTakeFirst(),
  )
  return deleted?.deleted_at ?? null
}

export async function listPublicServices(tx: PublicTx, organizationSlug: string): Promise<PublicService[]> {
  const { rows } = await sql<{
    service: PublicService
  }>`select service from public_services(${organizationSlug})`.execute(tx)
  return rows.map(({ service }) => service)
}
