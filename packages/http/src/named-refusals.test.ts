import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fastify from 'fastify'
import { Type } from 'typebox'
import { permission, publicAccess } from './access.ts'
import { errorHandler } from './error-handler.ts'
import { namedRefusal } from './errors.ts'
import { acceptJsonBodies } from './json-body.ts'
import { invalidField, namingAlso } from './named-refusals.ts'
import { openApiDocument, refusalsOf } from './openapi/index.ts'
import { unauthenticated } from './refusals.ts'
import { validatorCompiler } from './validation.ts'

const keyTaken = invalidField('key', 'is used by another field. Choose another.')
const systemField = namedRefusal(403, 'ForbiddenError', 'This field belongs to the platform.', { system_key: 'x' })

const ROUTE = {
  config: {
    access: permission('custom_fields.manage'),
    envelope: 'named',
    summary: 'Edit a field',
    refusals: [keyTaken, systemField],
  },
  schema: {
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    body: Type.Object({ label: Type.String(), sort_order: Type.Integer() }, { additionalProperties: false }),
  },
} as const
const ID = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

async function put(error?: unknown, { id = ID, payload = '{"label":"a","sort_order":1}' } = {}) {
  const app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(errorHandler({ constraints: { custom_fields_key_key: keyTaken } }))
  acceptJsonBodies(app, 15_000)
  app.put('/v1/custom-fields/:id', ROUTE, async () => {
    throw error
  })
  const headers = { 'content-type': 'application/json' }
  const answer = await app.inject({ method: 'PUT', url: `/v1/custom-fields/${id}`, headers, payload })
  await app.close()
  return { status: answer.statusCode, body: answer.json() }
}

describe('a route with named refusals', () => {
  test('names every bad field of the body (400 ValidationError)', async () => {
    const { status, body } = await put(undefined, { payload: '{"label":1,"system_key":"x"}' })
    assert.equal(status, 400)
    assert.deepEqual(Object.keys(body), ['status', 'name', 'message', 'details'])
    assert.deepEqual([body.status, body.name], [400, 'ValidationError'])
    assert.deepEqual(body.details.errors, [
      { field: 'sort_order', message: 'is required' },
      { field: 'system_key', message: 'is not a field of this request' },
      { field: 'label', message: 'must be text' },
    ])
  })

  test('a route with named refusals reports what is wrong with a body that is not JSON (400 ValidationError)', async () => {
    const { status, body } = await put(undefined, { payload: '{' })
    assert.deepEqual([status, body.name], [400, 'ValidationError'])
    assert.deepEqual(body.details.errors, [{ field: 'body', message: 'is not valid JSON in UTF-8' }])
  })

  test('a route with named refusals reports errors of its rules together with errors of its contract, each place once', async () => {
    const app = fastify()
    app.setValidatorCompiler(validatorCompiler)
    app.setErrorHandler(errorHandler({ constraints: {} }))
    acceptJsonBodies(app, 15_000)
    const problemsOf = (body: unknown) =>
      ['label', 'sort_order', 'more'].map((field) => ({ field, message: typeof body }))
    app.put('/:id', { ...ROUTE, errorHandler: namingAlso(problemsOf) }, async () => 'good')
    const send = async (payload: string, id = ID) => {
      const headers = { 'content-type': 'application/json' }
      return (await app.inject({ method: 'PUT', url: `/${id}`, headers, payload })).json()
    }
    assert.deepEqual((await send('{"label":{"x":1}}')).details.errors, [
      { field: 'sort_order', message: 'is required' },
      { field: 'label', message: 'must be text' },
      { field: 'more', message: 'object' },
    ])
    assert.equal((await send('{"label":1}', 'x')).name, 'NotFoundError')
    assert.deepEqual((await send('{')).details.errors, [{ field: 'body', message: 'is not valid JSON in UTF-8' }])
    await app.close()
  })

  test('a route with named refusals has nothing at a malformed id (404 NotFoundError)', async () => {
    const { body } = await put(undefined, { id: 'x' })
    assert.deepEqual([body.status, body.name, body.details], [404, 'NotFoundError', {}])
  })

  test('uses the refusal of a constraint', async () => {
    const { body } = await put(
      Object.assign(new Error('secret'), { code: '23505', constraint: 'custom_fields_key_key' }),
    )
    assert.deepEqual([body.status, body.name], [400, 'ValidationError'])
    assert.deepEqual(body.details.errors, [{ field: 'key', message: 'is used by another field. Choose another.' }])
  })

  test('a route with named refusals returns its own refusals by name, with details', async () => {
    const { status, body } = await put(systemField({ system_key: 'occupation', reason: 'seeded' }))
    assert.equal(status, 403)
    assert.deepEqual(body, {
      status: 403,
      name: 'ForbiddenError',
      message: 'This field belongs to the platform.',
      details: { system_key: 'occupation', reason: 'seeded' },
    })
  })

  test('a route with named refusals keeps the first envelope for what stops a request before its content is read', async () => {
    const { body } = await put(unauthenticated())
    assert.deepEqual(Object.keys(body), ['error'])
    assert.equal((await put(new Error('a bug'))).body.error.code, 'internal_error')
  })

  test('a route with named refusals is in the OpenAPI document with both shapes', () => {
    const route = { ...ROUTE, method: 'PUT', url: '/v1/custom-fields/:id', handler: () => {} }
    const options = { title: 't', version: '1', description: '', serverUrl: 'http://x', tags: {} }
    const document = openApiDocument([route], options)
    const forbidden = document.paths['/v1/custom-fields/{id}']?.put?.responses[403]
    assert.ok(forbidden && 'content' in forbidden)
    assert.deepEqual(forbidden['x-error-codes'], ['ForbiddenError', 'cross_site', 'forbidden'])
    const open = (properties: object) => ({ type: 'object', properties, additionalProperties: true })
    const oneOf = (...codes: string[]) => ({ type: 'string', enum: codes })
    assert.deepEqual(forbidden.content?.['application/json']?.schema, {
      anyOf: [
        {
          allOf: [
            { $ref: '#/components/schemas/Error' },
            open({ error: open({ code: oneOf('cross_site', 'forbidden') }) }),
          ],
        },
        { allOf: [{ $ref: '#/components/schemas/NamedError' }, open({ name: oneOf('ForbiddenError') })] },
      ],
    })
    const codes = new Set(refusalsOf(route).map(({ status, code }) => `${status} ${code}`))
    for (const one of ['400 ValidationError', '403 ForbiddenError', '404 NotFoundError', '403 forbidden'])
      assert.ok(codes.has(one), one)
    assert.ok(!codes.has('404 not_found'))
    assert.ok(
      !refusalsOf({ ...route, config: { access: publicAccess() } }).some(({ envelope }) => envelope === 'named'),
    )
  })
})
