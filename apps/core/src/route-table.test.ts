import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { collectRoutes } from '@tendon/access'
import { isOrganizationRoute } from '@tendon/http'
import fastify from 'fastify'
import { type Person, sharedCore, type TestCore } from './testing.ts'
import type { TestOrganization } from './testing-people.ts'

// Walks the route table: what every route must do, whatever it is for. A new route is covered the moment it exists.

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

  test('has a summary, and the table is not empty', () => {
    assert.ok(core.app.routes.length >= 17 + 20)
    for (const route of core.app.routes) assert.ok(route.config?.summary, `${String(route.method)} ${route.url}`)
  })

  test('of the specification exists', () => {
    const known = new Set(core.app.routes.map((route) => `${String(route.method)} ${route.url.replace(/:\w+/g, '{}')}`))
    for (const built of BUILT) assert.ok(known.has(built), built)
  })

  test('without a token is 401', async () => {
    for (const route of routes()) {
      const answer = await core.call(String(route.method), pathOf(route.url, own.id))
      assert.deepEqual(
        [answer.status, answer.body.error.code],
        [401, 'unauthenticated'],
        `${String(route.method)} ${route.url}`,
      )
    }
  })

  test('is refused (403) to a member who lacks its permission, and says which one it is', async () => {
    for (const route of routes()) {
      const access = route.config?.access
      if (access?.kind !== 'permission' && access?.kind !== 'superadmin') continue
      const answer = await core.call(String(route.method), pathOf(route.url, own.id), { as: nobody })
      assert.equal(answer.status, 403, `${String(route.method)} ${route.url}: ${answer.text}`)
      if (access.kind === 'permission') assert.equal(answer.body.error.required, access.code, route.url)
    }
  })

  test('of another organization is refused to an admin, in the URL and in the header', async () => {
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

  test('with a malformed id in its URL is 404', async () => {
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

  test('without declared access stops the boot', () => {
    const app = fastify()
    collectRoutes(app)
    assert.throws(() => app.get('/v1/forgotten', async () => ({})), /GET \/v1\/forgotten declares no access/)
  })
})

/** What a route needs before it looks for the id. */
const QUERIES: Record<string, string> = { '/v1/patients/:id/prefill': '?keys=city' }

const BUILT = [
  'GET /health',
  'GET /v1/public/system-info',
  'GET /v1/public/organizations/resolve',
  'GET /v1/me',
  'PATCH /v1/me',
  'PUT /v1/me/switch-organization',
  'GET /v1/organizations',
  'POST /v1/organizations',
  'GET /v1/organizations/{}',
  'PATCH /v1/organizations/{}',
  'GET /v1/organizations/{}/members',
  'POST /v1/organizations/{}/members',
  'DELETE /v1/organizations/{}/members/{}',
  'GET /v1/organizations/{}/roles',
  'POST /v1/organizations/{}/roles',
  'PATCH /v1/organizations/{}/roles/{}',
  'DELETE /v1/organizations/{}/roles/{}',
  'PUT /v1/organizations/{}/roles/{}/permissions',
  'GET /v1/organizations/{}/permissions',
  'GET /v1/organizations/{}/domains',
  'POST /v1/organizations/{}/domains',
  'DELETE /v1/organizations/{}/domains/{}',
  'POST /v1/organizations/{}/domains/{}/verify',
  'GET /v1/organizations/{}/locations',
  'GET /v1/organizations/{}/locations/{}',
  'POST /v1/organizations/{}/locations',
  'PATCH /v1/organizations/{}/locations/{}',
  'DELETE /v1/organizations/{}/locations/{}',
  'GET /v1/audit-logs',
  'GET /v1/audit-logs/{}',
  'GET /v1/audit-logs/export',
  'GET /v1/patients',
  'POST /v1/patients',
  'GET /v1/patients/{}',
  'PUT /v1/patients/{}',
  'DELETE /v1/patients/{}',
  'GET /v1/patients/{}/profile',
  'PUT /v1/patients/{}/profile',
  'POST /v1/patients/{}/impersonate',
  'GET /v1/me/consents',
  'POST /v1/me/consents',
  'POST /v1/me/consents/{}/withdraw',
  'POST /v1/organizations/{}/patients/{}/consents/grant',
  'POST /v1/organizations/{}/patients/{}/consents/{}/withdraw',
  'GET /v1/organizations/{}/patients/{}/consents',
  'POST /v1/gdpr/export',
  'POST /v1/gdpr/erase',
  'POST /v1/gdpr/restrict',
  'GET /v1/exercise-categories',
  'POST /v1/exercise-categories',
  'PUT /v1/exercise-categories/{}',
  'DELETE /v1/exercise-categories/{}',
  'GET /v1/exercise-body-regions',
  'POST /v1/exercise-body-regions',
  'PUT /v1/exercise-body-regions/{}',
  'DELETE /v1/exercise-body-regions/{}',
  'GET /v1/exercise-equipment',
  'POST /v1/exercise-equipment',
  'PUT /v1/exercise-equipment/{}',
  'DELETE /v1/exercise-equipment/{}',
  'GET /v1/exercise-movement-patterns',
  'POST /v1/exercise-movement-patterns',
  'PATCH /v1/exercise-movement-patterns/{}',
  'POST /v1/exercise-movement-patterns/{}/deprecate',
  'GET /v1/exercise-recovery-phases',
  'POST /v1/exercise-recovery-phases',
  'PATCH /v1/exercise-recovery-phases/{}',
  'POST /v1/exercise-recovery-phases/{}/deprecate',
  'GET /v1/exercise-conditions',
  'POST /v1/exercise-conditions',
  'PATCH /v1/exercise-conditions/{}',
  'POST /v1/exercise-conditions/{}/deprecate',
  'GET /v1/exercise-skill-prerequisites',
  'POST /v1/exercise-skill-prerequisites',
  'PATCH /v1/exercise-skill-prerequisites/{}',
  'POST /v1/exercise-skill-prerequisites/{}/deprecate',
  'GET /v1/exercises',
  'POST /v1/exercises',
  'GET /v1/exercises/{}',
  'PUT /v1/exercises/{}',
  'DELETE /v1/exercises/{}',
  'PUT /v1/exercises/{}/status',
  'POST /v1/exercises/{}/clone',
  'GET /v1/exercises/{}/instructions',
  'POST /v1/exercises/{}/instructions',
  'PUT /v1/exercises/{}/instructions/{}',
  'DELETE /v1/exercises/{}/instructions/{}',
  'PUT /v1/exercises/{}/instructions/reorder',
  'GET /v1/exercises/{}/prerequisites',
  'POST /v1/admin/exercises/{}/prerequisites',
  'DELETE /v1/admin/exercises/{}/prerequisites/{}',
  'GET /v1/exercises/{}/contraindications',
  'POST /v1/exercises/{}/contraindications',
  'DELETE /v1/exercises/{}/contraindications/{}',
  'POST /v1/admin/exercises/{}/tags',
  'DELETE /v1/admin/exercises/{}/tags',
  'GET /v1/specialists',
  'POST /v1/specialists',
  'GET /v1/specialists/{}',
  'PUT /v1/specialists/{}',
  'DELETE /v1/specialists/{}',
  'GET /v1/specialties',
  'POST /v1/specialties',
  'GET /v1/specialties/{}',
  'PUT /v1/specialties/{}',
  'PATCH /v1/specialties/{}',
  'DELETE /v1/specialties/{}',
  'GET /v1/custom-fields',
  'POST /v1/custom-fields',
  'PUT /v1/custom-fields/{}',
  'PATCH /v1/custom-fields/{}',
  'DELETE /v1/custom-fields/{}',
  'POST /v1/custom-fields/{}/publish',
  'GET /v1/custom-fields/{}/versions',
  'GET /v1/custom-fields/{}/versions/{}',
  'POST /v1/custom-fields/{}/rollback',
  'GET /v1/patients/{}/prefill',
  'GET /v1/specialists/{}/profile',
  'PUT /v1/specialists/{}/profile',
  'GET /v1/segments',
  'POST /v1/segments',
  'GET /v1/segments/{}',
  'PUT /v1/segments/{}',
  'DELETE /v1/segments/{}',
  'GET /v1/segments/{}/members',
  'GET /v1/segments/{}/members/{}/explain',
  'POST /v1/segments/preview',
  'POST /v1/segments/{}/evaluate',
  'GET /v1/segments/{}/evaluation-status',
  'GET /v1/segments/{}/versions',
  'GET /v1/segments/{}/versions/{}',
  'GET /v1/patients/{}/segments',
  'POST /v1/patients/{}/evaluate-segments',
  'GET /v1/forms',
  'POST /v1/forms',
  'GET /v1/forms/{}',
  'PUT /v1/forms/{}',
  'POST /v1/forms/{}/sign',
  'DELETE /v1/forms/{}',
  'GET /v1/forms/{}/verify',
  'POST /v1/forms/{}/files/{}',
  'GET /v1/forms/{}/files/{}',
  'DELETE /v1/forms/{}/files/{}',
  'GET /v1/form-templates',
  'POST /v1/form-templates',
  'GET /v1/form-templates/{}',
  'PUT /v1/form-templates/{}',
  'DELETE /v1/form-templates/{}',
  'POST /v1/form-templates/{}/publish',
]
