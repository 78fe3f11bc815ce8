import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Type } from 'typebox'
import { isJsonSchema } from '../json-schema.ts'
import { validatorCompiler } from '../validation.ts'
import { exampleOf } from './example.ts'

const compile = validatorCompiler

function assertFits(schema: object): void {
  const example = exampleOf(schema)
  const validate = compile({ schema, method: 'POST', url: '/', httpPart: 'body' })
  assert.ok(validate(example), `${JSON.stringify(example)} does not fit ${JSON.stringify(schema)}`)
}

describe('an example made from a schema', () => {
  test('an example made from a schema is the example of the schema', () => {
    assert.equal(exampleOf({ type: 'string', examples: ['Ana', 'Ion'] }), 'Ana')
  })

  test('an example made from a schema may be false, 0 or null when the schema says so', () => {
    assert.equal(exampleOf({ type: 'boolean', examples: [false] }), false)
    assert.equal(exampleOf({ type: 'integer', default: 0 }), 0)
    assert.equal(exampleOf({ type: ['string', 'null'], examples: [null] }), null)
  })

  test('an example made from a schema contains every property, also optional ones', () => {
    const schema = Type.Object({ id: Type.Integer(), note: Type.Optional(Type.String({ examples: ['n'] })) })
    assert.ok(isJsonSchema(schema))
    assert.deepEqual(exampleOf(schema), { id: 1, note: 'n' })
  })

  test('an example made from a schema takes the first choice that is not null', () => {
    assert.equal(exampleOf({ anyOf: [{ type: 'null' }, { type: 'string', const: 'x' }] }), 'x')
  })

  for (const schema of [
    Type.String({ format: 'uuid' }),
    Type.String({ format: 'date-time' }),
    Type.String({ format: 'email' }),
    Type.String({ format: 'time-zone' }),
    Type.String({ minLength: 12, maxLength: 20 }),
    Type.String({ maxLength: 2 }),
    Type.Integer({ minimum: 5 }),
    Type.Number({ exclusiveMinimum: 3 }),
    Type.Integer({ maximum: -2 }),
    Type.Array(Type.Object({ on: Type.Boolean() })),
    { type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false, minItems: 2 },
    Type.Record(Type.String(), Type.Integer()),
    Type.Object({}, { additionalProperties: Type.String() }),
    Type.Union([Type.Literal('a'), Type.Literal('b')]),
    Type.Intersect([Type.Object({ a: Type.String() }), Type.Object({ b: Type.Integer() })]),
    Type.Object({ kind: Type.String() }, { anyOf: [{ properties: { url: { type: 'string' } }, required: ['url'] }] }),
    { type: ['object', 'null'], properties: { a: { type: 'integer' } }, required: ['a'] },
    Type.Null(),
    Type.Unknown(),
  ]) {
    test(`an example made from a schema fits ${JSON.stringify(schema)}`, () => assertFits(schema))
  }
})
