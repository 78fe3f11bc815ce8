import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { collectRoutes } from '@tendon/access'
import { isOrganizationRoute } from '@tendon/http'
import fastify from 'fastify'
import { type Person, sharedCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'
import { SPECIFIED } from './specification-routes.testing.ts'

// Walks the route table: what every route must do, whatever it is for. A new route is covered the moment it exists.

const GENERATED = new URL('../../../../docs/generated/', import.meta.url)

const pathOf = (url: string, organizationId: string) =>
  url
    .replace(/:(id|org_id)\b/, isOrganizationRoute(url) ? organizationId : randomUUID())
    .replace(/:\w+/g, randomUUID())
    .replace('*', 'x')

describe('every route', () => {
  let core: TestCore
  let own: TestOrganization
  let other: TestOrganization
  let nobody: Person
  let operator: Person
  let owner: Person
  before(async () => {
    core = await sharedCore()
    own = await core.organization()
    other = await core.organization()
    operator = await core.superadmin()
    owner = await core.signIn()
    await core.acceptAll(await core.patient(own, owner))
    nobody = await core.memberWith(own, [])
  })
  after(() => core.close())

  /** Somebody whom the route lets in. */
  const callerOf = (access: string | undefined) =>
    access === 'superadmin' ? operator : access === 'patient' ? owner : own.admin

  const routes = () => core.app.routes.filter((route) => route.config?.access?.kind !== 'public')

  test('every route has a summary, and the table is not empty', () => {
    assert.ok(core.app.routes.length >= 17 + 20)
    for (const route of core.app.routes) assert.ok(route.config?.summary, `${String(route.method)} ${route.url}`)
  })

  test('every route of the specification exists: 228 of 228', () => {
    const document = (service: string): string[] => {
      const { paths } = JSON.parse(readFileSync(new URL(`${service}-openapi.json`, GENERATED), 'utf8'))
      return Object.entries<object>(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method.toUpperCase()} ${path.replace(/\{\w+\}/g, '{}')}`),
      )
    }
    const answered = {
      core: core.app.routes.map((route) => `${String(route.method)} ${route.url.replace(/:\w+/g, '{}')}`),
      telemetry: document('telemetry'),
      composer: document('composer'),
    }
    const services = ['core', 'telemetry', 'composer'] as const
    const missing = services.flatMap((service) =>
      SPECIFIED[service].filter((route) => !answered[service].includes(route)),
    )
    assert.deepEqual(missing, [])
    assert.equal(new Set(services.flatMap((service) => SPECIFIED[service])).size, 228)
  })

  test('every route without a token is 401', async () => {
    for (const route of routes()) {
      const answer = await core.call(String(route.method), pathOf(route.url, own.id))
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [401, 'unauthenticated'],
        `${String(route.method)} ${route.url}`,
      )
    }
  })

  test('every route is refused (403) to a member who lacks its permission, and says which one it is', async () => {
    for (const route of routes()) {
      const access = route.config?.access
      if (access?.kind !== 'permission' && access?.kind !== 'superadmin') continue
      const answer = await core.call(String(route.method), pathOf(route.url, own.id), { as: nobody })
      assert.equal(answer.status, 403, `${String(route.method)} ${route.url}: ${answer.text}`)
      if (access.kind === 'permission') assert.equal(answer.body.error.required, access.code, route.url)
    }
  })

  test('every route of another organization is refused to an admin, in the URL and in the header', async () => {
    for (const route of routes()) {
      if (isOrganizationRoute(route.url)) {
        const answer = await core.call(String(route.method), pathOf(route.url, other.id), { as: own.admin })
        assert.deepEqual([answer.status, answer.body.error.code], [403, 'organization_mismatch'], route.url)
      }
      const headers = { 'x-organization-id': other.id }
      const answer = await core.call(String(route.method), pathOf(route.url, other.id), { as: own.admin, headers })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden'], route.url)
    }
  })

  test('every route with a malformed id in its URL is 404', async () => {
    for (const route of routes()) {
      if (!route.url.includes(':')) continue
      for (const bad of ['x', '%00', '..%2f', `${own.id}x`, '%F0%9F%92%A9']) {
        const path = pathOf(route.url.replace(/:\w+(?!.*:)/, bad), own.id)
        const answer = await core.call(String(route.method), path, {
          as: callerOf(route.config?.access?.kind),
        })
        assert.equal(answer.status, 404, `${String(route.method)} ${path}: ${answer.text}`)
      }
    }
  })

  test('that reads below an id that does not exist is 404', async () => {
    for (const route of routes()) {
      if (route.method !== 'GET' || !route.url.includes(':')) continue
      // Only an operator gets past the check that the organization in the URL is theirs.
      const as = isOrganizationRoute(route.url) ? operator : callerOf(route.config?.access?.kind)
      const answer = await core.get(pathOf(route.url, randomUUID()) + (QUERIES[route.url] ?? ''), { as })
      const code = answer.body.error?.code ?? answer.body.name
      assert.deepEqual([answer.status, /not_?found/i.test(code)], [404, true], `${route.url}: ${answer.text}`)
    }
  })

  test('that reads below an unknown id of the own organization is 404', async () => {
    for (const route of routes()) {
      if (route.method !== 'GET' || !isOrganizationRoute(route.url) || route.url.split(':').length < 3) continue
      const answer = await core.get(pathOf(route.url, own.id), { as: own.admin })
      assert.equal(answer.status, 404, `${route.url}: ${answer.text}`)
    }
  })

  test('every route without declared access stops the boot', () => {
    const app = fastify()
    collectRoutes(app)
    assert.throws(() => app.get('/v1/forgotten', async () => ({})), /GET \/v1\/forgotten declares no access/)
  })
})

/** What a route needs before it looks for the id. */
const QUERIES: Record<string, string> = { '/v1/patients/:id/prefill': '?keys=city' }
