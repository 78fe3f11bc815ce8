import type { TestDatabase } from '@tendon/testing'

interface Size {
  SPECIALISTS: number
  DAYS: number
  from: Date
}

const CLAIMS_PER_DAY = 11
const DAY_MS = 86_400_000
/** Free times begin after the window with claims. */
const FREE_PER_DAY = 24

/** A clinic whose specialists work around the clock and have eleven booked half hours on each day of the window. */
export async function seedScheduling(database: TestDatabase, clinic: string, { SPECIALISTS, DAYS, from }: Size) {
  const [service] = await database.query<{ id: string }>(
    `insert into services (organization_id, name, slug, duration_minutes, slot_interval_minutes, min_notice_minutes, max_days_ahead)
     values ($1, 'Session', 'session', 30, 30, 0, 700) returning id`,
    [clinic],
  )
  const rows = await database.query<{ id: string }>(
    `insert into specialists (organization_id, name, slug, scheduling_timezone)
     select $1, 'S' || n, 's-' || n, 'Europe/Bucharest' from generate_series(1, $2) n returning id`,
    [clinic, SPECIALISTS],
  )
  const specialists = rows.map(({ id }) => id)
  await database.query(
    `insert into calendars (organization_id, specialist_id, name, weekly_hours)
     select $1, s, 'Week', (select jsonb_agg(jsonb_build_object('weekday', d, 'start', '00:00', 'end', '24:00'))
       from generate_series(1, 7) d) from unnest($2::uuid[]) s`,
    [clinic, specialists],
  )
  await database.query(
    `insert into time_claims (organization_id, specialist_id, starts_at, ends_at, kind)
     select $1, s, t, t + interval '30 minutes', 'appointment'
     from unnest($2::uuid[]) s, generate_series(0, $3 - 1) d, generate_series(0, $4 - 1) c,
       lateral (select $5::timestamptz + d * interval '1 day' + c * interval '2 hours' as t) x`,
    [clinic, specialists, DAYS, CLAIMS_PER_DAY, from],
  )
  const start = from.getTime() + (DAYS + 1) * DAY_MS
  return {
    service: service?.id ?? '',
    specialists,
    /** A different free time for each number. */
    freeTime(index: number) {
      const slot = Math.floor(index / SPECIALISTS)
      const day = Math.floor(slot / FREE_PER_DAY)
      return {
        specialistId: specialists[index % SPECIALISTS] ?? '',
        startsAt: new Date(start + day * DAY_MS + (slot % FREE_PER_DAY) * 3_600_000).toISOString(),
      }
    },
  }
}
