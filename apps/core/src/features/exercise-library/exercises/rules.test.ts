import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { slugOfClone } from './rules.ts'

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/
const slug = fc.stringMatching(SLUG).filter((text) => text.length <= 63)

describe('the slug of a copy', () => {
  test('names the original and counts', () => {
    assert.deepEqual([slugOfClone('squat', 1), slugOfClone('squat', 2)], ['squat-copy', 'squat-copy-2'])
    assert.equal(slugOfClone(`${'x'.repeat(56)}-yyyyyy`, 2), `${'x'.repeat(56)}-copy-2`)
  })

  test('the slug of a copy is a slug, and another for each count', () => {
    fc.assert(
      fc.property(
        slug,
        fc.integer({ min: 1, max: 10_000 }),
        fc.integer({ min: 1, max: 10_000 }),
        (text, one, other) => {
          const made = slugOfClone(text, one)
          assert.match(made, SLUG)
          assert.ok(made.length <= 63)
          assert.equal(made === slugOfClone(text, other), one === other)
        },
      ),
    )
  })
})
