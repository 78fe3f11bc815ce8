import type { AppointmentMode, AppointmentReview, List, MyAppointment } from '@tendon/contracts'
import { CLINIC, readPage, type TenantTx } from '@tendon/db'
import { type NotNull, sql } from 'kysely'

/** What the rules of a patient's own changes need besides what the patient sees. */
export interface OwnAppointment extends Omit<MyAppointment, 'can_join'> {
  meeting_url: string | null
  patient_id: string
  patient_profile_id: string
  cancel_notice_minutes: number
  reschedule_notice_minutes: number
}

interface ServiceFacts {
  id: string
  name: string
  cancel_notice_minutes: number
  reschedule_notice_minutes: number
}

const SPECIALIST = sql<
  MyAppointment['specialist']
>`my_appointment_name('specialists', appointments.organization_id, appointments.specialist_id)`
const LOCATION = sql<
  MyAppointment['location']
>`my_appointment_name('locations', appointments.organization_id, appointments.location_id)`
const SERVICE = sql<ServiceFacts>`my_appointment_service(appointments.organization_id, appointments.service_id)`

const select = (tx: TenantTx) =>
  tx
    .selectFrom('appointments')
    .select([
      'id',
      'organization_id',
      'starts_at',
      'ends_at',
      'time_zone',
      'mode',
      'status',
      'patient_note',
      'price_cents',
      'currency',
      'missing_consents',
      'cancellation_reason',
      'rescheduled_to_id',
      'calendar_uid',
      'calendar_sequence',
      'patient_id',
      'patient_profile_id',
      SPECIALIST.as('specialist'),
      LOCATION.as('location'),
      sql<string | null>`my_meeting_url(appointments.organization_id, appointments.id)`.as('meeting_url'),
      SERVICE.as('facts'),
      sql<boolean>`exists (select 1 from appointment_reviews r where r.organization_id = appointments.organization_id
        and r.appointment_id = appointments.id)`.as('is_reviewed'),
    ])
    .where(sql<boolean>`patient_profile_id = any ((select current_app_profile_ids())::uuid[])`)
    .where('patient_id', 'is not', null)
    .where('status', '<>', 'entered_in_error')
    .$narrowType<{ patient_id: NotNull; patient_profile_id: NotNull }>()

type Raw = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]

function shaped({ facts, ...row }: Raw): OwnAppointment {
  const { id, name, cancel_notice_minutes, reschedule_notice_minutes } = facts
  const before = (minutes: number) =>
    row.starts_at === null ? null : new Date(Date.parse(row.starts_at) - minutes * 60_000).toISOString()
  return {
    ...row,
    service: { id, name },
    cancel_notice_minutes,
    reschedule_notice_minutes,
    cancel_until: before(cancel_notice_minutes),
    reschedule_until: before(reschedule_notice_minutes),
  }
}

export async function listMyAppointments(tx: TenantTx, list: List) {
  const { rows, total } = await readPage(select(tx), list, {})
  return { rows: rows.map(shaped), total }
}

/** At the clinic in context, because its audit log and its consents apply. */
export async function findMyAppointment(tx: TenantTx, id: string): Promise<OwnAppointment | undefined> {
  const found = await select(tx).where('id', '=', id).where('organization_id', '=', CLINIC).executeTakeFirst()
  return found && shaped(found)
}

/** The mode of a hold, by its id. */
export async function findHoldMode(tx: TenantTx, holdId: string): Promise<AppointmentMode | undefined> {
  const { rows } = await sql<{ mode: AppointmentMode | null }>`select find_hold(${holdId}) ->> 'mode' as mode`.execute(
    tx,
  )
  return rows[0]?.mode ?? undefined
}

const REVIEW = ['id', 'appointment_id', 'rating', 'comment', 'created_at'] as const

export function insertReview(
  tx: TenantTx,
  appointmentId: string,
  { rating, comment = null }: { rating: number; comment?: string | null },
): Promise<AppointmentReview> {
  return tx
    .insertInto('appointment_reviews')
    .values({
      appointment_id: appointmentId,
      patient_profile_id: sql`(select patient_profile_id from appointments where organization_id = (select current_app_org_id()) and id = ${appointmentId})`,
      rating,
      comment,
    })
    .returning(REVIEW)
    .executeTakeFirstOrThrow()
}

export function listReviews(tx: TenantTx, appointmentId: string): Promise<AppointmentReview[]> {
  return tx.selectFrom('appointment_reviews').select(REVIEW).where('appointment_id', '=', appointmentId).execute()
}
