import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Name } from '@tendon/contracts'
import fastify from 'fastify'
import { Type } from 'typebox'
import { errorHandler } from './error-handler.ts'
import { refusal } from './errors.ts'
import { refuseFields } from './field-refusals.ts'
import { acceptJsonBodies } from './json-body.ts'
import { validatorCompiler } from './validation.ts'

const TABLE = {
  name: { missing: refusal(400, 'name_required', 'Give a name.') },
  zone: { invalid: refusal(400, 'invalid_zone', 'Give a zone.') },
  'tags.*': { invalid: refusal(404, 'tag_not_found', 'Give tags that exist.') },
}
const Body = Type.Object(
  {
    name: Name(5, 'Ana'),
    zone: Type.Optional(Type.String({ format: 'time-zone' })),
    tags: Type.Optional(Type.Array(Type.String({ format: 'uuid' }))),
    size: Type.Optional(Type.Integer()),
  },
  { additionalProperties: false },
)

describe('refusals of single fields', () => {
  const app = fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setErrorHandler(errorHandler({ constraints: {} }))
  acceptJsonBodies(app, 15_000)
  app.post('/', { schema: { body: Body }, errorHandler: refuseFields(TABLE) }, async () => ({}))

  const refused = async (body: unknown) => {
    const headers = { 'content-type': 'application/json' }
    const answer = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(body) })
    return [answer.statusCode, answer.json().error?.code]
  }

  test('a good body passes', async () => {
    assert.deepEqual(await refused({ name: 'Ana', zone: 'Europe/Bucharest' }), [200, undefined])
  })

  test('an omitted, null or blank field is missing; a wrong one is invalid', async () => {
    for (const name of [undefined, null, '', ' \n']) assert.deepEqual(await refused({ name }), [400, 'name_required'])
    for (const zone of [null, 5, '', 'Mars/Olympus', '+02:00', 'PST', 'IST', 'SystemV/PST8']) {
      assert.deepEqual(await refused({ name: 'Ana', zone }), [400, 'invalid_zone'], String(zone))
    }
    assert.deepEqual(await refused({ name: 'Ana', tags: ['x'] }), [404, 'tag_not_found'])
  })

  test('the first in the table wins; other fields stay validation_failed', async () => {
    assert.deepEqual(await refused({ zone: 'Mars', size: 'x' }), [400, 'name_required'])
    assert.deepEqual(await refused({ name: 'Ana', size: 'x', zone: 'Mars' }), [400, 'invalid_zone'])
    for (const body of [{ name: 'Ana', size: 'x' }, { name: 'Anastasia' }, { name: 'Ana', tags: 'x' }, [], null, 'x']) {
      assert.deepEqual(await refused(body), [422, 'validation_failed'], JSON.stringify(body))
    }
  })
})
