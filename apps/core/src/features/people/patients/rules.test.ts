import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { normaliseNationalId, problemOfNationalId, problemsOfPatient } from './rules.ts'

const NOW = new Date('2026-11-15T10:00:00Z')
const WEIGHTS = '279146358279'

/** A CNP with its check digit, by the definition. */
const cnp = fc
  .record({
    first: fc.integer({ min: 1, max: 9 }),
    year: fc.integer({ min: 0, max: 99 }),
    month: fc.integer({ min: 1, max: 12 }),
    day: fc.integer({ min: 1, max: 28 }),
    rest: fc.integer({ min: 1_001, max: 52_999 }),
  })
  .map(({ first, year, month, day, rest }) => {
    const two = (number: number) => String(number).padStart(2, '0')
    const body = `${first}${two(year)}${two(month)}${two(day)}${String(rest).padStart(5, '0')}`
    const sum = Array.from(body).reduce((total, digit, place) => total + Number(digit) * Number(WEIGHTS[place]), 0)
    return body + (sum % 11 === 10 ? 1 : sum % 11)
  })

describe('an identification number', () => {
  test('an identification number of 13 digits with the right check digit is accepted, however it is spaced', () => {
    fc.assert(
      fc.property(cnp, fc.constantFrom('', ' ', '-', '.'), (number, gap) => {
        const written = `${number.slice(0, 1)}${gap}${number.slice(1, 7)}${gap}${number.slice(7)}`
        assert.equal(problemOfNationalId(written), undefined)
        assert.equal(normaliseNationalId(written), number)
      }),
    )
  })

  test('an identification number of 13 digits with one of them wrong is not a CNP, and the answer does not repeat it', () => {
    fc.assert(
      fc.property(cnp, fc.nat(12), fc.integer({ min: 1, max: 9 }), (number, place, by) => {
        const wrong = number.slice(0, place) + ((Number(number[place]) + by) % 10) + number.slice(place + 1)
        const problem = problemOfNationalId(wrong)
        // One digit changed may, as the sum is taken by 11 and 10 counts as 1, give another number with a right check digit.
        if (problem !== undefined) assert.ok(!problem.includes(wrong))
        else assert.ok(place === 12 ? false : isRight(wrong))
      }),
    )
  })

  test('an identification number with a day that no calendar has, or a first digit of 0, is not a CNP', () => {
    for (const number of ['0840309410013', '2841309410010', '2840230410018', '2840332410012', '0000000000000'])
      assert.ok(problemOfNationalId(number), number)
  })

  test('an identification number of another country is accepted as it is, with at least 4 letters or digits', () => {
    for (const number of ['AB12', 'X-1234567-L', '12.345.678-9', 'ΑΒ 123456', '123456789012', '12345678901234'])
      assert.equal(problemOfNationalId(number), undefined, number)
    for (const number of ['A-1', '----', '.  .', '1 2 3']) assert.ok(problemOfNationalId(number), number)
  })

  test('an identification number is the same number in lower and upper case, full width, with and without separators', () => {
    assert.equal(normaliseNationalId(' ab-12.34 '), normaliseNationalId('ＡＢ１２３４'))
  })
})

describe('a person', () => {
  test('a person is born today at the latest, wherever today is', () => {
    assert.deepEqual(problemsOfPatient({ birth_date: '2026-11-15' }, NOW), {})
    assert.deepEqual(problemsOfPatient({ birth_date: '2026-11-16' }, NOW), {}, 'it is the 16th in Kiritimati')
    assert.ok(problemsOfPatient({ birth_date: '2026-11-17' }, NOW).birth_date)
  })

  test('a person can be invited only with an e-mail address', () => {
    assert.ok(problemsOfPatient({ invite: true }, NOW).email)
    assert.ok(problemsOfPatient({ invite: true, email: null }, NOW).email)
    assert.deepEqual(problemsOfPatient({ invite: true, email: 'm@mail.example' }, NOW), {})
    assert.deepEqual(problemsOfPatient({ invite: false }, NOW), {})
  })
})

function isRight(number: string): boolean {
  const sum = Array.from(number.slice(0, 12)).reduce((total, d, i) => total + Number(d) * Number(WEIGHTS[i]), 0)
  return Number(number[12]) === (sum % 11 === 10 ? 1 : sum % 11)
}
