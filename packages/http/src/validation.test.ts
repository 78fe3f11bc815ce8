import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Enum, Id, Name, Nullable, Timestamp } from '@tendon/contracts'
import { type TSchema, Type } from 'typebox'
import { fieldsOf, mistakesOf, serializerCompiler, validatorCompiler } from './validation.ts'

const compile = validatorCompiler

function reasonsOf(properties: Record<string, TSchema>, body: unknown): Record<string, string> {
  const schema = Type.Object(properties, { additionalProperties: false })
  const validate = compile({ schema, method: 'POST', url: '/', httpPart: 'body' })
  return validate(body) ? {} : fieldsOf(validate.errors ?? [])
}

const reasonOf = (schema: TSchema, value: unknown) => reasonsOf({ field: schema }, { field: value }).field

describe('the messages of a refused body', () => {
  test('every bad field is named, and no field twice', () => {
    const fields = { id: Id, name: Name(5, 'Ana'), size: Type.Integer() }
    assert.deepEqual(reasonsOf(fields, { name: ' ', size: 1.5, colour: 'red' }), {
      id: 'is required',
      name: 'must not be blank',
      size: 'must be a whole number',
      colour: 'is not a field of this request',
    })
  })

  test('a wrong type is reported in words, with null where it is allowed', () => {
    assert.equal(reasonOf(Type.String(), 5), 'must be text')
    assert.equal(reasonOf(Nullable(Type.String()), 5), 'must be text or null')
    assert.equal(reasonOf(Type.Boolean(), 'yes'), 'must be true or false')
    assert.equal(reasonOf(Type.Array(Type.String()), 'x'), 'must be a list')
    assert.equal(reasonOf(Type.Number(), '1'), 'must be a number')
    assert.equal(reasonOf(Nullable(Type.Object({})), 'x'), 'must be a JSON object or null')
  })

  test('a missing or wrong body is reported as such', () => {
    for (const body of [undefined, null, [], 'x', 5])
      assert.deepEqual(reasonsOf({ name: Type.String() }, body), { body: 'must be a JSON object' })
  })

  test('the values of a choice are listed, null among them', () => {
    assert.equal(reasonOf(Enum(['en', 'ro']), 'fr'), 'must be one of en, ro')
    assert.equal(reasonOf(Nullable(Enum(['en', 'ro'])), 'fr'), 'must be one of en, ro, null')
  })

  test('bounds are reported with their number', () => {
    assert.equal(reasonOf(Type.String({ maxLength: 3 }), 'long'), 'must have at most 3 characters')
    assert.equal(reasonOf(Type.String({ minLength: 2 }), 'x'), 'must have at least 2 characters')
    assert.equal(reasonOf(Type.Array(Type.String(), { maxItems: 1 }), ['a', 'b']), 'must have at most 1 entry')
    assert.equal(reasonOf(Type.Array(Type.String(), { minItems: 2 }), ['a']), 'must have at least 2 entries')
    assert.equal(reasonOf(Type.Array(Type.String(), { uniqueItems: true }), ['a', 'a']), 'must not contain duplicates')
    assert.equal(reasonOf(Type.Integer({ minimum: 1 }), 0), 'must be at least 1')
    assert.equal(reasonOf(Type.Integer({ maximum: 9 }), 10), 'must be at most 9')
  })

  test('a time is one that a calendar and a clock show, without leap seconds, in the years 1 to 9999 of UTC', () => {
    for (const good of ['2026-12-31T23:59:59Z', '2026-12-31T23:59:59.123456789+02:00', '2028-02-29T00:00:00-11:30'])
      assert.equal(reasonOf(Timestamp, good), undefined, good)
    const leap = ['2026-12-31T23:59:60Z', '2017-01-01T01:59:60+02:00', '2026-02-29T00:00:00Z']
    const beyond = ['0000-06-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-01:00']
    for (const bad of [...leap, ...beyond, '2026-12-31', ''])
      assert.equal(reasonOf(Timestamp, bad), 'must be a time such as 2026-01-31T08:00:00Z', bad)
  })

  test('an id is its 36 characters, in either case; as a URN it would be another text for the same thing', () => {
    const id = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
    for (const good of [id, id.toUpperCase()]) assert.equal(reasonOf(Id, good), undefined)
    for (const bad of [`urn:uuid:${id}`, `{${id}}`, id.replaceAll('-', ''), `${id}\n`, 'x', ''])
      assert.equal(reasonOf(Id, bad), 'must be an id (UUID)', bad)
  })

  test('a pattern is reported with the message of its schema', () => {
    const code = Type.String({ pattern: '^[a-z]+$', 'x-reason': 'must be lower-case letters' })
    assert.equal(reasonOf(code, 'A'), 'must be lower-case letters')
  })

  test('a choice of schemas with words of its own is reported once, in these words', () => {
    const status = Type.Unsafe<unknown>({
      anyOf: [Enum(['open', 'done']), Type.Array(Enum(['open', 'done']))],
      'x-reason': 'must be open or done, or a list of them',
    })
    for (const bad of ['late', 5, ['open', 'late'], null])
      assert.deepEqual(reasonsOf({ status }, { status: bad }), { status: 'must be open or done, or a list of them' })
    for (const good of ['open', ['open', 'done']]) assert.deepEqual(reasonsOf({ status }, { status: good }), {})
  })

  test('a member that selects a schema is reported itself, then only what its schema asks for', () => {
    const shape = Type.Unsafe<unknown>({
      type: 'object',
      discriminator: { propertyName: 'kind' },
      oneOf: [
        Type.Object({ kind: Enum(['circle']), radius: Type.Number() }, { additionalProperties: false }),
        Type.Object({ kind: Enum(['square']), side: Type.Number() }, { additionalProperties: false }),
      ],
    })
    assert.deepEqual(reasonsOf({ shape }, { shape: {} }), { 'shape.kind': 'is required' })
    for (const kind of ['star', 5, null])
      assert.deepEqual(reasonsOf({ shape }, { shape: { kind } }), { 'shape.kind': 'must be one of circle, square' })
    assert.deepEqual(reasonsOf({ shape }, { shape: { kind: 'circle', side: 1 } }), {
      'shape.radius': 'is required',
      'shape.side': 'is not a field of this request',
    })
  })

  test('at most a hundred errors are reported; the next body starts with none', () => {
    const fields = { codes: Type.Array(Type.String()) }
    const items = reasonsOf(fields, { codes: Array.from({ length: 100_000 }, () => 1) })
    assert.deepEqual([Object.keys(items).length, items['codes.99']], [100, 'must be text'])
    const keys = Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`k${n}`, 1]))
    assert.equal(Object.keys(reasonsOf(fields, keys)).length, 100)
    assert.deepEqual(Object.keys(reasonsOf(fields, { codes: [1, 'a', 2] })), ['codes.0', 'codes.2'])
    assert.deepEqual(reasonsOf(fields, { codes: ['a'] }), {})
  })

  test('every keyword has a machine-readable code and values', () => {
    const schema = Type.Object(
      {
        name: Type.String({ minLength: 2, maxLength: 5 }),
        note: Type.String({ minLength: 1 }),
        slug: Type.String({ pattern: '^[a-z]+$' }),
        id: Type.String({ format: 'uuid' }),
        side: Type.Unsafe<string>({ type: 'string', enum: ['left', 'right'] }),
        count: Type.Integer({ minimum: 1, maximum: 9 }),
        tags: Type.Array(Type.String(), { maxItems: 1 }),
        twice: Type.Array(Type.String(), { uniqueItems: true }),
        fixed: Type.Optional(Type.Unsafe<never>({ not: {} })),
        missing: Type.String(),
      },
      { additionalProperties: false },
    )
    const reasonsFor = (body: object) => {
      const validate = validatorCompiler({ schema, method: 'POST', url: '/', httpPart: 'body' })
      validate(body)
      return mistakesOf(validate.errors ?? []).reasons
    }
    const body = { name: 'x', note: '', slug: 'A', id: '1', side: 'up', count: 0, tags: ['a', 'b'], twice: ['a', 'a'] }
    assert.deepEqual(reasonsFor({ ...body, fixed: 1, extra: 1 }), {
      missing: { code: 'required' },
      extra: { code: 'unknown_field' },
      name: { code: 'too_short', params: { min: 2 } },
      note: { code: 'blank' },
      slug: { code: 'pattern', params: { pattern: '^[a-z]+$' } },
      id: { code: 'format', params: { format: 'uuid' } },
      side: { code: 'one_of', params: { values: ['left', 'right'] } },
      count: { code: 'minimum', params: { min: 1 } },
      tags: { code: 'too_many', params: { max: 1 } },
      twice: { code: 'duplicate' },
      fixed: { code: 'not_allowed' },
    })
    assert.deepEqual(reasonsFor({ ...body, name: 'too long', count: 10, side: 7 }).name, {
      code: 'too_long',
      params: { max: 5 },
    })
    assert.deepEqual(reasonsFor({ ...body, count: 10 }).count, { code: 'maximum', params: { max: 9 } })
    assert.deepEqual(reasonsFor({ ...body, count: 'x' }).count, { code: 'type', params: { types: ['integer'] } })
  })
})

describe('writing an answer', () => {
  const written = (schema: TSchema, data: unknown) =>
    serializerCompiler({ schema, method: 'GET', url: '/', httpStatus: '200' })(data)

  test('prints nothing about formats of our own, and sends what was stored before their rules', (t) => {
    const printed = (['log', 'warn', 'error'] as const).map((level) => t.mock.method(console, level, () => {}))
    for (const format of ['line', 'currency', 'time-zone', 'uuid', 'email']) {
      const schema = Type.Object({ field: Type.Union([Type.String({ format }), Type.Integer()]) })
      assert.equal(written(schema, { field: 5 }), '{"field":5}')
    }
    const name = Type.Object({ name: Type.Union([Name(20, 'Ana'), Type.Null()]) })
    assert.equal(written(name, { name: 'Ana\nPop' }), '{"name":"Ana\\nPop"}')
    assert.deepEqual(printed.flatMap(({ mock }) => mock.calls.map((call) => call.arguments)), []) // biome-ignore format: one line
  })
})
