import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { type DateOrder, typedDay, writtenDay } from './typed-date.ts'

const ORDERS: DateOrder[] = ['dmy', 'mdy', 'ymd']
const TODAY = '2026-11-19'
const day = fc
  .date({ min: new Date('1000-01-01'), max: new Date('2999-12-31'), noInvalidDate: true })
  .map((at) => at.toISOString().slice(0, 10))

describe('days that are typed', () => {
  test('a day that was written is read as the same day, in every order', () => {
    fc.assert(
      fc.property(day, fc.constantFrom(...ORDERS), (one, order) => {
        assert.equal(typedDay(writtenDay(one, order), order, TODAY), one)
        assert.equal(typedDay(one, order, TODAY), one)
      }),
    )
  })

  test('what is read is always a day of the calendar', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[\d./ -]{1,12}$/), fc.constantFrom(...ORDERS), (text, order) => {
        const read = typedDay(text, order, TODAY)
        if (read !== undefined) assert.equal(new Date(`${read}T00:00:00Z`).toISOString().slice(0, 10), read)
      }),
    )
  })

  for (const [text, order, expected] of [
    ['17.11', 'dmy', '2026-11-17'],
    ['17.11.', 'dmy', '2026-11-17'],
    ['1711', 'dmy', '2026-11-17'],
    ['1117', 'mdy', '2026-11-17'],
    ['171126', 'dmy', '2026-11-17'],
    ['17112026', 'dmy', '2026-11-17'],
    ['20261117', 'ymd', '2026-11-17'],
    ['7 3 61', 'dmy', '1961-03-07'],
    ['11/17/26', 'mdy', '2026-11-17'],
    ['11-17', 'ymd', '2026-11-17'],
    ['2026/11/17', 'mdy', '2026-11-17'],
    ['29.02.2024', 'dmy', '2024-02-29'],
  ] as const)
    test(`"${text}" in the order ${order} is ${expected}`, () => {
      assert.equal(typedDay(text, order, TODAY), expected)
    })

  for (const text of ['', 'tomorrow', '31.02.2026', '17', '17.13', '17.11.999', '1.2.3.4', '0.1.2026', '17..x'])
    test(`"${text}" is no day`, () => {
      assert.equal(typedDay(text, 'dmy', TODAY), undefined)
    })

  test('a year of two digits is at most twenty years ahead', () => {
    assert.deepEqual(
      ['46', '47', '99', '00'].map((year) => typedDay(`1.1.${year}`, 'dmy', TODAY)?.slice(0, 4)),
      ['2046', '1947', '1999', '2000'],
    )
  })

  test('a text that is no day is shown as it is', () => {
    assert.equal(writtenDay('soon', 'dmy'), 'soon')
  })
})
