import { type AppointmentStatus, MAX_CALENDAR_VISITS } from '@tendon/contracts'
import { CLINIC, existing, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

/** What is asked for: times in [from, to), of one specialist or location. */
export interface Asked {
  from: Date
  to: Date
  specialistId: string | null
  locationId: string | null
}

/** One more than is allowed shows that there are too many. */
const LIMIT = MAX_CALENDAR_VISITS + 1

/** Visits that overlap the period; the row of a moved visit is its old time. None is longer than a day (time_claims_length_check), so that the index by start finds them. */
const inPeriod = (tx: TenantTx, { from, to, specialistId, locationId }: Asked) =>
  tx
    .selectFrom('appointments as a')
    .where('a.organization_id', '=', CLINIC)
    .where('a.starts_at', '<', to.toISOString())
    .where('a.starts_at', '>', sql<string>`${from}::timestamptz - interval '1 day'`)
    .where('a.ends_at', '>', from.toISOString())
    .where('a.status', '<>', 'entered_in_error')
    .where('a.rescheduled_to_id', 'is', null)
    .$if(specialistId !== null, (query) => query.where('a.specialist_id', '=', specialistId))
    .$if(locationId !== null, (query) => query.where('a.location_id', '=', locationId))

/** With what the caller may see of the patients. */
export function listVisits(tx: TenantTx, asked: Asked) {
  return inPeriod(tx, asked)
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('patients')
          .select(['id', 'last_name', 'phone'])
          .select(sql<string>`first_name || ' ' || last_name`.as('name'))
          .where('organization_id', '=', CLINIC)
          .whereRef('patients.id', '=', 'a.patient_id')
          .limit(1) // keeps the planner from reading all patients of the clinic
          .as('p'),
      (join) => join.onTrue(),
    )
    .select([
      'a.id',
      'a.version',
      sql<string>`a.starts_at`.as('starts_at'),
      sql<string>`a.ends_at`.as('ends_at'),
      'a.status',
      'a.mode',
      'a.specialist_id',
      'a.location_id',
      'a.service_id',
      'a.series_id',
      'a.missing_consents',
      'a.patient_id',
      'a.patient_profile_id',
      'p.id as seen_patient_id',
      'p.last_name',
      'p.name',
      sql<string | null>`a.booker ->> 'name'`.as('booker_name'),
      sql<string | null>`coalesce(nullif(p.phone, ''), nullif(a.booker ->> 'phone', ''))`.as('phone'),
      sql<boolean>`coalesce(a.notes, '') <> '' or coalesce(a.patient_note, '') <> ''`.as('has_note'),
    ])
    .orderBy('a.starts_at')
    .orderBy('a.id')
    .limit(LIMIT)
    .execute()
}

export type VisitRow = Awaited<ReturnType<typeof listVisits>>[number]

/** The times of visits in these statuses. */
export function listTakenTimes(tx: TenantTx, asked: Asked, statuses: readonly AppointmentStatus[]) {
  return inPeriod(tx, asked)
    .select(['a.specialist_id', sql<string>`a.starts_at`.as('starts_at'), sql<string>`a.ends_at`.as('ends_at')])
    .where('a.status', 'in', [...statuses])
    .orderBy('a.starts_at')
    .orderBy('a.id')
    .limit(LIMIT)
    .execute()
}

/** Of the clinic in context. */
export async function findTimeZone(tx: TenantTx): Promise<string> {
  const found = await tx.selectFrom('organizations').select('time_zone').where('id', '=', CLINIC).executeTakeFirst()
  return existing(found).time_zone
}
