import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { minorUnitsOf } from './money.ts'

describe('prices', () => {
  test('minor units are those of the currency: no hundredth of a yen, a thousandth of a dinar', () => {
    for (const [currency, units] of Object.entries({
      RON: 100,
      EUR: 100,
      HUF: 100,
      RSD: 100,
      JPY: 1,
      XOF: 1,
      KWD: 1000,
    }))
      assert.equal(minorUnitsOf(currency), units, currency)
  })
})
