import { CLINIC, type ServiceTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import type { Deletable, Erasable } from './erasure-rules.ts'
import { statusSetBy } from './status-queries.ts'

/** Whose appointments, as a condition on `appointments a`. */
export type Whose = RawBuilder<boolean>
export const ofPatient = (profileId: string): Whose => sql`a.patient_profile_id = ${profileId}`
/** Bookings that are linked to nobody. */
export const ofBooker = (email: string): Whose =>
  sql`a.patient_id is null and (a.booker ->> 'email')::citext = ${email}::citext`
/** A move keeps the calendar's id of a booking. */
export const ofBookings = (calendarUids: readonly string[]): Whose =>
  sql`a.patient_id is null and a.calendar_uid = any (${calendarUids}::uuid[])`

export async function listCalendarUids(tx: ServiceTx, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('appointments')
    .select('calendar_uid')
    .distinct()
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .execute()
  return rows.map(({ calendar_uid }) => calendar_uid)
}

/** In the order of their ids, locked. */
export function listAppointmentsOf(tx: ServiceTx, whose: Whose): Promise<(Erasable & { calendar_uid: string })[]> {
  return tx
    .selectFrom('appointments as a')
    .select(['id', 'status', 'starts_at', 'calendar_uid'])
    .where('organization_id', '=', CLINIC)
    .where(whose)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** What decides how an appointment is erased. */
export async function listDeletable(tx: ServiceTx, ids: readonly string[]): Promise<Deletable[]> {
  const { rows } = await sql<Deletable>`
    select a.id, a.status,
      exists (select 1 from forms f where f.organization_id = a.organization_id and f.appointment_id = a.id
        and f.signed_at is not null) as has_signed_form,
      exists (select 1 from appointment_reviews r where r.organization_id = a.organization_id
        and r.appointment_id = a.id) as is_reviewed
    from appointments a where a.organization_id = (select current_app_org_id()) and a.id = any (${ids}::uuid[])
    order by a.id`.execute(tx)
  return rows
}

/** Nobody in particular cancels them; their times are free. */
export async function cancelBySystem(tx: ServiceTx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('appointments')
    .set({
      status: 'cancelled',
      ...statusSetBy('system'),
      cancelled_at: sql`now()`,
      cancelled_by: 'system',
      cancellation_reason: null,
    })
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .execute()
}

export async function freeTimes(tx: ServiceTx, ids: readonly string[]): Promise<void> {
  await sql`select free_time(id) from unnest(${ids}::uuid[]) id`.execute(tx)
}

/** Other appointments no longer say that they were moved from or to these. */
export async function unlinkMoves(tx: ServiceTx, ids: readonly string[]): Promise<void> {
  await sql`update appointments set
      rescheduled_to_id = case when rescheduled_to_id = any (${ids}::uuid[]) then null else rescheduled_to_id end,
      rescheduled_from_id = case when rescheduled_from_id = any (${ids}::uuid[]) then null else rescheduled_from_id end
    where organization_id = (select current_app_org_id())
      and (rescheduled_to_id = any (${ids}::uuid[]) or rescheduled_from_id = any (${ids}::uuid[]))`.execute(tx)
}

/** Their documents, files, reminders and links are deleted with them. */
export async function deleteRows(tx: ServiceTx, ids: readonly string[]): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('appointments')
    .where('organization_id', '=', CLINIC)
    .where(sql<boolean>`id = any (${ids}::uuid[])`)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Mails about bookings that were linked later become the patient's. */
export async function giveMailsToPatient(tx: ServiceTx, profileId: string): Promise<void> {
  await sql`update mail_outbox m set patient_profile_id = ${profileId} from appointments a
    where a.organization_id = (select current_app_org_id()) and a.patient_profile_id = ${profileId}
      and m.organization_id = a.organization_id and m.data ? 'uid' and m.data ->> 'uid' = a.calendar_uid::text
      and m.patient_profile_id is null`.execute(tx)
}

export async function clearTexts(tx: ServiceTx, whose: Whose): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('appointments as a')
    .set({
      booker: null,
      notes: null,
      patient_note: null,
      title: null,
      cancellation_reason: null,
      wanted: null,
      custom_fields: '{}',
    })
    .where('organization_id', '=', CLINIC)
    .where(whose)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const NAMED_BY = { links: 'booking_links', documents: 'appointment_documents', files: 'appointment_files' } as const

/** Deletes what names these appointments. */
export async function deleteTheir(tx: ServiceTx, what: keyof typeof NAMED_BY, whose: Whose): Promise<void> {
  await sql`delete from ${sql.table(NAMED_BY[what])} o using appointments a
    where o.organization_id = (select current_app_org_id()) and a.organization_id = o.organization_id and a.id = o.appointment_id
      and ${whose}`.execute(tx)
}

/** Mails about bookings that were not linked. */
const MAILS_TO_BOOKERS = sql`organization_id = (select current_app_org_id()) and patient_profile_id is null
  and template in ('booking_updated', 'appointment_reminder')`

export async function deleteMailsAbout(tx: ServiceTx, calendarUids: readonly string[]): Promise<void> {
  await sql`delete from mail_outbox where ${MAILS_TO_BOOKERS} and data ? 'uid'
    and data ->> 'uid' = any (${calendarUids}::text[])`.execute(tx)
}

export async function deleteMailsTo(tx: ServiceTx, email: string): Promise<void> {
  await sql`delete from mail_outbox where ${MAILS_TO_BOOKERS} and lower(to_address) = lower(${email})`.execute(tx)
}
