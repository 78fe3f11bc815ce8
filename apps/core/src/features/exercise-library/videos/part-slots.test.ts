import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { PartSlots } from './part-slots.ts'

describe('parts of uploads that are received at once', () => {
  const refused = { status: 503, code: 'unavailable' }
  const holding = (slots: PartSlots, person: string) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    return { done: slots.hold(person, () => promise), resolve, reject }
  }

  test('parts of uploads that are received at once are at most four of a person; one that ends or fails makes room for the next', async () => {
    const slots = new PartSlots()
    const [first, second, ...others] = [1, 2, 3, 4].map(() => holding(slots, 'ana'))
    await assert.rejects(holding(slots, 'ana').done, refused)
    first?.resolve()
    await first?.done
    others.push(holding(slots, 'ana'))
    await assert.rejects(holding(slots, 'ana').done, refused)
    second?.reject(new Error('cut off'))
    await assert.rejects(async () => second?.done, /cut off/)
    others.push(holding(slots, 'ana'))
    for (const one of others) one.resolve()
    await Promise.all(others.map(({ done }) => done))
  })

  test('parts of uploads that are received at once are at most 24 of all persons', async () => {
    const slots = new PartSlots()
    const held = Array.from({ length: 24 }, (_, n) => holding(slots, `person ${n % 8}`))
    await assert.rejects(holding(slots, 'ana').done, refused)
    for (const one of held) one.resolve()
    await Promise.all(held.map(({ done }) => done))
    await slots.hold('ana', async () => {})
  })
})
