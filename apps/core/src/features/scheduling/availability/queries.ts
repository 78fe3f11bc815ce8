import type { Calendar, Closure, Service, Span } from '@tendon/availability'
import type { AppointmentMode } from '@tendon/contracts'
import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** What free times of one service are computed from. */
export interface AvailabilityFacts {
  service: Service & {
    modes: AppointmentMode[]
    status: string
    is_public: boolean
    requires_confirmation: boolean
    price_cents: number | null
    currency: string
  }
  calendars: Calendar[]
  closures: Closure[]
  taken: Record<string, Span[]>
  booked: Record<string, number[]>
}

export interface FactsQuery {
  serviceId: string
  specialistId: string | null
  locationId: string | null
  from: Date
  to: Date
}

/** Undefined when the clinic has no such service. */
export async function findStaffFacts(tx: TenantTx, query: FactsQuery): Promise<AvailabilityFacts | undefined> {
  const { serviceId, specialistId, locationId, from, to } = query
  const { rows } = await sql<{ facts: AvailabilityFacts | null }>`
    select availability_for_staff(${serviceId}, ${specialistId}, ${locationId}, ${from}, ${to}) as facts`.execute(tx)
  const facts = rows[0]?.facts
  return facts?.service ? facts : undefined
}

/** Undefined when the clinic has no such public service. */
export async function findPublicFacts(
  tx: PublicTx,
  slug: string,
  { serviceId, specialistId, locationId, from, to }: FactsQuery,
): Promise<AvailabilityFacts | undefined> {
  const { rows } = await sql<{ facts: AvailabilityFacts }>`
    select facts from availability_for_public(${slug}, ${serviceId}, ${specialistId}, ${locationId}, ${from}, ${to}) as facts
    where facts is not null`.execute(tx)
  return rows[0]?.facts
}
