import { sql } from 'kysely'
import type { Appointment, AppointmentCount, Scheduling } from '../../platform/scheduling.ts'

/** What other features ask about hours and appointments. */
export const scheduling: Scheduling = {
  async listWeeklyHours(tx, specialistId) {
    const { rows } = await sql<{ hours: object }>`
      select hours from specialist_weekly_hours(${specialistId}) as hours`.execute(tx)
    return rows.map(({ hours }) => hours)
  },

  async listOverrides(tx, specialistId) {
    const { rows } = await sql<{ override: object }>`
      select override from specialist_overrides(${specialistId}) as override`.execute(tx)
    return rows.map(({ override }) => override)
  },

  countAppointments: (statuses, timeZone) => sql<AppointmentCount>`
    select patient_id, count, last_date from count_appointments(${statuses}::text[], ${timeZone})`,

  async hasFutureAppointments(tx, serviceId) {
    const { rows } = await sql<{ has: boolean }>`select service_has_future_appointments(${serviceId}) as has`.execute(
      tx,
    )
    return rows[0]?.has ?? false
  },

  async listAppointments(tx, ids) {
    const { rows } = await sql<{ appointment: Appointment }>`
      select appointment from appointments_of_forms(${[...ids]}::uuid[]) as appointment`.execute(tx)
    return rows.map(({ appointment }) => appointment)
  },
}
