import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { newId } from './new-id.ts'

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

describe('ids that are made before a row is inserted', () => {
  test('ids that are made before a row is inserted are UUIDs of version 7, and sort by their time', () => {
    const time = fc.integer({ min: 0, max: 2 ** 48 - 1 })
    fc.assert(
      fc.property(time, time, (first, second) => {
        const [one, two] = [newId(first), newId(second)]
        assert.match(one, UUID_V7)
        assert.equal(Number.parseInt(one.replaceAll('-', '').slice(0, 12), 16), first)
        if (first < second) assert.ok(one < two)
      }),
    )
  })

  test('ids that are made before a row is inserted differ within one millisecond', () => {
    assert.equal(new Set(Array.from({ length: 1000 }, () => newId(0))).size, 1000)
  })
})
