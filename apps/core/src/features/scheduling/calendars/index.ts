import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** The weekly hours of a specialist, of all calendars. */
export async function listWeeklyHours(tx: TenantTx, specialistId: string): Promise<object[]> {
  const { rows } = await sql<{
    hours: object
  }>`select hours from specialist_weekly_hours(${specialistId}) as hours`.execute(tx)
  return rows.map(({ hours }) => hours)
}

/** The overrides of a specialist, of all calendars, by date. */
export async function listOverrides(tx: TenantTx, specialistId: string): Promise<object[]> {
  const { rows } = await sql<{ override: object }>`
    select override from specialist_overrides(${specialistId}) as override`.execute(tx)
  return rows.map(({ override }) => override)
}
