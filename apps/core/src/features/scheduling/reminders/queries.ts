import type { AppointmentReminder, ReminderReason } from '@tendon/contracts'
import { CLINIC, type ServiceTx, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { ReminderState } from './rules.ts'

/** Of clinics that have not chosen any. */
const DEFAULT_OFFSETS_MINUTES = [1440, 120]

interface ConfirmedVisit {
  id: string
  patient_profile_id: string | null
  starts_at: string
  offsets: readonly number[]
}

/**
 * Waits for an erasure of the patient before a reminder names the visit. Not by lockPatientsOf: subscribers share a transaction,
 * and one before may have locked the row.
 */
export async function keepPatientOf(tx: ServiceTx, appointmentId: string): Promise<void> {
  await sql`select 1 from patients where organization_id = (select current_app_org_id()) and patient_profile_id = (
      select patient_profile_id from appointments where organization_id = (select current_app_org_id()) and id = ${appointmentId})
    for key share`.execute(tx)
}

/** A confirmed visit with the offsets of its service, otherwise of the clinic. */
export async function findConfirmedVisit(tx: ServiceTx, id: string): Promise<ConfirmedVisit | undefined> {
  const found = await tx
    .selectFrom('appointments as a')
    .leftJoin('services as s', (join) =>
      join.onRef('s.organization_id', '=', 'a.organization_id').onRef('s.id', '=', 'a.service_id'),
    )
    .leftJoin('organization_settings as t', 't.organization_id', 'a.organization_id')
    .select(['a.id', 'a.patient_profile_id', 'a.starts_at'])
    .select(['s.reminder_offsets_minutes as of_service', 't.reminder_offsets_minutes as of_clinic'])
    .where('a.organization_id', '=', CLINIC)
    .where('a.id', '=', id)
    .where('a.status', '=', 'confirmed')
    .executeTakeFirst()
  if (!found?.starts_at) return undefined
  const { of_service, of_clinic, starts_at, ...visit } = found
  return { ...visit, starts_at, offsets: of_service ?? of_clinic ?? DEFAULT_OFFSETS_MINUTES }
}

interface DueTime {
  offset_minutes: number
  send_at: Date
}

/** Returns the new ones: an event may arrive again. */
export async function insertReminders(
  tx: ServiceTx,
  { id, patient_profile_id, starts_at }: ConfirmedVisit,
  times: readonly DueTime[],
): Promise<{ id: string; send_at: string }[]> {
  if (times.length === 0) return []
  return tx
    .insertInto('appointment_reminders')
    .values(
      times.map(({ offset_minutes, send_at }) => ({
        appointment_id: id,
        patient_profile_id,
        starts_at,
        offset_minutes,
        send_at: send_at.toISOString(),
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['id', 'send_at'])
    .execute()
}

export async function findReminder(tx: ServiceTx, id: string) {
  return tx
    .selectFrom('appointment_reminders')
    .select(['appointment_id', 'starts_at'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** A concurrent change of the visit is either visible afterwards, or waits until the mail is written. */
export async function lockVisit(tx: ServiceTx, id: string) {
  return tx
    .selectFrom('appointments')
    .select(['patient_id', 'starts_at', 'status', 'rescheduled_to_id'])
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst()
}

/** Locks the reminder after its visit, in the order of all other writers. False when another run of the job was first. */
export async function lockPlannedReminder(tx: ServiceTx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('appointment_reminders')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('status', '=', 'planned')
    .forUpdate()
    .executeTakeFirst()
  return found !== undefined
}

export async function hasPatient(tx: ServiceTx, id: string): Promise<boolean> {
  const found = await tx
    .selectFrom('patients')
    .select('id')
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found !== undefined
}

export async function updateReminder(tx: ServiceTx, id: string, state: ReminderState): Promise<void> {
  await tx
    .updateTable('appointment_reminders')
    .set(state)
    .where('organization_id', '=', CLINIC)
    .where('id', '=', id)
    .execute()
}

const UNTIL_CONFIRMED: readonly ReminderReason[] = ['visit_cancelled', 'visit_not_confirmed', 'visit_started']

/**
 * Reminders of a visit that is confirmed again, which were skipped when it was not and are not due yet. Planned ones too: then this
 * waits for the one who is skipping them now.
 */
export function planSkippedAgain(
  tx: ServiceTx,
  { id, starts_at }: Pick<ConfirmedVisit, 'id' | 'starts_at'>,
  now: Date,
): Promise<{ id: string; send_at: string }[]> {
  return tx
    .updateTable('appointment_reminders')
    .set({ status: 'planned', reason: null })
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', id)
    .where('starts_at', '=', starts_at)
    .where('send_at', '>', now.toISOString())
    .where((eb) =>
      eb.or([
        eb('status', '=', 'planned'),
        eb.and([eb('status', '=', 'skipped'), eb('reason', 'in', UNTIL_CONFIRMED)]),
      ]),
    )
    .returning(['id', 'send_at'])
    .execute()
}

/**
 * Of a visit that does not take place at its time: the planned ones. The mail loop decides about queued ones. None of a visit that
 * takes place again by now.
 */
export async function skipPlannedReminders(
  tx: ServiceTx,
  appointmentId: string,
  reason: ReminderReason,
): Promise<void> {
  await tx
    .updateTable('appointment_reminders')
    .set({ status: 'skipped', reason })
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', appointmentId)
    .where('status', '=', 'planned')
    .where(sql<boolean>`exists (select 1 from appointments a where a.organization_id = appointment_reminders.organization_id
      and a.id = appointment_reminders.appointment_id and a.status in ('cancelled', 'entered_in_error'))`)
    .execute()
}

export async function listReminders(tx: TenantTx, appointmentId: string): Promise<AppointmentReminder[]> {
  return tx
    .selectFrom('appointment_reminders')
    .select(['id', 'appointment_id', 'offset_minutes', 'send_at', 'status', 'reason', 'created_at'])
    .where('organization_id', '=', CLINIC)
    .where('appointment_id', '=', appointmentId)
    .orderBy('send_at')
    .orderBy('id')
    .execute()
}
