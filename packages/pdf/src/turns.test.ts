import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Turns } from './turns.ts'

const ANYBODY = () => true

describe('what waits to be rendered', () => {
  const queueOf = (...owners: (string | undefined)[]) => {
    const turns = new Turns<{ owner: string | undefined; number: number }>()
    for (const [number, owner] of owners.entries()) turns.add({ owner, number })
    return turns
  }
  function order(turns: ReturnType<typeof queueOf>): number[] {
    const task = turns.first(ANYBODY)
    if (!task) return []
    turns.serve(task)
    return [task.number, ...order(turns)]
  }

  test('owners take turns, each in its own order', () => {
    assert.deepEqual(order(queueOf('a', 'a', 'a', 'b', 'b', undefined)), [0, 3, 5, 1, 4, 2])
  })

  test('an owner who may not run is passed over and keeps its turn', () => {
    const turns = queueOf('a', 'b')
    assert.equal(turns.first((owner) => owner !== 'a')?.number, 1)
    assert.equal(
      turns.first(() => false),
      undefined,
    )
    assert.deepEqual(order(turns), [0, 1])
  })

  test('a task that was removed is not served, and its owner keeps its turn', () => {
    const turns = queueOf('a', 'a', 'b')
    const task = turns.first(ANYBODY)
    assert.ok(task)
    assert.equal(turns.remove(task), true)
    assert.equal(turns.remove(task), false)
    assert.deepEqual([turns.size, turns.countOf('a'), turns.countOf('c')], [2, 1, 0])
    assert.deepEqual(order(turns), [1, 2])
  })

  test('everything is served once, and nobody waits longer than one turn of each other owner per own task', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', undefined), { maxLength: 30 }), (owners) => {
        const served = order(queueOf(...owners))
        assert.deepEqual(
          served.toSorted((a, b) => a - b),
          [...owners.keys()],
        )
        const others = new Set(owners).size
        for (const [place, number] of served.entries()) {
          const ownBefore = owners.slice(0, number).filter((owner) => owner === owners[number]).length
          assert.ok(place <= (ownBefore + 1) * others, `task ${number} was number ${place}`)
        }
      }),
    )
  })
})
