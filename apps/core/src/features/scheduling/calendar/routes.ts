import { holds } from '@tendon/access'
import { CalendarView, CalendarViewQuery, One } from '@tendon/contracts'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { takenView, visitsView } from './calendar.ts'
import { endsBeforeStart, periodTooLarge } from './errors.ts'
import { READS_CALENDAR } from './facts-queries.ts'
import { isEmpty, isTooLongAnywhere } from './rules.ts'

export const calendarRoutes: Routes = (app) => {
  app.get(
    '/v1/calendar',
    {
      config: {
        access: permission('appointments.view_org'),
        patientData: true,
        contentTag: true,
        service: READS_CALENDAR,
        operationId: 'getCalendarView',
        summary: 'Get the visits of a period with everything around them',
        description:
          'Whole, without pages: the visits that overlap the period, working hours, held and busy times, closures and names. At most 14 days and 1,500 visits.',
        refusals: [endsBeforeStart, periodTooLarge],
      },
      schema: { querystring: CalendarViewQuery, response: { 200: One(CalendarView) } },
    },
    async (request) => {
      const { specialist_id = null, location_id = null, detail, ...period } = request.query
      const [from, to] = [new Date(period.from), new Date(period.to)]
      if (isEmpty(from, to)) throw endsBeforeStart()
      if (isTooLongAnywhere(from, to)) throw periodTooLarge()
      const asked = { from, to, specialistId: specialist_id, locationId: location_id }
      const maySeeForms = holds(request.caller, 'forms.view_org')
      const view = await request.tenant((tx) =>
        detail === 'taken' ? takenView(tx, asked) : visitsView(tx, asked, maySeeForms),
      )
      return { data: view }
    },
  )
}
