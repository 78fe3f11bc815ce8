import type { Appointment } from '@tendon/contracts'
import { CLINIC, type RowOf, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { OfferedTime } from './queries.ts'

export interface Recipient {
  appointment_id: string
  to_address: string | null
  language: string
  is_restricted: boolean
  is_erased: boolean
}

/** Where the patients of these entries get mail. An entry without a patient is left out. */
export async function listRecipients(tx: TenantTx, appointmentIds: readonly string[]): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select appointment_id, to_address, language, is_restricted, is_erased
    from list_offer_recipients(${appointmentIds}::uuid[])`.execute(tx)
  return rows
}

/** Which of these profiles have a visit between the two moments. */
export async function listBusyProfiles(
  tx: TenantTx,
  profileIds: readonly string[],
  from: string,
  to: string,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select distinct patient_profile_id as id from appointments
    where organization_id = (select current_app_org_id()) and patient_profile_id = any (${profileIds}::uuid[])
      and status in ('pending', 'confirmed', 'checked_in') and not overlap_allowed
      and starts_at < ${to} and ends_at > ${from}`.execute(tx)
  return rows.map(({ id }) => id)
}

export type WaitingRow = Pick<
  Appointment,
  'id' | 'created_at' | 'service_id' | 'location_id' | 'patient_profile_id' | 'mode' | 'overlap_allowed'
> & { duration_minutes: number; was_offered: boolean; has_open_offer: boolean }

/** The waitlist entries that this freed time matches. */
export async function listWaiting(tx: TenantTx, { specialist_id, starts_at }: OfferedTime): Promise<WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select w.id, w.created_at, w.service_id, w.location_id, w.patient_profile_id, w.mode, w.overlap_allowed,
      s.duration_minutes,
      exists (select 1 from waitlist_offers o where o.organization_id = w.organization_id and o.appointment_id = w.id
        and o.specialist_id = ${specialist_id} and o.starts_at = ${starts_at}) as was_offered,
      exists (select 1 from waitlist_offers o where o.organization_id = w.organization_id
        and o.patient_profile_id = w.patient_profile_id and o.status = 'open') as has_open_offer
    from appointments w
    join services s on s.organization_id = w.organization_id and s.id = w.service_id and s.deleted_at is null
    where w.organization_id = (select current_app_org_id()) and w.status = 'waitlist'
      and w.freed_slot ->> 'specialist_id' = ${specialist_id}
      and (w.freed_slot ->> 'starts_at')::timestamptz = ${starts_at}
    order by w.created_at, w.id`.execute(tx)
  return rows
}

/** Whether somebody has an open offer of this time. */
export async function isOffered(tx: TenantTx, { specialist_id, starts_at }: OfferedTime): Promise<boolean> {
  const open = await tx
    .selectFrom('waitlist_offers')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('specialist_id', '=', specialist_id)
    .where('starts_at', '=', starts_at)
    .where('status', '=', 'open')
    .executeTakeFirst()
  return open !== undefined
}

/** Two workers do not offer the same time. */
export async function lockOfferedTime(tx: TenantTx, { specialist_id, starts_at }: OfferedTime): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('waitlist offer ' || ${specialist_id} || ${starts_at}, 0))`.execute(
    tx,
  )
}

type EntryState = RowOf<'appointments', 'status' | 'freed_slot'>

export async function findEntry(tx: TenantTx, id: string): Promise<EntryState | undefined> {
  const { rows } = await sql<EntryState>`
    select status, freed_slot from appointments where organization_id = (select current_app_org_id()) and id = ${id}`.execute(
    tx,
  )
  return rows[0]
}
