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
        summary: 'How far the clinic’s patients do each exercise as prescribed, as of the last hour',
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
        summary: 'The platform’s exercises over all clinics, without people: those done by fewer than 10 are left out',
      },
      schema: { response: { 200: One(PlatformExerciseCounts) } },
    },
    async (request) => ({ data: await request.platform(listPlatformCounts, { long: true }) }),
  )
}
