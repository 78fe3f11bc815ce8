import type { AppointmentMode, Hold, OfferReason, PublicWaitlistOffer, WaitlistOffer } from '@tendon/contracts'
import { CLINIC, type PublicTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const SHOWN = [
  'id',
  'appointment_id',
  'specialist_id',
  'location_id',
  'starts_at',
  'ends_at',
  'expires_at',
  'reason',
  'offered_by',
  'mail_at',
  'answered_at',
  'created_at',
] as const
const STORED = [...SHOWN, 'hold_id', 'calendar_id', 'patient_profile_id'] as const
/** The clock ends an offer; a job marks the row afterwards. */
const STATUS = sql<
  WaitlistOffer['status']
>`case when status = 'open' and expires_at <= clock_timestamp() then 'expired' else status end`.as('status')

export interface StoredOffer extends WaitlistOffer {
  hold_id: string | null
  calendar_id: string | null
  patient_profile_id: string | null
}

export interface OfferedTime {
  specialist_id: string
  starts_at: string
}

export async function findClinic(tx: TenantTx): Promise<{ time_zone: string; isAutomatic: boolean }> {
  const { time_zone, waitlist_offers } = await tx
    .selectFrom('organizations')
    .leftJoin('organization_settings', 'organization_settings.organization_id', 'organizations.id')
    .select(['organizations.time_zone', 'organization_settings.waitlist_offers'])
    .where('organizations.id', '=', CLINIC)
    .executeTakeFirstOrThrow()
  return { time_zone, isAutomatic: waitlist_offers === 'auto' }
}

const offers = (tx: TenantTx) =>
  tx.selectFrom('waitlist_offers').select(STORED).select(STATUS).where('organization_id', '=', CLINIC)

const MAX_SHOWN_OFFERS = 50

/** The latest first. */
export function listOffers(tx: TenantTx, appointmentId: string): Promise<WaitlistOffer[]> {
  return tx
    .selectFrom('waitlist_offers')
    .select(SHOWN)
    .select(STATUS)
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', appointmentId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_SHOWN_OFFERS)
    .execute()
}

export function findOfferForUpdate(tx: TenantTx, id: string): Promise<StoredOffer | undefined> {
  return offers(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

export function findOpenOfferForUpdate(tx: TenantTx, appointmentId: string): Promise<StoredOffer | undefined> {
  return offers(tx)
    .where('appointment_id', '=', appointmentId)
    .where('status', '=', 'open')
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function findOfferByToken(tx: TenantTx, tokenHash: Buffer): Promise<StoredOffer | undefined> {
  return offers(tx).where('token_hash', '=', tokenHash).executeTakeFirst()
}

/** Whether patient, service and specialist of an offer still exist, and the service is still offered. */
export async function canBeBooked(tx: TenantTx, offerId: string): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    select f.id from waitlist_offers f
    join appointments a on a.organization_id = f.organization_id and a.id = f.appointment_id
    join patients p on p.organization_id = a.organization_id and p.id = a.patient_id and p.deleted_at is null
    join services s on s.organization_id = a.organization_id and s.id = a.service_id and s.deleted_at is null
      and s.status = 'active'
    join specialists t on t.organization_id = f.organization_id and t.id = f.specialist_id and t.deleted_at is null
    where f.organization_id = (select current_app_org_id()) and f.id = ${offerId}`.execute(tx)
  return rows.length > 0
}

/** The clinic of an offer, for somebody who has only its link. */
export async function findOfferOrganization(tx: PublicTx, tokenHash: Buffer): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select find_offer_organization(${tokenHash}) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}

/** What the link shows. */
export async function findPublicOffer(tx: TenantTx, tokenHash: Buffer): Promise<PublicWaitlistOffer | undefined> {
  const { rows } = await sql<PublicWaitlistOffer>`
    select f.starts_at, f.ends_at, f.expires_at, a.mode,
      case when f.status = 'open' and f.expires_at <= clock_timestamp() then 'expired' else f.status end as status,
      specialist_time_zone(f.specialist_id) as time_zone,
      (select jsonb_build_object('name', o.name, 'slug', o.slug, 'phone', o.phone) from organizations o
        where o.id = f.organization_id) as organization,
      appointment_service(a.service_id) as service, appointment_specialist(f.specialist_id) as specialist,
      (select jsonb_build_object('id', l.id, 'name', l.name, 'address', l.address, 'phone', l.phone) from locations l
        where l.organization_id = f.organization_id and l.id = f.location_id) as location
    from waitlist_offers f join appointments a on a.organization_id = f.organization_id and a.id = f.appointment_id
    where f.organization_id = (select current_app_org_id()) and f.token_hash = ${tokenHash}`.execute(tx)
  return rows[0]
}

interface NewOffer extends OfferedTime {
  appointment_id: string
  patient_profile_id: string | null
  location_id: string | null
  calendar_id: string | null
  ends_at: string
  offered_by: WaitlistOffer['offered_by']
}

/** Undefined when there is an open offer for the time or the person. */
export function insertOpenOffer(
  tx: TenantTx,
  offer: NewOffer & { hold_id: string; mail_at: string; expires_at: string },
): Promise<StoredOffer | undefined> {
  return tx
    .insertInto('waitlist_offers')
    .values(offer)
    .onConflict((conflict) => conflict.doNothing())
    .returning(STORED)
    .returning('status')
    .executeTakeFirst()
}

export async function insertSkippedOffer(tx: TenantTx, offer: NewOffer, reason: OfferReason): Promise<void> {
  await tx
    .insertInto('waitlist_offers')
    .values({ ...offer, status: 'skipped', reason })
    .execute()
}

export async function updateOffer(
  tx: TenantTx,
  id: string,
  status: Exclude<WaitlistOffer['status'], 'open'>,
  reason: OfferReason | null = null,
): Promise<void> {
  await tx
    .updateTable('waitlist_offers')
    .set({ status, reason, answered_at: sql<string>`clock_timestamp()` })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}

/** Marks what the clock has ended, so that it is in nobody's way. Skips what another transaction is about to end. */
export async function markExpiredOffers(tx: TenantTx): Promise<void> {
  await sql`
    update waitlist_offers set status = 'expired', answered_at = clock_timestamp()
    where organization_id = (select current_app_org_id()) and id in (select id from waitlist_offers
      where organization_id = (select current_app_org_id()) and status = 'open' and expires_at <= clock_timestamp()
      order by id for no key update skip locked)`.execute(tx)
}

export async function saveToken(tx: TenantTx, id: string, tokenHash: Buffer): Promise<void> {
  await tx
    .updateTable('waitlist_offers')
    .set({ token_hash: tokenHash })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}

interface ClaimedTime extends OfferedTime {
  service_id: string
  location_id: string | null
  calendar_id: string | null
  mode: AppointmentMode
}

/** Undefined when the time is taken. */
export async function holdOfferedTime(tx: TenantTx, time: ClaimedTime, lifeMs: number): Promise<Hold | undefined> {
  const { rows } = await sql<{ result: { outcome: string; hold?: Hold } | null }>`
    select hold_offered_time(${time.service_id}, ${time.specialist_id}, ${time.location_id}, ${time.calendar_id}, ${time.mode},
      ${time.starts_at}, ${`${lifeMs} milliseconds`}::interval) as result`.execute(tx)
  return rows[0]?.result?.hold
}

export async function releaseOfferedTime(tx: TenantTx, holdId: string | null): Promise<void> {
  if (holdId !== null) await sql`select release_offered_time(${holdId})`.execute(tx)
}
