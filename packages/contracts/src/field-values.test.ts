import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { FIELD_TYPES, type FieldType, isUnset, valueProblem } from './field-values.ts'

const OPTIONS = ['Left', 'Right']
const problem = (field_type: FieldType, value: unknown) => valueProblem({ field_type, options: OPTIONS }, value)

const FITS: Record<FieldType, unknown[]> = {
  text: ['a', ' ș ', 'x'.repeat(1_000), '🦴'],
  textarea: ['a\nb', 'x'.repeat(10_000)],
  select: OPTIONS,
  radio: OPTIONS,
  checkbox: [['Left'], ['Right', 'Left']],
  date: ['2024-02-29', '0001-01-01', '9999-12-31', '1900-03-01'],
  number: [0, -1.5, 1e308, Number.MAX_SAFE_INTEGER],
  email: ['ana@mail.example', 'a.b+c@x.y.example', 'ană@clinică.example'],
  phone: ['+40 722 555 010', '0722555010', '(021) 555-0100', '12345'],
}
const DOES_NOT: Record<FieldType, unknown[]> = {
  text: ['a\nb', 'x'.repeat(1_001), 1, true, {}, ['a']],
  textarea: ['x'.repeat(10_001), 1, ['a']],
  select: ['left', 'Left ', 'Up', 1, ['Left']],
  radio: ['Up', ['Left']],
  checkbox: ['Left', ['Up'], ['Left', 'Left'], [['Left']], [null], { 0: 'Left' }],
  date: [
    '2023-02-29',
    '2024-13-01',
    '2024-00-10',
    '0000-01-01',
    '2024-1-1',
    '2024-01-01T00:00:00Z',
    '20240101',
    20240101,
  ],
  number: ['1', Number.NaN, Number.POSITIVE_INFINITY, true, [1]],
  email: ['ana', 'ana@mail', '@mail.example', 'a b@mail.example', 'a@b@c.example', `${'x'.repeat(250)}@m.example`, 1],
  phone: ['1234', 'call me', '+', '++40722555010', `+${'1'.repeat(40)}`, 722555010],
}

describe('the value of a field', () => {
  for (const type of FIELD_TYPES)
    test(`${type}: valid values pass, others are reported`, () => {
      for (const value of FITS[type]) assert.equal(problem(type, value), undefined, JSON.stringify(value))
      for (const value of DOES_NOT[type]) assert.match(problem(type, value) ?? '', /^must /, JSON.stringify(value))
    })

  test('an identification number is not a valid value, however it is spaced', () => {
    for (const type of ['text', 'textarea', 'phone'] as const)
      for (const value of ['2840309410017', ' 2 840309 410017 '])
        assert.match(problem(type, value) ?? '', /^must not be .* "national_id"/, type)
    assert.match(problem('number', 2840309410017) ?? '', /"national_id"/)
    for (const value of ['2840309410018', '28403094100170', '84030941001', 'Room 2840309410017', '+2840309410017'])
      assert.equal(problem('text', value), undefined, value)
    for (const value of [2840309410018, 28403094100.17, -2840309410017])
      assert.equal(problem('number', value), undefined)
  })

  test('an empty value is always valid: it clears', () => {
    for (const value of [null, undefined, '', ' \n', []]) {
      assert.ok(isUnset(value))
      for (const type of FIELD_TYPES) assert.equal(problem(type, value), undefined)
    }
    for (const value of [0, 'a', ['a'], false, {}]) assert.ok(!isUnset(value))
  })

  test('any JSON value gets an answer', () => {
    fc.assert(
      fc.property(fc.constantFrom(...FIELD_TYPES), fc.jsonValue(), (type, value) => {
        const told = problem(type, value)
        assert.ok(told === undefined || told.startsWith('must '))
      }),
    )
  })

  test('every existing day, and no other, is a date', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (day) => {
        assert.equal(problem('date', day.toISOString().slice(0, 10)), undefined)
      }),
    )
  })
})
