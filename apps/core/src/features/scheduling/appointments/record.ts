import { holds } from '@tendon/access'
import type { Appointment } from '@tendon/contracts'
import { type TenantTx, together } from '@tendon/db'
import { forbidden } from '@tendon/http'
import type { FastifyRequest } from 'fastify'
import { type Auditor, recorder } from '../../../platform/recorder.ts'
import { appointmentNotFound } from './errors.ts'
import { lockPatientsOf } from './patient-queries.ts'
import { findAppointmentForUpdate } from './queries.ts'

// Shared by the routes about one appointment.

type Named = Pick<Appointment, 'id' | 'patient_id' | 'patient_profile_id'>

/** Contains only ids. */
export const eventPayload = ({ id, patient_id, patient_profile_id }: Named) => ({
  appointment_id: id,
  patient_id,
  patient_profile_id,
})

/** A move publishes one event with the ids of both rows. */
export const movePayload = (from: { id: string }, { id, patient_id, patient_profile_id }: Named) => ({
  from_id: from.id,
  to_id: id,
  patient_id,
  patient_profile_id,
})

/** Entries about a linked appointment are encrypted under the patient's key; free text and contacts are never logged. */
export const record = recorder({
  target: ({ id }: Appointment) => ({ type: 'appointment', id }),
  unlogged: ['notes', 'patient_note', 'booker', 'title', 'custom_fields', 'cancellation_reason'],
  payload: eventPayload,
  patientProfileId: ({ patient_profile_id }) => patient_profile_id,
  acts: {
    created: { action: 'appointments.create', crud: 'C', event: 'appointment.created' },
    read: { action: 'appointments.read', crud: 'R' },
    updated: { action: 'appointments.update', crud: 'U', event: 'appointment.updated' },
    pending: { action: 'appointments.update', crud: 'U', event: 'appointment.updated' },
    confirmed: { action: 'appointments.confirm', crud: 'U', event: 'appointment.confirmed' },
    checked_in: { action: 'appointments.check_in', crud: 'U', event: 'appointment.checked_in' },
    completed: { action: 'appointments.complete', crud: 'U', event: 'appointment.completed' },
    no_show: { action: 'appointments.no_show', crud: 'U', event: 'appointment.no_show' },
    cancelled: { action: 'appointments.cancel', crud: 'U', event: 'appointment.cancelled' },
    reverted: { action: 'appointments.revert', crud: 'U', event: 'appointment.status_reverted' },
    rescheduled: { action: 'appointments.reschedule', crud: 'U' },
    linked: { action: 'appointments.link_patient', crud: 'U', event: 'appointment.linked' },
    entered_in_error: { action: 'appointments.delete', crud: 'D', event: 'appointment.cancelled' },
  },
})

const TRANSITIONS = ['pending', 'confirmed', 'checked_in', 'completed', 'no_show', 'cancelled'] as const

/** The act of the status that an appointment got. */
export async function recordTransition(
  by: Auditor,
  tx: TenantTx,
  before: Appointment,
  after: Appointment,
): Promise<void> {
  const act = TRANSITIONS.find((one) => one === after.status)
  if (act === undefined) throw new Error(`no transition leads to ${after.status}`)
  await record[act](by, tx, before, after)
}

/** A row that was written in this transaction. */
export function found(row: Appointment | undefined): Appointment {
  if (!row) throw new Error('the appointment was just written')
  return row
}

/** The audit entry says that staff passed the limit of the day. */
export const withOverLimit = <Row extends object>(row: Row, isOverLimit: boolean): Row =>
  isOverLimit ? Object.assign({}, row, { over_limit: true }) : row

/** Booking also requires the permission to view appointments: the answer shows one. */
export function mustSeeAppointments({ caller }: FastifyRequest): void {
  if (!holds(caller, 'appointments.view_org')) throw forbidden({ required: 'appointments.view_org' })
}

export async function lockAppointment(tx: TenantTx, id: string): Promise<Appointment> {
  const [, appointment] = await together([lockPatientsOf(tx, [id]), findAppointmentForUpdate(tx, id)])
  if (!appointment) throw appointmentNotFound()
  return appointment
}
