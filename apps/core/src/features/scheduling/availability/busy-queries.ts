import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface ConnectedCalendar {
  id: string
  organization_id: string
  specialist_id: string
}

/** Lists calendars of all organizations in the order of their ids, from the one after `afterId`. */
export async function listConnectedCalendars(
  tx: TenantTx,
  limit: number,
  afterId: string | null = null,
): Promise<ConnectedCalendar[]> {
  const { rows } = await sql<ConnectedCalendar>`
    select * from list_connected_calendars_after(${afterId}, ${limit})`.execute(tx)
  return rows
}

/** Writes nothing when the calendar is no longer connected. */
export async function replaceBusyTimes(
  tx: TenantTx,
  { id, specialist_id }: ConnectedCalendar,
  times: readonly { start: string; end: string }[],
): Promise<void> {
  await sql`select replace_busy_times(${id}, ${specialist_id}, ${JSON.stringify(times)}::jsonb)`.execute(tx)
}
