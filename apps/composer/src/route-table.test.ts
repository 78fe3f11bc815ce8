import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { dereference, validate } from '@scalar/openapi-parser'
import { envelopeOf, exampleOf, type JsonSchema, pathOf, secretMembers, validatorCompiler } from '@tendon/http'
import { type Clinic, type Json, type Person, refusedAs, startComposer, type TestComposer } from './testing.ts'

// What every route must do. Reads the route table, so a new route is tested automatically.

const urlOf = (url: string) =>
  url.replace(':slug', 'no-such-exercise').replace(/:\w+/g, randomUUID()).replace('*', 'intro-video-1.mp4')
const problemOf = (schema: JsonSchema, value: unknown): string | undefined => {
  const check = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
  return check(value) ? undefined : `${JSON.stringify(value)}: ${JSON.stringify('errors' in check && check.errors)}`
}

describe('every route of the composer', () => {
  let composer: TestComposer
  let clinic: Clinic
  let other: Clinic
  let nobody: Person
  let document: Json
  before(async () => {
    composer = await startComposer()
    ;[clinic, other] = [await composer.clinic(), await composer.clinic()]
    nobody = await composer.member(clinic.id, [])
    document = (await composer.call('GET', '/v1/openapi.json')).body
  })
  after(() => composer.close())

  const all = () => composer.app.routes
  const guarded = () => all().filter((route) => route.config?.access?.kind !== 'public')
  const nameOf = ({ method, url }: { method: string | string[]; url: string }) => `${String(method)} ${url}`

  test('every route of the composer of the design exists', () => {
    const known = all().map(nameOf)
    for (const route of DESIGNED) assert.ok(known.includes(route), route)
  })

  test('no read of the composer that may be compressed has a member that looks like a secret', () => {
    const reads = all().filter(({ method, config }) => method === 'GET' && !config?.secretAnswer)
    assert.deepEqual(reads.flatMap(secretMembers), [])
  })

  test('every route of the composer without a token is 401', async () => {
    for (const route of guarded())
      assert.deepEqual(
        refusedAs(await composer.call(String(route.method), urlOf(route.url))),
        [401, 'unauthenticated'],
        nameOf(route),
      )
  })

  test('every route of the composer refuses members without its permission, naming the permission, and members of another clinic (403)', async () => {
    for (const route of guarded()) {
      const access = route.config?.access
      const refused = await composer.call(String(route.method), urlOf(route.url), { as: nobody })
      assert.deepEqual(refusedAs(refused), [403, 'forbidden'], nameOf(route))
      if (access?.kind === 'permission') assert.equal(refused.body.error.required, access.code, nameOf(route))
      const headers = { 'x-organization-id': other.id }
      const elsewhere = await composer.call(String(route.method), urlOf(route.url), { as: clinic.admin, headers })
      assert.deepEqual(refusedAs(elsewhere), [403, 'forbidden'], nameOf(route))
    }
  })

  test('every route of the composer answers 4xx, never 500, to a malformed or unknown id in its URL', async () => {
    for (const route of guarded()) {
      if (!route.url.includes(':')) continue
      for (const bad of ['x', '%00', '..%2f', `${clinic.id}x`, '%F0%9F%92%A9', 'a'.repeat(499)]) {
        const path = urlOf(route.url.replace(/:\w+/, bad))
        const { status, body } = await composer.call(String(route.method), path, { as: clinic.admin })
        assert.ok([404, 415, 422].includes(status), `${nameOf(route)} ${bad}: ${status} ${JSON.stringify(body)}`)
      }
    }
  })

  test('that lists rows supports CSV, and the reference shows it', async () => {
    const headers = { accept: 'text/csv' }
    const answer = await composer.call('GET', '/v1/renders', { as: clinic.admin, headers })
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers.get('content-type')), /^text\/csv/)
    assert.ok(document.paths['/v1/renders'].get.responses['200'].content['text/csv'])
  })

  test('every route of the composer answers in the envelope when the URL is very long or the body is encoded', async () => {
    const long = await composer.call('GET', `/v1/renders/${'a'.repeat(501)}`, { as: clinic.admin })
    assert.deepEqual([long.status, long.body.error.code], [404, 'not_found'])
    for (const name of ['x-request-id', 'x-content-type-options', 'x-ratelimit-remaining'])
      assert.ok(long.headers.get(name), name)
    const encoded = await composer.call('POST', '/v1/exercises/compose', {
      as: clinic.admin,
      headers: { 'content-encoding': 'gzip' },
      body: {},
    })
    assert.deepEqual(refusedAs(encoded), [415, 'unsupported_media_type'])
  })

  test('every route of the composer is in a valid OpenAPI 3.1 document, with a summary, its access, a tag and a unique id', async () => {
    assert.deepEqual((await validate(document)).errors, [])
    const operations = operationsOf(document)
    const names = all().map(({ method, url }) => `${String(method)} ${pathOf(url)}`)
    assert.deepEqual(new Set(operations.map(({ name }) => name)), new Set(names))
    assert.equal(operations.length, names.length)
    assert.equal(new Set(operations.map(({ operationId }) => operationId)).size, operations.length)
    for (const { name, summary, description, tags } of operations) {
      assert.ok(summary, name)
      assert.match(description, /(^|\. )(Public|Requires )/, name)
      assert.equal(tags.length, 1, name)
    }
    for (const tag of document.tags) assert.ok(tag.description, tag.name)
  })

  test('every route of the composer has named types, and examples that conform to them', () => {
    const { components } = dereference(structuredClone(document)).schema as { components: Json }
    for (const name of ['Render', 'Composed', 'NewComposition', 'CompositionPreview', 'CompositionManifest', 'Bundle'])
      assert.ok(document.components.schemas[name], name)
    for (const [name, schema] of Object.entries<JsonSchema>(components.schemas))
      for (const example of schema.examples ?? []) assert.equal(problemOf(schema, example), undefined, name)
    for (const { name, requestBody, responses } of operationsOf(document)) {
      const answers = Object.entries<Json>(responses)
      assert.ok(
        answers.some(([status]) => /^[23]/.test(status)),
        name,
      )
      const contents = [
        requestBody ?? {},
        ...answers.filter(([status]) => status.startsWith('2')).map(([, one]) => one),
      ]
      for (const { content = {} } of contents)
        for (const [type, { schema }] of Object.entries<Json>(content))
          if (type === 'application/json') assert.equal(problemOf(schema, exampleOf(schema)), undefined, name)
    }
  })

  test('every route of the composer shows every refusal that it declares', () => {
    const operations = operationsOf(document)
    for (const route of all()) {
      const name = `${String(route.method)} ${pathOf(route.url)}`
      const responses = operations.find((one) => one.name === name)?.responses
      for (const refusal of route.config?.refusals ?? []) {
        const { examples = {} } = responses[refusal.status]?.content?.['application/json'] ?? {}
        const wanted = envelopeOf(refusal(refusal.example))
        const shown = Object.values<Json>(examples).some(({ value }) => isDeepStrictEqual(value, wanted))
        assert.ok(shown, `${name} ${refusal.code}`)
      }
    }
  })
})

const DESIGNED = [
  'GET /health',
  'GET /health/ready',
  'GET /v1/openapi.json',
  'POST /v1/exercises/compose',
  'POST /v1/exercises/compose/preview',
  'GET /v1/renders',
  'GET /v1/renders/:id',
  'GET /v1/renders/:id/events',
  'POST /v1/renders/:id/cancel',
  'GET /v1/public/renders/:id/playlist.m3u8',
  'GET /v1/exercises/:slug/bundle',
  'PUT /v1/exercises/:slug/bundle',
  'PUT /v1/exercises/:slug/bundle/files/*',
  'DELETE /v1/exercises/:slug/bundle/files/*',
  'POST /webhooks/videohost',
]

function operationsOf(document: Json): Json[] {
  const { paths } = dereference(structuredClone(document)).schema as { paths: Record<string, Record<string, Json>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ name: `${method.toUpperCase()} ${path}`, ...operation })),
  )
}
