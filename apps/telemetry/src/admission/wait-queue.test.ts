import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mockTime } from './time.testing.ts'
import { WaitQueue } from './wait-queue.ts'

describe('the wait queue', () => {
  /** A queue in front of this many places, and what happened to those waiting. */
  function door(timeoutMs: number, max: number, maxBytes = 1_000) {
    const room = new WaitQueue({ timeoutMs, max, maxBytes })
    const outcomes: string[] = []
    const open = { places: 0 }
    const wait = (name: string, bytes = 1) =>
      room.wait({
        bytes,
        enter() {
          if (open.places === 0) return false
          open.places -= 1
          outcomes.push(`${name} in`)
          return true
        },
        onTimeout: () => void outcomes.push(`${name} away`),
      })
    return { room, outcomes, open, wait }
  }

  test('the wait queue is first in, first out, for as many as there are places; the rest time out', () => {
    const { pass, restore } = mockTime()
    const { room, outcomes, open, wait } = door(100, 10)
    for (const name of ['a', 'b', 'c']) wait(name)
    room.next()
    assert.deepEqual(outcomes, [])
    open.places = 2
    room.next()
    assert.deepEqual(outcomes, ['a in', 'b in'])
    pass(60)
    wait('d')
    pass(60)
    assert.deepEqual(outcomes, ['a in', 'b in', 'c away'])
    open.places = 5
    room.next()
    pass(1_000)
    assert.deepEqual(outcomes, ['a in', 'b in', 'c away', 'd in'])
    assert.equal(room.size, 0)
    restore()
  })

  test('the wait queue refuses immediately when it is full', () => {
    const { room, outcomes, wait, open } = door(100, 2)
    for (const name of ['a', 'b', 'c']) wait(name)
    assert.deepEqual(outcomes, ['c away'])
    open.places = 2
    room.next()
    assert.equal(room.size, 0)
  })

  test('the wait queue is full when its entries hold the maximum of bytes; leaving frees them', () => {
    const { pass, restore } = mockTime()
    const { room, outcomes, open, wait } = door(100, 10, 100)
    wait('a', 60)
    wait('b', 40)
    wait('c', 1)
    assert.deepEqual(outcomes, ['c away'])
    open.places = 1
    room.next()
    wait('d', 60)
    wait('e', 1)
    assert.deepEqual(outcomes, ['c away', 'a in', 'e away'])
    pass(100)
    wait('f', 100)
    assert.deepEqual(outcomes, ['c away', 'a in', 'e away', 'b away', 'd away'])
    assert.equal(room.size, 1)
    restore()
  })
})
