import { CohortAdherence, One, PlatformExerciseCounts, StatsQuery } from '@tendon/contracts'
import { permission, superadmin } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { listAdherence, readCounted } from '../stats/index.ts'
import { listPlatformCounts } from './queries.ts'

export const analyticsRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/analytics/cohort/exercise-adherence',
    {
      config: {
        access: permission('stats.view_org'),
        patientData: true,
        operationId: 'getExerciseAdherence',
        summary: 'Get exercise adherence',
        description:
          'Returns how closely the clinic’s patients follow the prescription of each exercise. Updated hourly.',
      },
      schema: { querystring: StatsQuery, response: { 200: One(CohortAdherence) } },
    },
    (request) =>
      request.tenant(
        async (tx) => {
          const counted = await readCounted(tx, request.query, now())
          return { data: { period: counted.period, exercises: await listAdherence(tx, counted) } }
        },
        { long: true },
      ),
  )

  app.get(
    '/v1/admin/platform/exercise-aggregate-counts',
    {
      config: {
        access: superadmin(),
        operationId: 'getPlatformExerciseCounts',
        summary: 'Get platform exercise counts',
        description:
          'Counts over all clinics, without personal data. Exercises done by fewer than 10 patients are left out.',
      },
      schema: { response: { 200: One(PlatformExerciseCounts) } },
    },
    async (request) => ({ data: await request.platform(listPlatformCounts, { long: true }) }),
  )
}
