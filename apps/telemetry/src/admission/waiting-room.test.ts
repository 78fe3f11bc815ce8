import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mockTime } from './time.testing.ts'
import { WaitingRoom } from './waiting-room.ts'

describe('the waiting room', () => {
  /** A door with so many places, and what became of those who wait at it. */
  function door(patienceMs: number, max: number, maxBytes = 1_000) {
    const room = new WaitingRoom({ patienceMs, max, maxBytes })
    const told: string[] = []
    const open = { places: 0 }
    const wait = (name: string, bytes = 1) =>
      room.wait({
        bytes,
        enter() {
          if (open.places === 0) return false
          open.places -= 1
          told.push(`${name} in`)
          return true
        },
        giveUp: () => void told.push(`${name} away`),
      })
    return { room, told, open, wait }
  }

  test('who came first goes in first, as many as there is room for; who waits too long is sent away', () => {
    const { pass, restore } = mockTime()
    const { room, told, open, wait } = door(100, 10)
    for (const name of ['a', 'b', 'c']) wait(name)
    room.next()
    assert.deepEqual(told, [])
    open.places = 2
    room.next()
    assert.deepEqual(told, ['a in', 'b in'])
    pass(60)
    wait('d')
    pass(60)
    assert.deepEqual(told, ['a in', 'b in', 'c away'])
    open.places = 5
    room.next()
    pass(1_000)
    assert.deepEqual(told, ['a in', 'b in', 'c away', 'd in'])
    assert.equal(room.size, 0)
    restore()
  })

  test('who finds it full is sent away at once', () => {
    const { room, told, wait, open } = door(100, 2)
    for (const name of ['a', 'b', 'c']) wait(name)
    assert.deepEqual(told, ['c away'])
    open.places = 2
    room.next()
    assert.equal(room.size, 0)
  })

  test('it is full, too, when those in it hold as many bytes as they may; who leaves makes room', () => {
    const { pass, restore } = mockTime()
    const { room, told, open, wait } = door(100, 10, 100)
    wait('a', 60)
    wait('b', 40)
    wait('c', 1)
    assert.deepEqual(told, ['c away'])
    open.places = 1
    room.next()
    wait('d', 60)
    wait('e', 1)
    assert.deepEqual(told, ['c away', 'a in', 'e away'])
    pass(100)
    wait('f', 100)
    assert.deepEqual(told, ['c away', 'a in', 'e away', 'b away', 'd away'])
    assert.equal(room.size, 1)
    restore()
  })
})
