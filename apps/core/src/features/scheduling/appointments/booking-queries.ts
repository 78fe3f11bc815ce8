import type { AppointmentMode, Booker } from '@tendon/contracts'
import { CLINIC, type RowOf, type ServiceTx, type TenantTx, together } from '@tendon/db'
import { sql } from 'kysely'
import { type BookingPatient, lockPatientsOf } from './patient-queries.ts'
import { statusSetBy } from './status-queries.ts'

/** What an appointment takes over from its hold. */
interface TimeOfHold {
  service_id: string
  specialist_id: string
  location_id: string | null
  calendar_id: string | null
  mode: AppointmentMode
  starts_at: string
  ends_at: string
  time_zone: string
  price_cents: number | null
  currency: string
}

export interface BookedRow {
  id: string
  held: TimeOfHold
  source: 'staff' | 'patient' | 'public'
  status: 'pending' | 'confirmed'
  patient: Pick<BookingPatient, 'id' | 'patient_profile_id'> | null
  missingConsents: string[]
  booker: Booker | null
  note: string | null
}

/** False when the patient has another appointment then. */
export async function insertBooked(
  tx: ServiceTx,
  { id, held, source, status, patient, missingConsents, booker, note }: BookedRow,
): Promise<boolean> {
  const { service_id, specialist_id, location_id, calendar_id, mode, starts_at, ends_at, time_zone } = held
  const inserted = await tx
    .insertInto('appointments')
    .values({
      id,
      service_id,
      specialist_id,
      location_id,
      calendar_id,
      patient_id: patient?.id ?? null,
      patient_profile_id: patient?.patient_profile_id ?? null,
      starts_at,
      ends_at,
      time_zone,
      mode,
      status,
      status_set_at: sql<string>`now()`,
      status_set_by: source === 'public' ? 'booker' : source,
      confirmed_at: status === 'confirmed' ? sql<string>`now()` : null,
      source,
      patient_note: note,
      booker: booker && JSON.stringify(booker),
      price_cents: held.price_cents,
      currency: held.currency,
      missing_consents: missingConsents,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Locks the patient of an appointment, then its specialist and those of the hold and of the move in the order of their ids. Who locks in this
 * order (patient, specialists, rows) does not deadlock with crossing moves, series, deletions and erasures.
 */
export async function lockForMove(
  tx: ServiceTx,
  appointmentId: string,
  holdId: string | null,
  specialistId: string | null = null,
): Promise<void> {
  await together([
    lockPatientsOf(tx, [appointmentId]),
    sql`select pg_advisory_xact_lock(hashtextextended('appointments of ' || id, 0)) from (
        select specialist_id as id from appointments where organization_id = (select current_app_org_id()) and id = ${appointmentId}
        union select specialist_id from holds where organization_id = (select current_app_org_id()) and id = ${holdId}
        union select ${specialistId}::uuid
        order by id offset 0) specialists
      where id is not null`.execute(tx),
  ])
}

/** A series takes several times of one specialist: moves between them wait for it. */
export async function lockSpecialist(tx: TenantTx, id: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('appointments of ' || ${id}::uuid, 0))`.execute(tx)
}

export interface MovableRow
  extends RowOf<
      'appointments',
      | 'id'
      | 'status'
      | 'service_id'
      | 'specialist_id'
      | 'location_id'
      | 'calendar_id'
      | 'patient_id'
      | 'mode'
      | 'starts_at'
      | 'ends_at'
      | 'confirmed_at'
      | 'calendar_uid'
      | 'price_cents'
      | 'currency'
    >,
    RowOf<'services', 'requires_confirmation' | 'max_per_day'> {
  patient_profile_id: string | null
  has_telemedicine: boolean
  is_location_open: boolean
  is_restricted: boolean
  time_zone: string
}

/** An appointment with what its service, specialist and place say about moving it; locked. */
export async function findMovableForUpdate(tx: ServiceTx, id: string): Promise<MovableRow | undefined> {
  const { rows } = await sql<MovableRow>`
    select a.id, a.status, a.service_id, a.specialist_id, a.location_id, a.calendar_id, a.patient_id,
      a.patient_profile_id, a.mode, a.starts_at, a.ends_at, a.confirmed_at, a.calendar_uid, a.price_cents, a.currency, l.id is not null and l.deleted_at is null as is_location_open,
      exists (select 1 from patients p where p.organization_id = a.organization_id and p.id = a.patient_id
        and p.restricted_at is not null) as is_restricted,
      has_consent(a.patient_profile_id, a.organization_id, 'telemedicine') as has_telemedicine,
      coalesce(s.scheduling_timezone, a.time_zone) as time_zone, v.requires_confirmation, v.max_per_day
    from appointments a
    join services v on v.organization_id = a.organization_id and v.id = a.service_id
    left join specialists s on s.organization_id = a.organization_id and s.id = a.specialist_id
    left join locations l on l.organization_id = a.organization_id and l.id = a.location_id
    where a.organization_id = (select current_app_org_id()) and a.id = ${id}
    for no key update of a`.execute(tx)
  return rows[0]
}

interface MovedRow {
  id: string
  fromId: string
  by: 'staff' | 'patient' | 'booker'
  serviceId: string
  priceCents: number | null
  currency: string
  specialistId: string | null
  locationId: string | null
  calendarId: string | null
  startsAt: string
  endsAt: string
  timeZone: string
  mode: AppointmentMode
  missingConsents: string[]
  status: 'pending' | 'confirmed'
  confirmedAt: string | null
}

/** The new row of a moved appointment. False when the patient has another appointment then. */
export async function insertMoved(tx: ServiceTx, row: MovedRow): Promise<boolean> {
  const { rows } = await sql<{ id: string }>`
    insert into appointments (id, service_id, specialist_id, location_id, calendar_id, patient_id, patient_profile_id, starts_at,
      ends_at, time_zone, mode, status, status_set_at, status_set_by, confirmed_at, source, title, notes, patient_note, meeting_url, booker, price_cents,
      currency, series_id, rescheduled_from_id, calendar_uid, calendar_sequence, overlap_allowed, custom_fields,
      missing_consents)
    select ${row.id}, ${row.serviceId}::uuid, ${row.specialistId}::uuid, ${row.locationId}::uuid, ${row.calendarId}::uuid, patient_id,
      patient_profile_id, ${row.startsAt}::timestamptz, ${row.endsAt}::timestamptz, ${row.timeZone}, ${row.mode}, ${row.status},
      now(), ${row.by}, ${row.confirmedAt}::timestamptz, source, title, notes, patient_note, meeting_url, booker,
      ${row.priceCents}::bigint, ${row.currency}, series_id, id, calendar_uid, calendar_sequence + 1, overlap_allowed, custom_fields, ${row.missingConsents}::text[]
    from appointments where organization_id = (select current_app_org_id()) and id = ${row.fromId}
    on conflict do nothing
    returning id`.execute(tx)
  return rows.length > 0
}

/** What belongs to a moved appointment follows it, in one statement. A signed form stays as it was sealed. */
export async function followMove(tx: ServiceTx, fromId: string, toId: string): Promise<void> {
  await tx
    .with('links', (db) =>
      db
        .updateTable('booking_links')
        .set({ appointment_id: toId })
        .where('organization_id', '=', CLINIC)
        .where('appointment_id', '=', fromId),
    )
    .with('files', (db) =>
      db
        .updateTable('appointment_files')
        .set({ appointment_id: toId })
        .where('organization_id', '=', CLINIC)
        .where('appointment_id', '=', fromId),
    )
    .with('unsigned', (db) =>
      db
        .updateTable('forms')
        .set({ appointment_id: toId })
        .where('organization_id', '=', CLINIC)
        .where('appointment_id', '=', fromId)
        .where('signed_at', 'is', null),
    )
    .updateTable('appointments')
    .set({ rescheduled_to_id: toId })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', fromId)
    .execute()
}

export interface CancelledRow {
  patient_id: string | null
  patient_profile_id: string | null
}

/** Undefined when the appointment has started or ended. */
export function updateCancelled(
  tx: ServiceTx,
  id: string,
  by: 'staff' | 'patient' | 'booker',
  reason: string | null,
): Promise<CancelledRow | undefined> {
  return tx
    .updateTable('appointments')
    .set({
      status: 'cancelled',
      ...statusSetBy(by),
      cancelled_at: sql`now()`,
      cancelled_by: by,
      cancellation_reason: reason,
    })
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('status', 'in', ['waitlist', 'pending', 'confirmed'])
    .returning(['patient_id', 'patient_profile_id'])
    .executeTakeFirst()
}
