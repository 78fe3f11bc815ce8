import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type TSchema, Type } from 'typebox'
import { secretMembers } from './secret-members.ts'

const found = (answer: TSchema) => secretMembers({ schema: { response: { 200: answer } } })
const data = (members: Record<string, TSchema>) => Type.Object({ data: Type.Object(members) })

describe('members that look like secrets', () => {
  test('members that look like secrets are found at any depth of the answer', () => {
    const url = Type.String()
    assert.deepEqual(found(data({ id: url, upload_token: url, api_key: url, secret: url })), [
      'data.upload_token',
      'data.api_key',
      'data.secret',
    ])
    const nullable = Type.Union([url, Type.Null()])
    assert.deepEqual(found(Type.Array(Type.Object({ video_url: nullable }))), ['video_url'])
    assert.deepEqual(found(data({ files: Type.Record(Type.String(), Type.Object({ url })) })), ['data.files.url'])
    assert.deepEqual(found(Type.Union([Type.Object({ url }), Type.Null()])), ['url'])
    assert.deepEqual(found(data({ token: Type.Unknown(), password: Type.Any() })), ['data.token', 'data.password'])
  })

  test('only text members count as secrets, and harmless names do not', () => {
    const members = { has_token: Type.Boolean(), pin: Type.Integer(), link: Type.Object({ id: Type.String() }) }
    assert.deepEqual(found(data(members)), [])
    assert.deepEqual(found(data({ language_code: Type.String(), keyword: Type.String(), tokens: Type.Integer() })), [])
    const vector = Type.Object({ secret: Type.String() })
    assert.deepEqual(found(data({ signature_test_vector: vector, subscription: vector })), ['data.subscription.secret'])
  })

  test('only the contract of a compressible answer is searched', () => {
    assert.deepEqual(secretMembers({ schema: { response: { 201: data({ token: Type.String() }) } } }), [])
    assert.deepEqual(secretMembers({}), [])
  })
})
