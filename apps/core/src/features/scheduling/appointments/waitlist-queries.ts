import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** Assigns a time to a waitlist entry. */
export async function setTime(tx: TenantTx, id: string, specialistId: string, startsAt: string): Promise<void> {
  await sql`
    update appointments a set specialist_id = ${specialistId}, starts_at = ${startsAt}::timestamptz,
      ends_at = ${startsAt}::timestamptz + make_interval(mins => facts.duration_minutes), time_zone = facts.time_zone
    from booking_facts((select service_id from appointments where id = ${id}), ${specialistId}) facts
    where a.id = ${id} and a.organization_id = current_app_org_id()`.execute(tx)
}
