import type { AppointmentMode, Hold } from '@tendon/contracts'
import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface HoldRequest {
  serviceId: string
  specialistId: string
  locationId: string | null
  calendarId: string
  mode: AppointmentMode
  startsAt: Date
}

export type HoldOutcome = { outcome: 'held'; hold: Hold } | { outcome: 'taken' } | { outcome: 'too_many' }

/** Maximum numbers of active holds of visitors. */
export interface HoldLimits {
  perClient: number
  perClinic: number
}

export async function takePublicHold(
  tx: PublicTx,
  slug: string,
  { serviceId, specialistId, locationId, calendarId, mode, startsAt }: HoldRequest,
  clientIndex: Buffer,
  limits: HoldLimits,
): Promise<HoldOutcome> {
  const { rows } = await sql<{ result: HoldOutcome }>`
    select hold_slot(${slug}, ${serviceId}, ${specialistId}, ${locationId}, ${calendarId}, ${mode}, ${startsAt}, ${clientIndex},
      ${limits.perClient}, ${limits.perClinic}) as result`.execute(tx)
  return rows[0]?.result ?? { outcome: 'taken' }
}

export async function takeStaffHold(
  tx: TenantTx,
  { serviceId, specialistId, locationId, calendarId, mode, startsAt }: HoldRequest,
  minutes: number,
): Promise<HoldOutcome> {
  const { rows } = await sql<{ result: HoldOutcome | null }>`
    select hold_slot_for_staff(${serviceId}, ${specialistId}, ${locationId}, ${calendarId}, ${mode}, ${startsAt}, ${minutes})
      as result`.execute(tx)
  return rows[0]?.result ?? { outcome: 'taken' }
}

export async function findHold(tx: PublicTx, id: string): Promise<Hold | undefined> {
  const { rows } = await sql<{ hold: Hold | null }>`select find_hold(${id}) as hold`.execute(tx)
  return rows[0]?.hold ?? undefined
}

/** The hold after its release, or as it is when it could not be released. */
export async function releaseHold(tx: PublicTx | TenantTx, id: string): Promise<Hold | undefined> {
  const { rows } = await sql<{ hold: Hold | null }>`select release_hold(${id}) as hold`.execute(tx)
  return rows[0]?.hold ?? undefined
}
