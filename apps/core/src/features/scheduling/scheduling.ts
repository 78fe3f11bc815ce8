import { asService, CLINIC } from '@tendon/db'
import { sql } from 'kysely'
import { type Appointment, type AppointmentCount, READS_HOURS, type Scheduling } from '../../platform/scheduling.ts'

const READS_APPOINTMENTS = ['appointments.view_org']

/** What other features ask about hours and appointments. */
export const scheduling: Scheduling = {
  async listWeeklyHours(tx, specialistId) {
    const { rows } = await asService(tx, READS_HOURS.codes, (own) =>
      sql<{ hours: object }>`
        select jsonb_build_object('calendar_id', c.id, 'location_id', c.location_id) || w as hours
        from calendars c cross join lateral jsonb_array_elements(c.weekly_hours) w
        where c.organization_id = (select current_app_org_id()) and c.specialist_id = ${specialistId} and c.is_active
        order by (w ->> 'weekday')::integer, w ->> 'start'`.execute(own),
    )
    return rows.map(({ hours }) => hours)
  },

  async listOverrides(tx, specialistId) {
    return asService(tx, READS_HOURS.codes, (own) =>
      own
        .selectFrom('calendars as c')
        .innerJoin('calendar_overrides as v', (join) =>
          join.onRef('v.organization_id', '=', 'c.organization_id').onRef('v.calendar_id', '=', 'c.id'),
        )
        .select(['v.id', 'c.id as calendar_id', 'v.date', 'v.date_to', 'v.windows', 'v.service_id', 'v.reason'])
        .where('c.organization_id', '=', CLINIC)
        .where('c.specialist_id', '=', specialistId)
        .orderBy('v.date')
        .orderBy('v.id')
        .execute(),
    )
  },

  countAppointments: (statuses, timeZone) => sql<AppointmentCount>`
    select patient_id, count(*) as count, to_char(max(starts_at at time zone ${timeZone}::text), 'YYYY-MM-DD') as last_date
    from appointments
    where organization_id = (select current_app_org_id()) and patient_id is not null and status <> 'entered_in_error'
      and (${statuses}::text[] is null or status = any (${statuses}::text[]))
    group by patient_id`,

  async hasFutureAppointments(tx, serviceId) {
    const found = await asService(tx, READS_APPOINTMENTS, (own) =>
      own
        .selectFrom('appointments')
        .select('id')
        .where('organization_id', '=', CLINIC)
        .where('service_id', '=', serviceId)
        .where('starts_at', '>', sql<string>`now()`)
        .where('status', 'in', ['pending', 'confirmed', 'checked_in'])
        .limit(1)
        .executeTakeFirst(),
    )
    return found !== undefined
  },

  async listAppointments(tx, ids) {
    const { rows } = await sql<{ appointment: Appointment }>`
      select appointment from appointments_of_forms(${[...ids]}::uuid[]) as appointment`.execute(tx)
    return rows.map(({ appointment }) => appointment)
  },
}
