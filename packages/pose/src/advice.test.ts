import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { NOT_MEASURED } from '@tendon/contracts'
import { ADVICE } from './advice.ts'

describe('advice', () => {
  test('the API describes every reason with the same words', () => {
    const words = Object.fromEntries(Object.entries(ADVICE).map(([reason, { text }]) => [reason, text]))
    assert.deepEqual(words, NOT_MEASURED)
  })
})
