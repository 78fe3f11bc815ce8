import type { AppointmentMode, Hold } from '@tendon/contracts'
import { CLINIC, type PublicTx, type ServiceTx } from '@tendon/db'
import { sql } from 'kysely'

export interface HoldRequest {
  serviceId: string
  specialistId: string
  locationId: string | null
  calendarId: string
  mode: AppointmentMode
  startsAt: Date
  /** The local day of the specialist. */
  day: { from: Date; to: Date }
  maxPerDay: number | null
  /** The calendar_uid of the visit that the hold moves. */
  moves: string | null
}

/** Locks the day, and counts the appointments and active holds of the service and specialist on it without one appointment. */
export async function countDay(
  tx: ServiceTx,
  { serviceId, specialistId, fromMs, toMs, exceptId }: Day & { exceptId: string | null },
): Promise<number> {
  const { rows } = await sql<{ booked: number | null }>`
    select count_day(${serviceId}, ${specialistId}, ${new Date(fromMs)}, ${new Date(toMs)}, ${exceptId}) as booked`.execute(
    tx,
  )
  const booked = rows[0]?.booked
  if (booked === undefined || booked === null) throw new Error('Only the service counts the appointments of a day.')
  return booked
}

export interface Day {
  serviceId: string
  specialistId: string
  fromMs: number
  toMs: number
}

export type HoldOutcome = { outcome: 'held'; hold: Hold } | { outcome: 'taken' | 'too_many' | 'day_full' }

/** A visitor, and the maximum numbers of active holds of visitors. */
export interface VisitorLimits {
  client: Buffer
  perClient: number
  perClinic: number
}

export async function takeHold(
  tx: ServiceTx,
  request: HoldRequest,
  minutes: number,
  visitor?: VisitorLimits,
): Promise<HoldOutcome> {
  const { serviceId, specialistId, locationId, calendarId, mode, startsAt, day, maxPerDay, moves } = request
  const { rows } = await sql<{ result: HoldOutcome }>`
    select hold_time(${serviceId}, ${specialistId}, ${locationId}, ${calendarId}, ${mode}, ${startsAt}, ${minutes},
      ${visitor?.client ?? null}, ${visitor?.perClient ?? null}, ${visitor?.perClinic ?? null}, ${maxPerDay}, ${day.from},
      ${day.to}, ${moves}) as result`.execute(tx)
  return rows[0]?.result ?? { outcome: 'taken' }
}

/** One try for a time, which can be undone with the locks that it took. */
export async function startTry(tx: ServiceTx): Promise<void> {
  await sql`savepoint try`.execute(tx)
}

export async function undoTry(tx: ServiceTx): Promise<void> {
  await sql`rollback to savepoint try`.execute(tx)
}

export async function findHold(tx: PublicTx, id: string): Promise<Hold | undefined> {
  const { rows } = await sql<{ hold: Hold | null }>`select find_hold(${id}) as hold`.execute(tx)
  return rows[0]?.hold ?? undefined
}

/** The clinic of a hold. */
export async function findHoldOrganization(tx: PublicTx, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`select hold_organization(${id}) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}

/** The clinic with this slug, if it offers the service to visitors. */
export async function findServiceOrganization(
  tx: PublicTx,
  slug: string,
  serviceId: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select public_service_organization(${slug}, ${serviceId}) as id`.execute(tx)
  return rows[0]?.id ?? undefined
}

export interface HeldTime {
  service_id: string
  specialist_id: string
  location_id: string | null
  calendar_id: string | null
  mode: AppointmentMode
  starts_at: string
  ends_at: string
  status: Hold['status']
  /** The only visit that the hold moves; null: it moves or books any. */
  moves_calendar_uid: string | null
  time_zone: string
  requires_confirmation: boolean
  max_per_day: number | null
  price_cents: number | null
  currency: string
}

/** A hold of the clinic in context with what an appointment copies from its service and specialist; locked. */
export async function findHeldForUpdate(tx: ServiceTx, id: string): Promise<HeldTime | undefined> {
  return tx
    .selectFrom('holds as h')
    .innerJoin('services as s', (join) =>
      join.onRef('s.organization_id', '=', 'h.organization_id').onRef('s.id', '=', 'h.service_id'),
    )
    .innerJoin('specialists as p', (join) =>
      join.onRef('p.organization_id', '=', 'h.organization_id').onRef('p.id', '=', 'h.specialist_id'),
    )
    .select([
      'h.service_id',
      'h.specialist_id',
      'h.location_id',
      'h.calendar_id',
      'h.mode',
      'h.starts_at',
      'h.ends_at',
      'h.status',
      'h.moves_calendar_uid',
      'p.scheduling_timezone as time_zone',
      's.requires_confirmation',
      's.max_per_day',
      's.price_cents',
      's.currency',
    ])
    .where('h.organization_id', '=', CLINIC)
    .where('h.id', '=', id)
    .forUpdate('h')
    .executeTakeFirst()
}

/** The time of a hold becomes the time of an appointment. False: the hold has expired. */
export async function convertClaim(tx: ServiceTx, holdId: string, appointmentId: string): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`select convert_claim(${holdId}, ${appointmentId}) as done`.execute(tx)
  return rows[0]?.done === true
}

/** Ends an active hold and tells its streams. False: it was not active. */
export async function endHold(tx: ServiceTx, id: string, status: 'converted' | 'released'): Promise<boolean> {
  const { rows } = await sql<{ told: unknown }>`
    with ended as (
      update holds set status = ${status}
      where organization_id = (select current_app_org_id()) and id = ${id} and status = 'active'
      returning id)
    select pg_notify('holds', id || ${` ${status}`}) as told from ended`.execute(tx)
  return rows.length > 0
}

export async function freeHold(tx: ServiceTx, id: string): Promise<void> {
  await sql`select free_hold(${id})`.execute(tx)
}
