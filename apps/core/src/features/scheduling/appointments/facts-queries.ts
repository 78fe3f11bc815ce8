import { asService, CLINIC, type RowOf, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { AS_STAFF } from './service.ts'

export interface BookingFacts
  extends RowOf<'services', 'duration_minutes' | 'price_cents' | 'currency' | 'modes' | 'max_per_day'> {
  /** Of the specialist, else of the clinic. */
  time_zone: string
  has_specialist: boolean
}

/** What an appointment copies from its service and specialist. Undefined when the clinic has no such service. */
export function findBookingFacts(
  tx: ServiceTx,
  serviceId: string,
  specialistId: string | null,
): Promise<BookingFacts | undefined> {
  return tx
    .selectFrom('services as s')
    .innerJoin('organizations as o', 'o.id', 's.organization_id')
    .leftJoin('specialists as p', (join) =>
      join
        .onRef('p.organization_id', '=', 's.organization_id')
        .on('p.id', '=', specialistId)
        .on('p.deleted_at', 'is', null),
    )
    .select(['s.duration_minutes', 's.price_cents', 's.currency', 's.modes', 's.max_per_day'])
    .select(({ fn }) => fn.coalesce('p.scheduling_timezone', 'o.time_zone').as('time_zone'))
    .select(sql<boolean>`p.id is not null`.as('has_specialist'))
    .where('s.organization_id', '=', CLINIC)
    .where('s.id', '=', serviceId)
    .where('s.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The same for staff, who need not see services and specialists. */
export const findFactsForStaff = (tx: TenantTx, serviceId: string, specialistId: string | null) =>
  asService(tx, AS_STAFF.codes, (own) => findBookingFacts(own, serviceId, specialistId))
