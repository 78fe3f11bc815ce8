import { buildHttpApp, type HttpAppProbes } from '@tendon/access'
import { MAX_COMPOSER_BODY_BYTES } from '@tendon/contracts'
import { bundleRoutes } from './features/bundles/routes.ts'
import { compositionRoutes } from './features/compositions/routes.ts'
import { healthRoutes } from './features/health/routes.ts'
import { openapiRoutes } from './features/openapi/routes.ts'
import { renderRoutes } from './features/renders/routes.ts'
import { videoHostWebhookRoutes } from './features/video-host-webhook/routes.ts'
import type { Routes, Services } from './services.ts'

const ROUTES: readonly Routes[] = [
  healthRoutes,
  openapiRoutes,
  compositionRoutes,
  renderRoutes,
  bundleRoutes,
  videoHostWebhookRoutes,
]

/** Builds the API of the composer. Callers are identified as in the core API. */
export function buildApp(services: Services, probes: HttpAppProbes = {}) {
  return buildHttpApp(
    services,
    {
      ...probes,
      // The core API forwards requests, usually from the same machine.
      trustProxy: ['loopback', ...services.config.TRUSTED_PROXIES],
      maxBodyBytes: MAX_COMPOSER_BODY_BYTES,
      requestTimeoutMs: services.config.REQUEST_TIMEOUT_MS,
    },
    (app) => {
      for (const add of ROUTES) add(app, services)
    },
  )
}
