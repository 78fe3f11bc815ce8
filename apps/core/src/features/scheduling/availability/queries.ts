import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { AvailabilityFacts, FactsQuery } from './facts.ts'

/** Undefined when the clinic has no such service. */
export async function findStaffFacts(tx: TenantTx, query: FactsQuery): Promise<AvailabilityFacts | undefined> {
  const { serviceId, specialistId, locationId, from, to } = query
  const { rows } = await sql<{ facts: AvailabilityFacts | null }>`
    select find_staff_availability(${serviceId}, ${specialistId}, ${locationId}, ${from}, ${to}) as facts`.execute(tx)
  const facts = rows[0]?.facts
  return facts?.service ? facts : undefined
}

/** Undefined when the clinic has no such public service. */
export async function findPublicFacts(
  tx: PublicTx | TenantTx,
  slug: string,
  { serviceId, specialistId, locationId, from, to, moves = null }: FactsQuery,
): Promise<AvailabilityFacts | undefined> {
  const { rows } = await sql<{ facts: AvailabilityFacts }>`
    select facts from find_public_availability(${slug}, ${serviceId}, ${specialistId}, ${locationId}, ${from}, ${to},
      ${moves}) as facts where facts is not null`.execute(tx)
  return rows[0]?.facts
}
