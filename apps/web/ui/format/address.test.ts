import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addressLine } from './address.ts'

describe('addresses', () => {
  test('an address is one line with street, postal code and city, without what is missing', () => {
    const address = { line1: 'Strada Lipscani 12', city: 'București', country: 'RO' }
    assert.equal(addressLine(address), 'Strada Lipscani 12, București')
    assert.equal(
      addressLine({ ...address, line2: 'Etaj 2', postal_code: '030033', region: 'Sector 3' }),
      'Strada Lipscani 12, Etaj 2, 030033 București',
    )
    assert.equal(addressLine(null), null)
  })
})
