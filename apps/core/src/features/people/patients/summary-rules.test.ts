import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { MAX_PAIN_TREND } from '@tendon/contracts'
import fc from 'fast-check'
import { painOf } from './summary-rules.ts'

const AT = '2026-11-15T09:30:00.000Z'
const run = (worst: number | null) => ({ worst, reported_at: worst === null ? null : AT })

describe('the pain of a summary', () => {
  test('runs without a report have no pain', () => {
    assert.equal(painOf([]), null)
    assert.equal(painOf([run(null), run(null)]), null)
    assert.deepEqual(painOf([run(null), run(0)]), { last: 0, at: AT, worst: 0, trend: [0] })
  })

  test('the trend ends with the newest report, is never longer than allowed, and contains the worst', () => {
    fc.assert(
      fc.property(fc.array(fc.option(fc.integer({ min: 0, max: 10 }))), (pains) => {
        const reported = pains.filter((pain) => pain !== null)
        const found = painOf(pains.map(run))
        assert.deepEqual(found?.trend ?? [], reported.slice(0, MAX_PAIN_TREND).reverse())
        if (!found) return
        assert.equal(found.last, found.trend.at(-1))
        assert.ok(found.trend.includes(found.worst) && found.trend.every((pain) => pain <= found.worst))
      }),
    )
  })
})
