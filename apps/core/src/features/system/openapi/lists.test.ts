import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { dereference } from '@scalar/openapi-parser'
import type { JsonSchema } from '@tendon/http'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

interface Read {
  parameters?: { name: string; in: string }[]
  responses: Record<string, { content?: Record<string, { schema: JsonSchema }> }>
}

/** Lists without pages: each has a limit of its own, or few rows by its nature. */
const BOUNDED = [
  '/v1/admin/platform/exercise-aggregate-counts',
  '/v1/appointments/affected',
  '/v1/appointments/{id}/files',
  '/v1/appointments/{id}/offers',
  '/v1/appointments/{id}/reminders',
  '/v1/appointments/{id}/reviews',
  '/v1/attention',
  '/v1/custom-fields/{id}/versions',
  '/v1/exercises/{id}/video/uploads',
  '/v1/integration-services',
  '/v1/me/bookings',
  '/v1/me/consents',
  '/v1/me/sessions',
  '/v1/organizations/{org_id}/patients/{patient_id}/consents',
  '/v1/pdf-templates/defaults',
  '/v1/public/services',
]

describe('lists', () => {
  let core: TestCore
  let lists: { path: string; isPaged: boolean; parameters: string[] }[]
  before(async () => {
    core = await sharedCore()
    const { body } = await core.get('/v1/openapi.json')
    const { paths } = dereference(body).schema as { paths: Record<string, { get?: Read }> }
    lists = Object.entries(paths).flatMap(([path, { get }]) => {
      const schema = get?.responses[200]?.content?.['application/json']?.schema
      const members: NonNullable<JsonSchema['properties']> = schema?.properties ?? {}
      if (schema?.type !== 'array' && members.data?.type !== 'array') return []
      const parameters = get?.parameters?.filter((one) => one.in === 'query').map(({ name }) => name) ?? []
      return { path, isPaged: 'pagination' in members, parameters }
    })
  })
  after(() => core.close())

  test('lists have pages, a limit, or few rows', () => {
    const paged = lists.filter(({ isPaged }) => isPaged)
    assert.ok(paged.length > 40)
    for (const { path, parameters } of paged)
      assert.deepEqual(
        ['page', 'limit'].filter((name) => !parameters.includes(name)),
        [],
        path,
      )
    const others = lists.filter(({ isPaged, parameters }) => !isPaged && !parameters.includes('limit'))
    assert.deepEqual(others.map(({ path }) => path).sort(), BOUNDED)
  })

  test('clamp page and limit, and refuse unknown sort fields (422)', async () => {
    const clinic = await core.organization()
    const [operator, patient] = [await core.superadmin(), await core.signIn()]
    await core.publishNotice(clinic)
    await core.acceptAll(await core.patient(clinic, patient))
    const readerOf = (path: string) => {
      if (path.startsWith('/v1/me/')) return { as: patient, headers: { 'x-organization-id': clinic.id } }
      return { as: path.startsWith('/v1/admin/') || path === '/v1/organizations' ? operator : clinic.admin }
    }
    for (const { path } of lists.filter((list) => list.isPaged && !/\{(?!id\})/.test(list.path))) {
      if (/\{id\}/.test(path) && !path.startsWith('/v1/organizations/{id}/')) continue
      const url = path.replace('{id}', clinic.id)
      const read = (query: string) => core.get(`${url}?${query}`, readerOf(path))
      for (const [query, page, limit] of [
        ['page=0&limit=0', 1, 1],
        ['page=99999999999999999999&limit=501', 1, 500],
        ['page=x&limit=x', 1, 50],
        ['page=3&limit=-5', 3, 1],
      ] as const) {
        const { status, body, text } = await read(query)
        assert.equal(status, 200, `${path} ${text}`)
        assert.deepEqual([body.pagination.page, body.pagination.limit], [page, limit], `${path}?${query}`)
      }
      const { status, body } = await read('sort=no_such_field')
      assert.deepEqual([status, body.error.code], [422, 'validation_failed'], path)
    }
  })
})
