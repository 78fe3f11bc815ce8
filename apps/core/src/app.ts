import { buildHttpApp, type HttpAppProbes, type RouteTable } from '@tendon/access'
import { addVersions, type Constraints } from '@tendon/http'
import type { Feature, Routes } from './feature.ts'
import { features } from './features.ts'
import { acceptUploads } from './platform/uploads.ts'
import type { Services } from './services.ts'

const MAX_BODY_BYTES = 256 * 1024

interface AppOptions extends HttpAppProbes {
  /** Further routes, for tests. */
  routes?: readonly Routes[]
}

/** Builds the core API. */
export function buildApp(services: Services, { routes = [], ...probes }: AppOptions = {}) {
  const { config } = services
  const constraints: Constraints = Object.assign({}, ...features.map((one) => one.constraints))
  const routesOf = new Map<Feature, RouteTable>()
  const app = buildHttpApp(
    services,
    {
      ...probes,
      trustProxy: config.TRUSTED_PROXIES.length > 0 ? config.TRUSTED_PROXIES : false,
      maxBodyBytes: MAX_BODY_BYTES,
      requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
      constraints,
    },
    (app) => {
      acceptUploads(app)
      addVersions(app)
      for (const feature of features) {
        const before = app.routes.length
        for (const addRoutes of feature.routes) addRoutes(app, services)
        routesOf.set(feature, app.routes.slice(before))
      }
      for (const addRoutes of routes) addRoutes(app, services)
    },
  )
  return Object.assign(app, { routesOf })
}
