import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { telephoneHref } from './telephone.ts'

describe('a telephone number as a link', () => {
  test('a link dials the first number as it is written', () => {
    for (const [phone, href] of [
      ['+40 21 555 0100', 'tel:+40215550100'],
      ['(021) 555.01-00', 'tel:0215550100'],
      ['0722/123456', 'tel:0722123456'],
      ['112', 'tel:112'],
      ['+40 (0)21 555 0100', 'tel:+40215550100'],
      ['021 555 0100 ext. 5', 'tel:0215550100'],
      ['021 555 0100, 0722 123 456', 'tel:0215550100'],
      ['021 555 0100 / 0722 123 456', 'tel:0215550100'],
      ['Tel: 021 555 0100 (int. 12)', 'tel:0215550100'],
    ] as const)
      assert.equal(telephoneHref(phone), href, phone)
  })

  test('a link dials nothing that is not a number', () => {
    for (const phone of ['', 'ask at the desk', '+', 'javascript:alert(1)', '*21#'])
      assert.equal(telephoneHref(phone), undefined, phone)
    assert.equal(telephoneHref('0900;phone-context=example.com'), 'tel:0900')
  })
})
