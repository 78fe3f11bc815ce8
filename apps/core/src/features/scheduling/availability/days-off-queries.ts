import type { RowOf, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Calendar, Closure } from './facts.ts'

export interface BookedRow
  extends RowOf<
    'appointments',
    'id' | 'time_zone' | 'service_id' | 'location_id' | 'calendar_id' | 'kept_on_day_off_at'
  > {
  specialist_id: string
  starts_at: string
  ends_at: string
}

/** Days, inclusive. */
interface Period {
  from: string
  to: string
}

const LOCAL_DAY = sql`(a.starts_at at time zone a.time_zone)::date`
// A day more on both sides: hours may cross midnight, and the specialist's time zone may have changed since the booking.
const NEAR = sql`${LOCAL_DAY} between d.date - 1 and coalesce(d.date_to, d.date) + 1`

/** Booked appointments in the future: those in a period, else those near a day off. */
export async function listBooked(
  tx: TenantTx,
  now: Date,
  { period, appointmentId }: { period?: Period; appointmentId?: string | undefined },
): Promise<BookedRow[]> {
  const isNear = period
    ? sql`${LOCAL_DAY} between ${period.from}::date - 1 and ${period.to}::date + 1`
    : sql`(exists (select 1 from calendars c
          join calendar_overrides d on d.organization_id = c.organization_id and d.calendar_id = c.id
          where c.organization_id = a.organization_id and c.specialist_id = a.specialist_id and c.is_active and ${NEAR})
        or exists (select 1 from closures d where d.organization_id = a.organization_id and ${NEAR}))`
  const { rows } = await sql<BookedRow>`
    select a.id, a.specialist_id, a.starts_at, a.ends_at, a.time_zone, a.service_id, a.location_id, a.calendar_id,
      a.kept_on_day_off_at
    from appointments a
    where a.organization_id = (select current_app_org_id()) and a.status in ('pending', 'confirmed') and a.starts_at is not null
      and a.specialist_id is not null and a.ends_at > ${now}
      and (${appointmentId ?? null}::uuid is null or a.id = ${appointmentId ?? null}) and ${isNear}
    order by a.starts_at, a.id`.execute(tx)
  return rows
}

/** The active calendars of these specialists. */
export async function listCalendarFacts(tx: TenantTx, specialistIds: readonly string[]): Promise<Calendar[]> {
  if (specialistIds.length === 0) return []
  const { rows } = await sql<Calendar>`
    select c.id, c.specialist_id, c.location_id, specialist_time_zone(c.specialist_id) as time_zone, c.weekly_hours,
      (select coalesce(jsonb_agg(jsonb_build_object('date', v.date, 'date_to', v.date_to, 'windows', v.windows,
          'service_id', v.service_id, 'reason', v.reason, 'since', v.created_at) order by v.created_at, v.id), '[]')
        from calendar_overrides v where v.organization_id = c.organization_id and v.calendar_id = c.id) as overrides
    from calendars c
    where c.organization_id = (select current_app_org_id()) and c.is_active and c.specialist_id = any (${specialistIds}::uuid[])
    order by c.id`.execute(tx)
  return rows
}

export async function hasCalendar(tx: TenantTx, id: string): Promise<boolean> {
  return (await tx.selectFrom('calendars').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
}

/** Closures that have not ended, the last added first. */
export async function listClosureFacts(tx: TenantTx, now: Date): Promise<Closure[]> {
  const { rows } = await sql<Closure>`
    select to_char(date, 'YYYY-MM-DD') as date, to_char(date_to, 'YYYY-MM-DD') as date_to, location_id, name as reason,
      updated_at as since
    from closures
    where organization_id = (select current_app_org_id()) and coalesce(date_to, date) >= (${now}::timestamptz - interval '2 days')::date
    order by updated_at desc, id`.execute(tx)
  return rows
}
