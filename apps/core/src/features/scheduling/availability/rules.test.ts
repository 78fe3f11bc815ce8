import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takesTime } from './rules.ts'

describe('rules of busy times', () => {
  const start = '2026-03-02T10:00:00+02:00'

  test('an event takes the time between its start and its end, in any time zone', () => {
    assert.equal(takesTime({ start, end: '2026-03-02T08:30:00Z' }), true)
  })

  test('an event without a length, or that ends before it begins, takes none', () => {
    for (const end of [start, '2026-03-02T08:00:00Z', '2026-03-02T07:59:59Z'])
      assert.equal(takesTime({ start, end }), false, end)
  })
})
