import { One, StatsExercises, StatsOverview, StatsPainSummary, StatsQuery } from '@tendon/contracts'
import { asService } from '@tendon/db'
import { permission } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { readCounted } from './period.ts'
import { findOverview, findPainSummary, listExerciseStats } from './queries.ts'
import { COUNTING } from './row-queries.ts'

const VIEW = { access: permission('stats.view_org'), service: COUNTING, patientData: true }

export const statsRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/stats/overview',
    {
      config: { ...VIEW, operationId: 'getStatsOverview', summary: 'Get an overview of session runs' },
      schema: { querystring: StatsQuery, response: { 200: One(StatsOverview) } },
    },
    (request) =>
      request.tenant(
        async (tx) => {
          const counted = await readCounted(tx, request.query, now())
          const overview = await asService(tx, COUNTING.codes, (own) => findOverview(own, counted))
          return { data: { period: counted.period, ...overview } }
        },
        { long: true },
      ),
  )

  app.get(
    '/v1/stats/exercises',
    {
      config: {
        ...VIEW,
        operationId: 'getExerciseStats',
        summary: 'Get statistics by exercise',
        description: 'Returns the results of each exercise in the clinic’s session runs.',
      },
      schema: { querystring: StatsQuery, response: { 200: One(StatsExercises) } },
    },
    (request) =>
      request.tenant(
        async (tx) => {
          const counted = await readCounted(tx, request.query, now())
          const exercises = await asService(tx, COUNTING.codes, (own) => listExerciseStats(own, counted))
          return { data: { period: counted.period, exercises } }
        },
        { long: true },
      ),
  )

  app.get(
    '/v1/stats/pain-summary',
    {
      config: { ...VIEW, operationId: 'getPainSummary', summary: 'Get a summary of reported pain' },
      schema: { querystring: StatsQuery, response: { 200: One(StatsPainSummary) } },
    },
    (request) =>
      request.tenant(
        async (tx) => {
          const counted = await readCounted(tx, request.query, now())
          const pain = await asService(tx, COUNTING.codes, (own) => findPainSummary(own, counted))
          return { data: { period: counted.period, ...pain } }
        },
        { long: true },
      ),
  )
}
