import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkBody, type Rules } from './rules.ts'

const RULES: Record<string, Rules> = {
  name: { required: true, minLength: 1, maxLength: 3, pattern: '\\S' },
  phone: { nullable: true, maxLength: 5 },
  code: { minLength: 2, pattern: '^[a-z]+$' },
  minutes: { required: true, type: 'integer', minimum: 5, maximum: 60 },
  status: { enum: ['active', 'archived'] },
  modes: { minItems: 1, maxItems: 2, items: { enum: ['video', 'phone'] } },
  booker: { required: true, fields: { email: { required: true, minLength: 1 }, phone: { nullable: true } } },
}

describe('what a form refuses before it is sent', () => {
  const reasonOf = (name: string, value: unknown) => checkBody({ [name]: value }, RULES, [name])[name]?.code

  test('a field says what is wrong with the codes of the API', () => {
    assert.equal(reasonOf('name', undefined), 'required')
    assert.equal(reasonOf('name', ''), 'blank')
    assert.equal(reasonOf('name', ' '), 'blank')
    assert.equal(reasonOf('name', 'Anna'), 'too_long')
    assert.equal(reasonOf('code', 'a'), 'too_short')
    assert.equal(reasonOf('code', 'AB'), 'pattern')
    assert.equal(reasonOf('minutes', ''), 'required')
    assert.equal(reasonOf('minutes', 'an hour'), 'number')
    assert.equal(reasonOf('minutes', 12.5), 'whole_number')
    assert.equal(reasonOf('minutes', 4), 'minimum')
    assert.equal(reasonOf('minutes', 61), 'maximum')
    assert.equal(reasonOf('status', 'closed'), 'one_of')
    assert.equal(reasonOf('status', ''), 'required')
    assert.equal(reasonOf('status', null), 'required')
    assert.equal(reasonOf('modes', []), 'too_few')
  })

  test('what fits is not refused; a sign of two code units counts once', () => {
    const body = { name: '😀😀😀', phone: null, minutes: 5, modes: ['video'], booker: { email: 'a', phone: null } }
    assert.deepEqual(checkBody(body, RULES), {})
  })

  test('only the fields of the form are missed, and a field in a list is named by its place', () => {
    assert.deepEqual(checkBody({ phone: '1' }, RULES, ['phone']), {})
    assert.deepEqual(Object.keys(checkBody({ modes: ['video', 'fax'] }, RULES, ['modes'])), ['modes.1'])
    assert.deepEqual(Object.keys(checkBody({ booker: {} }, RULES, ['booker'])), ['booker.email'])
  })
})
