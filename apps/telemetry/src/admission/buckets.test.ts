import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Buckets } from './buckets.ts'

describe('token buckets', () => {
  test('a token bucket allows a burst, then a rate', () => {
    const buckets = new Buckets({ perSecond: 2, burst: 3 })
    const take = (now: number) => buckets.take('a', now)
    assert.deepEqual([take(0), take(0), take(0), take(0)], [true, true, true, false])
    assert.deepEqual([take(499), take(500), take(501)], [false, true, false])
    assert.deepEqual([take(10_000), take(10_000), take(10_000), take(10_000)], [true, true, true, false])
    assert.ok(buckets.has('b', 10_000) && !buckets.has('a', 10_000))
  })

  test('a token bucket never allows more than the burst and the rate, at any time', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000), { maxLength: 200 }), (pauses) => {
        const buckets = new Buckets({ perSecond: 1, burst: 5 })
        let now = 0
        let taken = 0
        for (const pause of pauses) {
          now += pause
          if (buckets.take('a', now)) taken += 1
          assert.ok(taken <= 5 + now / 1000)
        }
      }),
    )
  })

  test('unused tokens can be returned, up to the burst', () => {
    const buckets = new Buckets({ perSecond: 1, burst: 2 })
    buckets.take('a', 0)
    for (const key of ['a', 'a', 'a', 'b']) buckets.refund(key)
    assert.deepEqual([buckets.take('a', 0), buckets.take('a', 0), buckets.take('a', 0)], [true, true, false])
  })

  test('a clock that goes backwards costs at most the time until now', () => {
    const buckets = new Buckets({ perSecond: 1, burst: 1 })
    assert.deepEqual([buckets.take('a', 3_600_000), buckets.has('a', 0), buckets.take('a', 1_000)], [true, false, true])
  })

  test('the number of buckets is bounded', () => {
    const buckets = new Buckets({ perSecond: 1, burst: 1, max: 100 })
    for (let key = 0; key < 10_000; key += 1) buckets.take(String(key), 0)
    assert.equal(buckets.size, 100)
  })
})
