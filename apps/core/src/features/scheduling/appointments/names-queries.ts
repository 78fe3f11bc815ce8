import type { Appointment, AppointmentInclude } from '@tendon/contracts'
import { asService, CLINIC, type ServiceTx, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'

/** What a route that lists appointments with names declares. */
export const NAMING = {
  codes: ['data.view_deleted', 'services.view_org', 'specialists.view_org'],
  why: 'Who sees an appointment also sees the names of its specialist and service, deleted ones too.',
} as const

type Named = Pick<Appointment, 'specialist_id' | 'service_id'>
type Names = Pick<Appointment, 'specialist' | 'service'>

/** The rows of a page with names: each specialist and service is read once, not once for each row. */
export async function withNames<Row extends Named>(
  tx: TenantTx,
  rows: readonly Row[],
  include: readonly AppointmentInclude[],
): Promise<(Row & Names)[]> {
  const [hasSpecialist, hasService] = [include.includes('specialist'), include.includes('service')]
  if (rows.length === 0 || !(hasSpecialist || hasService)) return [...rows]
  const [specialists, services] = await asService(tx, NAMING.codes, (own) =>
    together([
      hasSpecialist ? nameSpecialists(own, distinct(rows.map((row) => row.specialist_id))) : [],
      hasService ? nameServices(own, distinct(rows.map((row) => row.service_id))) : [],
    ]),
  )
  const [specialistOf, serviceOf] = [byId(specialists), byId(services)]
  return rows.map((row) => ({
    ...row,
    ...(hasSpecialist && { specialist: specialistOf.get(row.specialist_id) ?? null }),
    ...(hasService && { service: serviceOf.get(row.service_id) ?? null }),
  }))
}

const distinct = (ids: (string | null)[]) => [...new Set(ids.filter((id) => id !== null))]

const byId = <Item extends { id: string }>(items: Item[]) =>
  new Map<string | null, Item>(items.map((item) => [item.id, item]))

const nameSpecialists = (tx: ServiceTx, ids: string[]) =>
  tx
    .selectFrom('specialists')
    .select(['id', 'name'])
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()

const nameServices = (tx: ServiceTx, ids: string[]) =>
  tx
    .selectFrom('services')
    .select(['id', 'name', 'translations'])
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .execute()
