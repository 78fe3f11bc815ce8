import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import * as fc from 'fast-check'
import fastify from 'fastify'
import { errorHandler } from './error-handler.ts'
import { ApiError } from './errors.ts'
import { acceptJsonBodies, parseJsonBody } from './json-body.ts'

const parse = (body: string | number[]) =>
  parseJsonBody(typeof body === 'string' ? Buffer.from(body) : Buffer.from(body))
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

function refusedFields(body: string | number[]): unknown {
  try {
    parse(body)
  } catch (error) {
    assert.ok(error instanceof ApiError)
    assert.deepEqual([error.status, error.code], [422, 'validation_failed'])
    return error.extra.fields
  }
  return 'taken'
}

describe('a JSON body', () => {
  const NOT_JSON = { body: 'is not valid JSON in UTF-8' }
  const NUL = 'must not contain the NUL character'
  const SURROGATE = 'must be well-formed Unicode (it contains an unpaired surrogate)'
  const KEY = { body: 'has a key with characters that cannot be stored' }
  const TOO_DEEP = { body: 'is nested deeper than 32 levels' }
  const TOO_LARGE = 'is a number too large to store'

  const refused: [what: string, body: string | number[], fields: Record<string, string>][] = [
    ['text that is not JSON', '{"a":', NOT_JSON],
    ['two values', '{} {}', NOT_JSON],
    ['bytes that are not UTF-8', [0x22, 0xff, 0x22], NOT_JSON],
    ['an overlong encoding', [0x22, 0xc0, 0xaf, 0x22], NOT_JSON],
    ['a surrogate in UTF-8', [0x22, 0xed, 0xa0, 0x80, 0x22], NOT_JSON],
    ['UTF-16', [0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00], NOT_JSON],
    ['a raw NUL', '{"a":"\0"}', NOT_JSON],
    ['an escaped NUL', '{"name":"a\\u0000b"}', { name: NUL }],
    ['an escaped NUL, far inside', '{"a":[{"b":"\\u0000"}]}', { 'a.0.b': NUL }],
    ['a lone high surrogate', '{"name":"\\ud83d"}', { name: SURROGATE }],
    ['a lone low surrogate', '{"name":"\\ude00x"}', { name: SURROGATE }],
    ['surrogates in the wrong order', '{"name":"\\ude00\\ud83d"}', { name: SURROGATE }],
    ['NUL in a key', '{"a\\u0000":1}', KEY],
    ['a lone surrogate in a key', '{"a":{"\\ud800":1}}', KEY],
    ['bare text with NUL', '"\\u0000"', { body: NUL }],
    ['__proto__', '{"__proto__":{"is_superadmin":true}}', NOT_JSON],
    ['__proto__, escaped', '{"\\u005f\\u005fproto\\u005f_":{}}', NOT_JSON],
    ['__proto__, far inside', '[{"a":[{"__proto__":null}]}]', NOT_JSON],
    ['constructor.prototype', '{"constructor":{"prototype":{"a":1}}}', NOT_JSON],
    ['nesting of 33 levels', nested(33), TOO_DEEP],
    ['nesting as deep as a body is long', nested(120_000), TOO_DEEP],
    ['objects as deep as a body is long', '{"a":'.repeat(40_000) + '1' + '}'.repeat(40_000), TOO_DEEP],
    ['a number beyond all numbers', '{"n":1e999}', { n: TOO_LARGE }],
    ['a number below all numbers', '{"list":[-1e400]}', { 'list.0': TOO_LARGE }],
    ['NaN', '{"n":NaN}', NOT_JSON],
  ]
  for (const [what, body, fields] of refused) {
    test(`a JSON body is refused with ${what} (422)`, () => assert.deepEqual(refusedFields(body), fields))
  }

  test('a JSON body is accepted with every kind of JSON value', () => {
    assert.equal(parse(''), undefined)
    assert.deepEqual(parse('{"constructor":"Ana","prototype":1,"toString":null}'), {
      constructor: 'Ana',
      prototype: 1,
      toString: null,
    })
    assert.deepEqual(parse(`{"name":"Mlădiță 😀 \\ud83d\\ude00"}`), { name: 'Mlădiță 😀 😀' })
    assert.deepEqual(parse(nested(32)), JSON.parse(nested(32)))
    assert.deepEqual(parse('[1e308, -0.0, 9007199254740993, 1e-999]'), [1e308, -0, 9007199254740992, 0])
    assert.deepEqual(parse([0xef, 0xbb, 0xbf, 0x7b, 0x7d]), {}, 'a byte order mark')
  })

  test('a JSON body that is accepted can be serialized and parsed to the same value', () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 40, stringUnit: 'binary' }), (body) => {
        if (refusedFields(body) !== 'taken') return
        assert.deepEqual(JSON.parse(JSON.stringify(parse(body))), JSON.parse(body))
      }),
      { numRuns: soakRuns(1_000) },
    )
  })

  test('a JSON body of random bytes is refused or accepted, and nothing else happens', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void refusedFields([...bytes])))
  })

  test('a JSON body does not change prototypes', () => {
    for (const [, body] of refused) refusedFields(body)
    assert.equal(({} as { is_superadmin?: boolean }).is_superadmin, undefined)
  })
})

test('over HTTP only JSON is a body, and its bytes are kept for requests with an Idempotency-Key', async () => {
  const app = fastify({ bodyLimit: 1_000 })
  acceptJsonBodies(app, 15_000)
  app.setErrorHandler(errorHandler({ constraints: {} }))
  app.post('/', async (request) => ({ body: request.body ?? null, bytes: request.bodyBytes?.toString() ?? null }))
  const post = (payload: string, headers: Record<string, string>) =>
    app.inject({ method: 'POST', url: '/', payload, headers })

  const json = { 'content-type': 'application/json' }
  assert.deepEqual((await post('{ "a":1 }', json)).json(), { body: { a: 1 }, bytes: null })
  assert.deepEqual((await post('{ "a":1 }', { ...json, 'idempotency-key': 'four' })).json(), {
    body: { a: 1 },
    bytes: '{ "a":1 }',
  })
  assert.equal((await post('{}', { 'content-type': 'application/json; charset=utf-8' })).statusCode, 200)
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'multipart/form-data']) {
    assert.equal((await post('{}', { 'content-type': type })).json().error.code, 'unsupported_media_type', type)
  }
  assert.equal((await post(JSON.stringify('x'.repeat(2_000)), json)).json().error.code, 'payload_too_large')
  await app.close()
})
