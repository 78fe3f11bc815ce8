import type { ToldVisit } from '@tendon/contracts'
import { CLINIC, type ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

interface Planned {
  /** What the patient knows, unless an earlier change has not been told yet. */
  told: ToldVisit | null
  startsAt: string | null
  job: string
  later: Date
  /** The mail is due at once when the visit starts before this time, or was to start before it. */
  soon: Date
}

/** Keeps what the patient was last told, and adds or replaces the job that tells them what has changed since. */
export async function planNotice(
  tx: ServiceTx,
  id: string,
  { told, startsAt, job, later, soon }: Planned,
): Promise<void> {
  await sql`
    with kept as (
      insert into appointment_notices (appointment_id, told) values (${id}, ${told && JSON.stringify(told)}::jsonb)
      on conflict (organization_id, appointment_id) do update set appointment_id = excluded.appointment_id
      returning told)
    select add_job(${job}, jsonb_build_object('appointment_id', ${id}::uuid), ${id}::text,
      case when least((told ->> 'starts_at')::timestamptz, ${startsAt}::timestamptz) < ${soon.toISOString()}::timestamptz
        then null else ${later.toISOString()}::timestamptz end, null)
    from kept`.execute(tx)
}

/** For the first mail about a series. */
export async function insertNotices(tx: ServiceTx, ids: readonly string[]): Promise<void> {
  await tx
    .insertInto('appointment_notices')
    .values(ids.map((appointment_id) => ({ appointment_id })))
    .execute()
}

/** What the patient was last told about a visit that moved is what they know about the new one. */
export async function followWithNotice(tx: ServiceTx, fromId: string, toId: string): Promise<void> {
  await tx
    .updateTable('appointment_notices')
    .set({ appointment_id: toId })
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', fromId)
    .execute()
}

/** What the patient was last told about a visit that staff changed meanwhile. */
export async function findNotice(tx: ServiceTx, id: string): Promise<ToldVisit | null | undefined> {
  const found = await tx
    .selectFrom('appointment_notices')
    .select('told')
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', id)
    .executeTakeFirst()
  return found?.told
}

/** The patient has acted on the visit as it is. */
export async function deleteNotice(tx: ServiceTx, id: string): Promise<void> {
  await tx
    .deleteFrom('appointment_notices')
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', id)
    .execute()
}
