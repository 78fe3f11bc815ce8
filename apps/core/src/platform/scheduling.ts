import type { TenantTx } from '@tendon/db'
import type { RawBuilder } from 'kysely'

/** For the routes that show a specialist with hours and overrides. */
export const READS_HOURS = {
  codes: ['calendars.view_org'],
  why: 'Hours and overrides belong to the record of a specialist, which has a permission of its own.',
} as const

/** What scheduling knows of a specialist, and of patients. */
export interface Scheduling {
  listWeeklyHours(tx: TenantTx, specialistId: string): Promise<object[]>
  /** While there are any, the specialist's time zone stays: they are written in it. */
  listOverrides(tx: TenantTx, specialistId: string): Promise<object[]>
  /**
   * A query over the clinic in context, for segments: of each patient who has appointments in one of these statuses (null:
   * in any), how many, and the day of the last one (YYYY-MM-DD as text, in that time zone). Its transaction sees appointments.
   */
  countAppointments(statuses: string[] | null, timeZone: string): RawBuilder<AppointmentCount>
  hasFutureAppointments(tx: TenantTx, serviceId: string): Promise<boolean>
  /** The clinic's appointments with these ids, as forms show them. */
  listAppointments(tx: TenantTx, ids: readonly string[]): Promise<Appointment[]>
}

export interface Appointment {
  id: string
  patient_profile_id: string
}

export interface AppointmentCount {
  patient_id: string
  count: number
  last_date: string | null
}
