import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readInvitation } from './invitation.ts'

describe('the link of an invitation', () => {
  test('the link of an invitation names an address and a language', () => {
    assert.deepEqual(readInvitation('#email=ana%2B1%40mail.example&language=ro'), {
      email: 'ana+1@mail.example',
      language: 'ro',
    })
  })

  for (const fragment of [
    '',
    '#content',
    '#email=',
    '#email=call+us+now',
    '#email=a%40b%0D%0Ac&language=xx',
    `#email=${'a'.repeat(255)}%40b`,
  ])
    test(`an invitation is ignored when its fragment is ${fragment.slice(0, 40) || 'empty'}`, () => {
      assert.deepEqual(readInvitation(fragment), { email: undefined, language: undefined })
    })
})
