import { One, Today } from '@tendon/contracts'
import { patient } from '@tendon/http'
import type { Routes } from '../../../feature.ts'
import { findNextVisit, listMyClinics, listOpenForms, listSessions } from './queries.ts'
import { atTheirClinics } from './rules.ts'

export const todayRoutes: Routes = (app, { now }) => {
  app.get(
    '/v1/me/today',
    {
      config: {
        access: patient(),
        operationId: 'getMyToday',
        summary: 'Get your tasks',
        description:
          'Returns the sessions of your active plans, forms to fill in and your next visit, at all your clinics.',
      },
      schema: { response: { 200: One(Today) } },
    },
    async (request) => {
      const [clinics, sessions, forms, visits] = await request.tenant((tx) =>
        Promise.all([listMyClinics(tx), listSessions(tx), listOpenForms(tx), findNextVisit(tx, now())]),
      )
      const [next_visit = null] = atTheirClinics(clinics, visits)
      return {
        data: { sessions: atTheirClinics(clinics, sessions), forms: atTheirClinics(clinics, forms), next_visit },
      }
    },
  )
}
