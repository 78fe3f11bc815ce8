import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { BusyTime } from './rules.ts'

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

/** After the lock a concurrent disconnection is either visible or still waiting: a disconnected calendar has no busy times. */
export async function lockConnectedCalendar(tx: ServiceTx, integrationId: string): Promise<boolean> {
  const found = await tx
    .selectFrom('organization_integrations')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('id', '=', integrationId)
    .where('status', '<>', 'revoked')
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

export async function deleteBusyTimes(tx: ServiceTx, integrationId: string): Promise<void> {
  await tx
    .deleteFrom('busy_times')
    .where('organization_id', '=', CLINIC)
    .where('integration_id', '=', integrationId)
    .execute()
}

/** Of a specialist of the clinic in context. */
export async function insertBusyTimes(
  tx: ServiceTx,
  { id, specialist_id }: Pick<ConnectedCalendar, 'id' | 'specialist_id'>,
  times: readonly BusyTime[],
): Promise<void> {
  await sql`insert into busy_times (organization_id, specialist_id, integration_id, starts_at, ends_at)
    select s.organization_id, s.id, ${id}, t.starts_at, t.ends_at
    from specialists s cross join unnest(${times.map(({ start }) => start)}::timestamptz[],
      ${times.map(({ end }) => end)}::timestamptz[]) as t (starts_at, ends_at)
    where s.organization_id = (select current_app_org_id()) and s.id = ${specialist_id}
    on conflict do nothing`.execute(tx)
}
