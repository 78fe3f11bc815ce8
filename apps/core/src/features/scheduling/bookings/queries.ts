import type { Booking } from '@tendon/contracts'
import { CLINIC, type PublicTx, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** What a link shows, with the ids that are not shown. */
export type FoundBooking = Booking & { organization_id: string; appointment_id: string }

export async function findBooking(tx: PublicTx | TenantTx, tokenHash: Buffer): Promise<FoundBooking | undefined> {
  const { rows } = await sql<{ booking: FoundBooking | null }>`
    select find_booking(${tokenHash}) as booking`.execute(tx)
  return rows[0]?.booking ?? undefined
}

export async function hasNotice(tx: ServiceTx): Promise<boolean> {
  const found = await tx
    .selectFrom('consent_purpose_versions')
    .select('purpose_code')
    .where('organization_id', '=', CLINIC)
    .where('purpose_code', '=', 'org_privacy_notice')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** One lock per IP address, so that concurrent bookings cannot exceed the limit. */
export async function lockBooker(tx: ServiceTx, holdId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('booking ' || encode(client_index, 'hex'), 0)) from holds
    where organization_id = (select current_app_org_id()) and id = ${holdId} and client_index is not null`.execute(tx)
}

/**
 * How many other holds of the same IP address were booked at this clinic within a day. There is no limit per e-mail address,
 * because a refusal would reveal that its owner books here.
 */
export async function countBookings(tx: ServiceTx, holdId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from holds h join holds o on o.organization_id = h.organization_id
      and o.client_index = h.client_index and o.id <> h.id
    where h.organization_id = (select current_app_org_id()) and h.id = ${holdId} and o.status = 'converted'
      and o.created_at > now() - interval '1 day'`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertLink(tx: ServiceTx, tokenHash: Buffer, appointmentId: string): Promise<void> {
  await tx.insertInto('booking_links').values({ token_hash: tokenHash, appointment_id: appointmentId }).execute()
}

/** The appointment of a link, as it is in this transaction. */
export async function findLinkedId(tx: ServiceTx, tokenHash: Buffer): Promise<string | undefined> {
  const link = await tx
    .selectFrom('booking_links')
    .select('appointment_id')
    .where('organization_id', '=', CLINIC)
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  return link?.appointment_id
}

/** Queues a mail to the booker. It is the last statement of a transaction, because of its lock. */
export async function sendBookingMail(
  tx: ServiceTx,
  appointmentId: string,
  url: string,
  movedFrom: string | null = null,
): Promise<void> {
  await sql`select send_booking_mail(${appointmentId}, ${url}, ${movedFrom})`.execute(tx)
}
