import { methodNotAllowed, notFound } from '@tendon/http'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'

/** The routes of the app, as declared: for the boot check, the OpenAPI document, the 405 answer and the generated tests. */
export type RouteTable = readonly RouteOptions[]

/** A route without declared access stops the boot. */
export function collectRoutes(app: FastifyInstance): RouteTable {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    if (route.method === 'HEAD') return
    if (!route.config?.access) throw new Error(`${String(route.method)} ${route.url} declares no access`)
    if (!route.config.forwarded) routes.push(route)
  })
  return routes
}

/** Unknown URLs get 404; known ones with another method get 405 with the allowed methods. */
export function answerUnknownRoutes(app: FastifyInstance, routes: RouteTable): void {
  const pattern = (url: string) =>
    new RegExp(`^${url.replace(/[.]/g, '\\.').replace(/:\w+/g, '[^/]+').replace(/\*$/, '.*')}$`)
  for (const route of routes) {
    if (route.exposeHeadRoute !== false) continue
    const { url, config = {} } = route
    app.head(url, { config: { ...config, refusals: [methodNotAllowed] } }, () => {
      throw methodNotAllowed({ method: 'HEAD', allowed: 'GET' }, { allow: 'GET' })
    })
  }
  // Before the body is read.
  app.addHook('onRequest', async (request) => {
    if (request.is404) refuse(request)
  })
  app.setNotFoundHandler(refuse)

  function refuse(request: FastifyRequest): never {
    const path = request.url.split('?', 1)[0] ?? ''
    const allowed = routes.filter((route) => pattern(route.url).test(path)).map((route) => String(route.method))
    if (allowed.length === 0) throw notFound()
    throw methodNotAllowed({ method: request.method, allowed: allowed.join(', ') }, { allow: allowed.join(', ') })
  }
}
