import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bodyOf, numberOf, rowOf, shownNumber, valueAt } from './body.ts'
import type { Rules } from './rules.ts'

const RULES: Record<string, Rules> = {
  name: { required: true, minLength: 1, maxLength: 3, pattern: '\\S' },
  phone: { nullable: true, maxLength: 5 },
  code: { minLength: 2, pattern: '^[a-z]+$' },
  minutes: { required: true, type: 'integer', minimum: 5, maximum: 60 },
  status: { enum: ['active', 'archived'] },
  modes: { minItems: 1, maxItems: 2, items: { enum: ['video', 'phone'] } },
  booker: { required: true, fields: { email: { required: true, minLength: 1 }, phone: { nullable: true } } },
}

describe('what a form sends', () => {
  test('text is sent without spaces around it, and null where nothing is given and the contract has null', () => {
    assert.deepEqual(bodyOf({ name: ' Ana ', phone: ' ' }, {}, RULES), { name: 'Ana', phone: null })
  })

  test('what is not given and has no null is left out, unless it is required or somebody has emptied it', () => {
    assert.deepEqual(bodyOf({ code: '', name: '' }, { code: '', name: '' }, RULES), { name: '' })
    assert.deepEqual(bodyOf({ code: '' }, { code: 'ab' }, RULES), { code: '' })
  })

  test('spaces only are sent as nothing, so that they are refused at their field', () => {
    assert.deepEqual(bodyOf({ code: ' ', phone: ' ' }, { code: '', phone: '' }, RULES), { code: '', phone: null })
  })

  test('fields within fields follow their own rules', () => {
    assert.deepEqual(bodyOf({ booker: { email: ' a@b.example ', phone: '' } }, {}, RULES), {
      booker: { email: 'a@b.example', phone: null },
    })
  })

  test('a number may have a comma; what is no number yet stays as it is typed', () => {
    assert.equal(numberOf('12,5'), 12.5)
    assert.equal(numberOf('1.'), '1.')
    assert.equal(numberOf(''), '')
  })

  test('a number that is typed key by key is the number that was meant', () => {
    for (const meant of ['10.05', '0,05', '1200.50', '36.0', '105', '-0.5']) {
      let shown = ''
      let value: unknown = ''
      for (const key of meant) {
        const typed = shown + key
        value = numberOf(typed)
        shown = shownNumber(typed, value)
      }
      assert.equal(value, Number(meant.replace(',', '.')))
      assert.equal(shown, meant)
    }
  })

  test('a field for a number shows the value when somebody else has changed it', () => {
    assert.equal(shownNumber('10.0', 12), '12')
    assert.equal(shownNumber(undefined, 12), '12')
    assert.equal(shownNumber('7', ''), '')
  })

  test('a value is found by its path', () => {
    assert.equal(valueAt({ hours: [{ start: '09:00' }] }, 'hours.0.start'), '09:00')
    assert.equal(valueAt({ hours: 1 }, 'hours.0.start'), undefined)
  })

  test('the row of an answer is in its data, or the answer itself', () => {
    assert.deepEqual(rowOf({ data: { version: 2 } }), { version: 2 })
    assert.deepEqual(rowOf({ version: 2 }), { version: 2 })
    assert.equal(rowOf(undefined), undefined)
  })
})
