import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startLoop } from './loop.ts'

const options = { idleMs: 3_600_000, onError: () => {} }

describe('loop', () => {
  test('continues immediately while there is more to do, then pauses; a stop ends the pause', async () => {
    let rounds = 0
    const idle = Promise.withResolvers<void>()
    const loop = startLoop(async () => {
      rounds += 1
      if (rounds === 5) idle.resolve()
      return { more: rounds < 5 }
    }, options)
    await idle.promise
    await loop.stop()
    assert.equal(rounds, 5)
  })

  test('a stop waits for the current round and starts no other', async () => {
    const gate = Promise.withResolvers<void>()
    let [begun, ended] = [0, 0]
    const loop = startLoop(async () => {
      begun += 1
      await gate.promise
      ended += 1
      return { more: true }
    }, options)
    const stopping = loop.stop()
    gate.resolve()
    await stopping
    assert.deepEqual([begun, ended], [1, 1])
  })

  test('an error is reported and does not end the loop', async () => {
    const told = Promise.withResolvers<unknown>()
    const loop = startLoop(() => Promise.reject(new Error('down')), { ...options, onError: told.resolve })
    await assert.rejects(
      told.promise.then((error) => Promise.reject(error)),
      { message: 'down' },
    )
    await loop.stop()
  })
})
