import { CLINIC, type ServiceTx } from '@tendon/db'
import { sql } from 'kysely'
import type { Calendar } from './facts.ts'
import type { Asked } from './queries.ts'

// What is beside the visits in a calendar. Each statement reads the whole answer: there is none for each specialist.

/** What the route declares. */
export const READS_CALENDAR = {
  codes: [
    'appointments.view_org',
    'calendars.view_org',
    'data.view_deleted',
    'forms.view_org',
    'patients.view_org',
    'services.view_org',
    'specialists.view_org',
  ],
  why: 'Who sees the visits also sees the hours and held times around them, the names of specialists and services, and first visits across linked records. Forms are counted only for people who may see them.',
} as const

/** Those that are not deleted, and those with these ids. */
export function listSpecialistNames(tx: ServiceTx, { specialistId }: Asked, usedIds: readonly string[]) {
  return tx
    .selectFrom('specialists')
    .select(['id', 'name'])
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`(deleted_at is null or id = any (${usedIds}::uuid[]))`)
    .$if(specialistId !== null, (query) => query.where('id', '=', specialistId ?? ''))
    .orderBy('name')
    .orderBy('id')
    .execute()
}

export function listServiceLegend(tx: ServiceTx, usedIds: readonly string[]) {
  return tx
    .selectFrom('services')
    .select(['id', 'name', 'translations', 'color', 'duration_minutes'])
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`(deleted_at is null or id = any (${usedIds}::uuid[]))`)
    .orderBy('name')
    .orderBy('id')
    .execute()
}

/** Active calendars of people and places that take visits, as find_availability chooses them. */
export async function listWorkingCalendars(tx: ServiceTx, asked: Asked): Promise<Calendar[]> {
  const { from, to, specialistId, locationId } = asked
  const { rows } = await sql<Calendar>`
    select c.id, c.specialist_id, c.location_id, s.scheduling_timezone as time_zone, c.weekly_hours,
      (select coalesce(jsonb_agg(jsonb_build_object('date', v.date, 'date_to', v.date_to, 'windows', v.windows,
          'service_id', v.service_id) order by v.created_at, v.id), '[]')
        from calendar_overrides v where v.organization_id = c.organization_id and v.calendar_id = c.id
          and coalesce(v.date_to, v.date) >= (${from}::timestamptz - interval '2 days')::date
          and v.date <= (${to}::timestamptz + interval '2 days')::date) as overrides
    from calendars c
    join specialists s on s.organization_id = c.organization_id and s.id = c.specialist_id
      and s.deleted_at is null and s.scheduling_active
    where c.organization_id = (select current_app_org_id()) and c.is_active
      and (${specialistId}::uuid is null or c.specialist_id = ${specialistId})
      and (${locationId}::uuid is null or c.location_id = ${locationId})
      and (c.location_id is null or not exists (select 1 from locations l
        where l.organization_id = c.organization_id and l.id = c.location_id and l.deleted_at is not null))
    order by c.id`.execute(tx)
  return rows
}

/** Closures near the period: specialists may work in other time zones than the clinic. */
export function listClosuresNear(tx: ServiceTx, { from, to }: Asked) {
  return tx
    .selectFrom('closures')
    .select(['id', 'date', 'date_to', 'location_id', 'name'])
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`coalesce(date_to, date) >= (${from}::timestamptz - interval '2 days')::date`)
    .where(sql<boolean>`date <= (${to}::timestamptz + interval '2 days')::date`)
    .orderBy('date')
    .orderBy('id')
    .execute()
}

export interface BusyRow {
  specialist_id: string
  starts_at: string
  ends_at: string
}

const OF_SPECIALISTS = sql`any (array(select s.id from specialists s
  where s.organization_id = (select current_app_org_id()) and s.deleted_at is null))`

/** Times that are held now, with the buffers of their services. */
export async function listHeldTimes(tx: ServiceTx, { from, to, specialistId }: Asked): Promise<BusyRow[]> {
  const { rows } = await sql<BusyRow>`
    select c.specialist_id, greatest(c.starts_at, ${from}::timestamptz) as starts_at,
      least(c.ends_at, ${to}::timestamptz) as ends_at
    from time_claims c
    where c.organization_id = (select current_app_org_id()) and c.specialist_id = ${OF_SPECIALISTS}
      and (${specialistId}::uuid is null or c.specialist_id = ${specialistId})
      and c.starts_at < ${to} and c.starts_at > ${from}::timestamptz - interval '1 day' and c.ends_at > ${from}
      and c.kind = 'hold' and c.expires_at > clock_timestamp()
    order by c.starts_at, c.specialist_id`.execute(tx)
  return rows
}

/** Busy times of connected calendars. */
export async function listExternalTimes(tx: ServiceTx, { from, to, specialistId }: Asked): Promise<BusyRow[]> {
  const { rows } = await sql<BusyRow>`
    select b.specialist_id, greatest(b.starts_at, ${from}::timestamptz) as starts_at,
      least(b.ends_at, ${to}::timestamptz) as ends_at
    from busy_times b
    where b.organization_id = (select current_app_org_id()) and b.specialist_id = ${OF_SPECIALISTS}
      and (${specialistId}::uuid is null or b.specialist_id = ${specialistId})
      and b.starts_at < ${to} and b.ends_at > ${from}
    order by b.starts_at, b.specialist_id, b.ends_at`.execute(tx)
  return rows
}
