import { ById, CancelledSeries, One, SeriesCancellation } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { cancelSeries } from './cancel-series.ts'
import { seriesNotFound } from './errors.ts'
import { mustSeeAppointments } from './record.ts'
import { AS_STAFF } from './service.ts'

export const seriesRoutes: Routes = (app, { now }) => {
  app.post(
    '/v1/appointments/series/:id/cancel',
    {
      config: {
        access: permission('appointments.manage'),
        patientData: true,
        service: AS_STAFF,
        operationId: 'cancelAppointmentSeries',
        summary: 'Cancel the rest of a series',
        description:
          'Cancels the visits of the series that start at from or later, all of them or none, and frees their times. Visits that have begun or are over are left.',
        refusals: [seriesNotFound],
      },
      schema: { params: ById, body: SeriesCancellation, response: { 200: One(CancelledSeries) } },
    },
    (request) =>
      request.tenant(async (tx) => {
        mustSeeAppointments(request)
        const { from, reason = null } = request.body
        const cancellation = { seriesId: request.params.id, from, reason }
        return { data: await asService(tx, AS_STAFF.codes, (own) => cancelSeries(request, own, cancellation, now())) }
      }),
  )
}
