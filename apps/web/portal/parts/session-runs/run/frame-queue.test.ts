import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createFrameQueue, type Sent } from './frame-queue.ts'

const batch = (name: number) => Uint8Array.of(name)

/** A queue whose waits end when the test says so. */
function queueWith(answer: (name: number) => Sent) {
  const sent: number[] = []
  const waits: { milliseconds: number; end: () => void }[] = []
  const queue = createFrameQueue({
    async send([name = 0]) {
      const result = answer(name)
      if (result === 'done') sent.push(name)
      return result
    },
    wait: (milliseconds) => new Promise((end) => waits.push({ milliseconds, end })),
  })
  const endWaits = async (milliseconds: number) => {
    for (const one of waits.splice(0)) if (one.milliseconds === milliseconds) one.end()
    await new Promise((done) => setImmediate(done))
  }
  return { queue, sent, endWaits }
}

describe('the queue of frames', () => {
  test('a batch that was refused for a moment is sent again, before those that follow it', async () => {
    let isBusy = true
    const { queue, sent, endWaits } = queueWith(() => (isBusy ? 'retry' : 'done'))
    for (const name of [1, 2, 3]) queue.add(batch(name))
    await endWaits(0)
    assert.deepEqual(sent, [])
    isBusy = false
    await endWaits(1_000)
    assert.deepEqual(sent, [1, 2, 3])
    await queue.settle()
  })

  test('without a connection the last two minutes are kept', async () => {
    let isOnline = false
    const { queue, sent, endWaits } = queueWith(() => (isOnline ? 'done' : 'retry'))
    for (let name = 0; name < 200; name += 1) queue.add(batch(name))
    isOnline = true
    await endWaits(0)
    await endWaits(1_000)
    assert.deepEqual(
      sent,
      Array.from({ length: 120 }, (_, index) => index + 80),
    )
  })

  test('settling waits while batches are sent, and gives up when none could be sent for four seconds', async () => {
    let accepted = 1
    const { queue, sent, endWaits } = queueWith(() => (accepted-- > 0 ? 'done' : 'retry'))
    for (const name of [1, 2, 3]) queue.add(batch(name))
    let isSettled = false
    const settling = (async () => {
      await queue.settle()
      isSettled = true
    })()
    await endWaits(4_000)
    assert.deepEqual([sent, isSettled], [[1], false])
    await endWaits(4_000)
    await settling
    assert.deepEqual(sent, [1])
  })

  test('after closing, a batch that is refused is not tried again', async () => {
    const { queue, sent, endWaits } = queueWith((name) => (name === 1 ? 'retry' : 'done'))
    for (const name of [1, 2]) queue.add(batch(name))
    await endWaits(0)
    queue.close()
    await endWaits(1_000)
    assert.deepEqual(sent, [2])
  })

  test('cleared batches are not sent', async () => {
    let isBusy = true
    const { queue, sent, endWaits } = queueWith(() => (isBusy ? 'retry' : 'done'))
    for (const name of [1, 2]) queue.add(batch(name))
    await endWaits(0)
    queue.clear()
    isBusy = false
    queue.add(batch(3))
    await endWaits(1_000)
    assert.deepEqual(sent, [3])
  })
})
