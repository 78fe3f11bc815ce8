import { AffectedAppointments, type List, MAX_LIST_LIMIT, PlannedDayOff } from '@tendon/contracts'
import { fieldRefusal, permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { hasCalendar, listAffected } from '../availability/index.ts'
import { calendarNotFound } from '../calendars/index.ts'
import { mustSeeCalendars } from './days-off.ts'
import { NAMING } from './names-queries.ts'
import { listAppointments } from './queries.ts'

const lastBeforeFirst = fieldRefusal('date_to', 'must be on or after date')

export const dayOffRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/appointments/affected',
    {
      config: {
        access: permission('appointments.view_org'),
        patientData: true,
        service: NAMING,
        operationId: 'listAffectedAppointments',
        summary: 'List appointments that a day off would affect',
        description:
          'Future appointments that would be on a day off that is not saved yet: of one calendar (`calendar_id`), of one location (`location_id`) or of the whole clinic. At most 500, the earliest first. Also needs calendars.view_org.',
        refusals: [calendarNotFound],
      },
      schema: { querystring: PlannedDayOff, response: { 200: AffectedAppointments } },
    },
    async (request) => {
      mustSeeCalendars(request)
      const { date, date_to = null, calendar_id = null, location_id = null } = request.query
      if (date_to !== null && date_to < date) throw lastBeforeFirst()
      const list: List = {
        page: 1,
        limit: MAX_LIST_LIMIT,
        sort: [{ field: 'starts_at', descending: false }],
        filters: {},
        ranges: [],
      }
      const { rows, total } = await request.tenant(async (tx) => {
        if (calendar_id !== null && !(await hasCalendar(tx, calendar_id))) throw calendarNotFound()
        const ids = await listAffected(tx, now(), { date, date_to, calendar_id, location_id })
        return listAppointments(tx, list, ['patient', 'specialist', 'service'], ids)
      })
      return { data: rows, total }
    },
  )
}
