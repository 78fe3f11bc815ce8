import type {
  Calendar,
  CalendarChanges,
  CalendarOverride,
  List,
  NewCalendar,
  NewCalendarOverride,
  WeeklyWindow,
} from '@tendon/contracts'
import { existing, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const OVERRIDE = sql`json_build_object('id', v.id, 'date', v.date, 'date_to', v.date_to, 'windows', v.windows,
  'service_id', v.service_id, 'reason', v.reason)`

const SERVICE_IDS = sql<string[]>`(
  select coalesce(json_agg(s.service_id order by s.service_id), '[]') from calendar_services s
  where s.organization_id = calendars.organization_id and s.calendar_id = calendars.id)`
const OVERRIDES = sql<CalendarOverride[]>`(
  select coalesce(json_agg(${OVERRIDE} order by v.date, v.id), '[]') from calendar_overrides v
  where v.organization_id = calendars.organization_id and v.calendar_id = calendars.id)`
const TIME_ZONE = sql<string>`specialist_time_zone(calendars.specialist_id)`

const select = (tx: TenantTx) =>
  tx
    .selectFrom('calendars')
    .select([
      'id',
      'organization_id',
      'specialist_id',
      'name',
      'location_id',
      SERVICE_IDS.as('service_ids'),
      'is_active',
      TIME_ZONE.as('time_zone'),
      'weekly_hours',
      OVERRIDES.as('overrides'),
      'created_at',
      'updated_at',
      'version',
    ])

export async function listCalendars(tx: TenantTx, list: List) {
  return readPage(select(tx), list, { search: ['name'] })
}

export async function findCalendar(tx: TenantTx, id: string): Promise<Calendar | undefined> {
  return await select(tx).where('id', '=', id).executeTakeFirst()
}

/** Locks the row, so that the audited "before" is what the change replaces. */
export async function findCalendarForUpdate(tx: TenantTx, id: string): Promise<Calendar | undefined> {
  return await select(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Serializes writers of one specialist's hours until the end of the transaction. */
export async function lockHours(tx: TenantTx, specialistId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('calendar hours ' || ${specialistId}, 0))`.execute(tx)
}

/** The weekly hours of the other active calendars of a specialist. */
export async function listOtherHours(
  tx: TenantTx,
  specialistId: string,
  calendarId: string | null,
): Promise<WeeklyWindow[]> {
  const rows = await tx
    .selectFrom('calendars')
    .select('weekly_hours')
    .where('specialist_id', '=', specialistId)
    .where('is_active', '=', true)
    .$if(calendarId !== null, (query) => query.where('id', '<>', calendarId))
    .execute()
  return rows.flatMap(({ weekly_hours }) => weekly_hours)
}

export async function insertCalendar(
  tx: TenantTx,
  { service_ids = [], weekly_hours = [], ...values }: NewCalendar,
): Promise<Calendar> {
  const { id } = await tx
    .insertInto('calendars')
    .values({ ...values, weekly_hours: JSON.stringify(weekly_hours) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await replaceServices(tx, id, service_ids)
  return existing(await findCalendar(tx, id))
}

export async function updateCalendar(
  tx: TenantTx,
  id: string,
  { service_ids, ...values }: CalendarChanges,
): Promise<Calendar> {
  await tx
    .updateTable('calendars')
    .set({ ...values, updated_at: sql<string>`now()` })
    .where('id', '=', id)
    .execute()
  if (service_ids) await replaceServices(tx, id, service_ids)
  return existing(await findCalendar(tx, id))
}

export async function updateWeeklyHours(tx: TenantTx, id: string, hours: readonly WeeklyWindow[]): Promise<Calendar> {
  await tx
    .updateTable('calendars')
    .set({ weekly_hours: JSON.stringify(hours) })
    .where('id', '=', id)
    .execute()
  return existing(await findCalendar(tx, id))
}

async function replaceServices(tx: TenantTx, id: string, serviceIds: readonly string[]): Promise<void> {
  await tx.deleteFrom('calendar_services').where('calendar_id', '=', id).execute()
  const rows = serviceIds.map((service_id) => ({ calendar_id: id, service_id }))
  if (rows.length > 0) await tx.insertInto('calendar_services').values(rows).execute()
}

export async function deleteCalendar(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('calendars').where('id', '=', id).execute()
}

export async function insertOverride(
  tx: TenantTx,
  calendarId: string,
  { windows, ...values }: NewCalendarOverride,
): Promise<string> {
  const { id } = await tx
    .insertInto('calendar_overrides')
    .values({ ...values, calendar_id: calendarId, windows: JSON.stringify(windows) })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function deleteOverride(tx: TenantTx, calendarId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('calendar_overrides')
    .where('calendar_id', '=', calendarId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
