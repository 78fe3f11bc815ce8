import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { dereference, validate } from '@scalar/openapi-parser'
import { envelopeOf, exampleOf, isJsonSchema, type JsonSchema, pathOf, validatorCompiler } from '@tendon/http'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Operation {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: unknown[]
  parameters: { name: string; in: string; required: boolean; schema: JsonSchema; example?: unknown }[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { description: string; headers: Json; content?: Record<string, Media> }>
}

interface Media {
  schema: JsonSchema
  examples?: Record<string, { value: { error?: { code: string }; name?: string } }>
}

describe('the OpenAPI document', () => {
  let core: TestCore
  let document: Json
  let operations: [name: string, Operation][]

  before(async () => {
    core = await sharedCore()
    document = (await core.get('/v1/openapi.json')).body
    const { paths } = dereference(structuredClone(document)).schema as {
      paths: Record<string, Record<string, Operation>>
    }
    operations = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Operation] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    )
  })
  after(() => core.close())

  // Many operations answer alike: what reads the same is compiled once.
  const checks = new Map<string, ReturnType<typeof validatorCompiler>>()
  const problemOf = (schema: JsonSchema, value: unknown): string | undefined => {
    const text = JSON.stringify(schema)
    const check = checks.get(text) ?? validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
    checks.set(text, check)
    return check(value) ? undefined : `${JSON.stringify(value)}: ${JSON.stringify('errors' in check && check.errors)}`
  }
  /** Pages, the sign-in of browsers and what providers call are not operations of the API. */
  const OTHERS = /^\/($|(docs|auth|oauth|webhooks|console|portal|platform)(\/|$))/
  const apiRoutes = () => core.app.routes.filter(({ url }) => !OTHERS.test(url))
  function operation(name: string): Operation {
    const found = operations.find(([known]) => known === name)
    assert.ok(found, name)
    return found[1]
  }

  test('the schema of each refusal names the codes of its own operation', () => {
    const member = (schema: JsonSchema): readonly unknown[] | undefined => {
      const own = schema.allOf?.[1]?.properties
      return (own?.error?.properties?.code ?? own?.name)?.enum
    }
    let count = 0
    for (const [name, { responses }] of operations)
      for (const [status, { content }] of Object.entries(responses)) {
        const { schema, examples = {} } = content?.['application/json'] ?? {}
        if (!schema || !/^[45]\d\d$/.test(status) || Object.keys(examples).length === 0) continue
        const enumerated = (schema.anyOf ?? [schema]).flatMap((one) => member(one) ?? [])
        const shown = Object.values(examples).map(({ value }) => value.error?.code ?? value.name)
        assert.deepEqual(new Set(enumerated), new Set(shown), `${name} ${status}`)
        count++
      }
    assert.ok(count > 1000, String(count))
  })

  test('sort and the filters that have names enumerate them', () => {
    const choices = (name: string) => {
      const found = operation('GET /v1/appointments').parameters.find((one) => one.name === name)
      assert.ok(found)
      const { schema, ...rest } = found
      return [
        schema.type,
        typeof schema.items === 'object' ? schema.items.enum : undefined,
        'explode' in rest && rest.explode,
      ]
    }
    assert.deepEqual(choices('day_off'), ['array', ['unsettled', 'kept'], false])
    const [type, fields] = choices('sort')
    assert.equal(type, 'array')
    assert.ok(Array.isArray(fields) && fields.includes('starts_at') && fields.includes('-starts_at'))
    assert.deepEqual(choices('patient_id'), ['string', undefined, false])
  })

  test('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const result = await validate(document)
    assert.deepEqual(result.errors, [])
    assert.equal(result.valid, true)
    assert.match(document.openapi, /^3\.1\./)
  })

  test('the OpenAPI document is checked by a validator that refuses a broken document', async () => {
    const broken = structuredClone(document)
    delete broken.paths['/v1/me'].get.responses['200'].description
    assert.equal((await validate(broken)).valid, false)
  })

  test('the OpenAPI document contains every route of the API, and nothing else', () => {
    const routes = apiRoutes().map(({ method, url }) => `${String(method)} ${pathOf(url)}`)
    assert.deepEqual(operations.map(([name]) => name).sort(), routes.sort())
  })

  test('the OpenAPI document gives every operation a summary, an access description, a tag and a unique id', () => {
    const ids = operations.map(([, { operationId }]) => operationId)
    assert.equal(new Set(ids).size, ids.length)
    for (const [name, { summary, description, tags }] of operations) {
      assert.ok(summary, `${name} has no summary`)
      assert.match(description, /(^|\. )(Public|Requires )/, name)
      assert.equal(tags.length, 1, name)
    }
  })

  test('declares an answer of every operation, whose example fits its schema', () => {
    for (const [name, { responses }] of operations) {
      const good = Object.entries(responses).filter(([status]) => /^[23]/.test(status))
      assert.ok(good.length > 0, `${name} declares no answer`)
      for (const [status, { content, description }] of good) {
        assert.ok(description, `${name} ${status}`)
        if (status === '204') assert.equal(content, undefined, name)
        for (const { schema } of Object.values(content ?? {})) {
          assert.equal(problemOf(schema, exampleOf(schema)), undefined, `${name} ${status}`)
        }
      }
    }
  })

  test('the OpenAPI document contains a valid example request for each route', () => {
    for (const route of apiRoutes()) {
      if (route.schema?.body === undefined) continue
      const name = `${String(route.method)} ${pathOf(route.url)}`
      const [body] = Object.values(operation(name).requestBody?.content ?? {})
      assert.ok(body, `${name} has no body`)
      assert.ok(isJsonSchema(route.schema.body))
      assert.equal(problemOf(route.schema.body, exampleOf(body.schema)), undefined, name)
    }
  })

  test('the OpenAPI document shows every refusal that a route declares, in the envelope, with its status', () => {
    for (const route of apiRoutes()) {
      const { responses } = operation(`${String(route.method)} ${pathOf(route.url)}`)
      for (const refusal of route.config?.refusals ?? []) {
        const media = responses[refusal.status]?.content?.['application/json']
        assert.ok(media, `${route.url} ${refusal.code}`)
        const { schema, examples = {} } = media
        const shown = Object.values(examples).map(({ value }) => value)
        const wanted = envelopeOf(refusal(refusal.example))
        assert.ok(
          shown.some((value) => isDeepStrictEqual(value, wanted)),
          `${route.url} ${refusal.code}`,
        )
        for (const value of shown) assert.equal(problemOf(schema, value), undefined, route.url)
      }
    }
  })

  test('the OpenAPI document has only examples that fit their schema', () => {
    const { components } = dereference(structuredClone(document)).schema as { components: Json }
    let count = 0
    const check = (schema: JsonSchema, value: unknown, where: string) => {
      count++
      assert.equal(problemOf(schema, value), undefined, where)
    }
    for (const [name, schema] of Object.entries<JsonSchema>(components.schemas)) {
      for (const example of schema.examples ?? []) check(schema, example, name)
    }
    for (const [name, { parameters, responses }] of operations) {
      for (const { example, schema, name: parameter } of parameters)
        if (example !== undefined) check(schema, example, `${name} ${parameter}`)
      for (const { schema, examples = {} } of Object.values(responses).flatMap(({ content = {} }) =>
        Object.values(content),
      ))
        for (const [code, { value }] of Object.entries(examples)) check(schema, value, `${name} ${code}`)
    }
    assert.ok(count > 1000, `${count} examples`)
  })

  test('the OpenAPI document contains every contract once, and refers to it', () => {
    const { schemas } = document.components as { schemas: Record<string, Json> }
    const text = JSON.stringify(document)
    for (const name of [
      'Organization',
      'NewLocation',
      'LocationChanges',
      'Patient',
      'ExerciseCategory',
      'Pagination',
    ]) {
      assert.ok(schemas[name], name)
      assert.ok(text.includes(`"#/components/schemas/${name}"`), name)
    }
    assert.deepEqual(schemas.Location?.properties.address.anyOf, [
      { $ref: '#/components/schemas/Address' },
      { type: 'null' },
    ])
    const { schema } = document.paths['/v1/organizations/{id}'].get.responses['200'].content['application/json']
    assert.deepEqual(schema.properties.data, { $ref: '#/components/schemas/Organization' })
  })

  test('a choice of contracts names the component of each value that selects one', () => {
    const { oneOf, discriminator } = document.components.schemas.NewSegment.properties.rules.items
    const components = ['Profile', 'Form', 'Appointments'].map(
      (source) => `#/components/schemas/SegmentRuleOf${source}`,
    )
    assert.deepEqual(
      oneOf,
      components.map(($ref) => ({ $ref })),
    )
    const [profile, form, appointments] = components
    assert.deepEqual(discriminator, { propertyName: 'source', mapping: { profile, form, appointments } })
  })

  test('describes every tag', () => {
    for (const { name, description } of document.tags) assert.ok(description, `add ${name} to tags.ts`)
  })

  test('the OpenAPI document says which permission a route needs, and shows it in the refusal', () => {
    const patch = document.paths['/v1/organizations/{id}'].patch
    assert.match(patch.description, /^Requires the permission `organizations\.update`\./)
    assert.equal(patch['x-permission'], 'organizations.update')
    const refused: Json = operation('PATCH /v1/organizations/{id}').responses['403']?.content?.['application/json']
    assert.equal(refused.examples.forbidden.value.error.required, 'organizations.update')
  })

  test('the OpenAPI document requires a bearer token except on public routes', () => {
    assert.deepEqual(document.security, [{ bearer: [] }])
    for (const [name, { security, responses }] of operations) {
      const route = core.app.routes.find(({ method, url }) => `${String(method)} ${pathOf(url)}` === name)
      const isPublic = route?.config?.access?.kind === 'public'
      const isDeclared = route?.config?.refusals?.some(({ status }) => status === 401) ?? false
      assert.deepEqual(security, isPublic ? [] : undefined, name)
      assert.equal('401' in responses, !isPublic || isDeclared, name)
    }
  })

  test('the OpenAPI document lists the request and response headers', () => {
    const create = operation('POST /v1/organizations')
    const headers = create.parameters.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
    assert.deepEqual(headers, ['X-Organization-ID', 'Idempotency-Key', 'X-Request-Id'])
    assert.deepEqual(Object.keys(create.responses['201']?.headers), [
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Idempotency-Replayed',
      'ETag',
    ])
    assert.ok(create.responses['429']?.headers['Retry-After'])
    assert.ok(create.responses['401']?.headers['WWW-Authenticate'])
  })

  test('the OpenAPI document says which lists answer If-None-Match, and how', () => {
    for (const [name, { parameters, responses }] of operations) {
      const route = core.app.routes.find(({ method, url }) => `${String(method)} ${pathOf(url)}` === name)
      const isTagged = route?.config?.contentTag ?? false
      assert.equal(
        parameters.some((one) => one.name === 'If-None-Match'),
        isTagged,
        name,
      )
      assert.equal('304' in responses, isTagged, name)
      if (!isTagged) continue
      for (const status of ['200', '304']) assert.match(responses[status]?.headers.ETag.description, /content/, name)
      assert.equal(responses['304']?.content, undefined)
    }
    assert.equal(operation('GET /v1/me').responses['200']?.headers.ETag, undefined)
  })

  test('the OpenAPI document contains the public URL of the server', async () => {
    assert.deepEqual(document.servers, [{ url: core.config.publicUrl }])
  })

  test('the OpenAPI document is cached: a client that has it gets 304', async () => {
    const first = await core.get('/v1/openapi.json', { headers: { 'accept-encoding': 'gzip' } })
    const etag = first.headers.get('etag') ?? ''
    assert.equal(first.headers.get('content-encoding'), 'gzip')
    assert.match(first.headers.get('cache-control') ?? '', /max-age=\d+/)
    const second = await core.get('/v1/openapi.json', { headers: { 'if-none-match': etag } })
    assert.equal(second.status, 304)
    assert.equal(second.text, '')
  })

  test('the OpenAPI document is sent uncompressed to a client that does not accept gzip', async () => {
    const answer = await core.get('/v1/openapi.json', { headers: { 'accept-encoding': 'gzip;q=0' } })
    assert.equal(answer.headers.get('content-encoding'), null)
    assert.deepEqual(answer.body, document)
  })
})
