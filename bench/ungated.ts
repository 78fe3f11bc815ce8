import type { Routes } from '../apps/core/src/feature.ts'
import { myRoutes } from '../apps/core/src/features/people/patients/my-routes.ts'

/** Prefix of a route: the same route without the consent gate. */
export const UNGATED = '/v1/ungated'

export const ungated: Routes = (app, services) => {
  app.register(
    async (scope) => {
      scope.addHook('onRoute', (route) => {
        if (route.config) route.config.gate = 'open'
      })
      myRoutes(Object.assign(scope, { routes: app.routes }), services)
    },
    { prefix: UNGATED },
  )
}
