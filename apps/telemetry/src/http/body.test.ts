import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { type Body, readBody } from './body.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

describe('reading a body', () => {
  function reading(maxBytes: number) {
    const request = new EventEmitter()
    const results: Body[] = []
    readBody(request, maxBytes, (body) => results.push(body))
    return { request, results }
  }

  test('byte by byte gives the same body and uses little more memory than its bytes', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const { request, results } = reading(20_000)
    const chunks: WeakRef<Buffer>[] = []
    for (let at = 0; at < 20_000; at += 1) {
      const chunk = Buffer.alloc(1, at)
      chunks.push(new WeakRef(chunk))
      request.emit('data', chunk)
    }
    await nextTurn()
    collect()
    const held = chunks.filter((chunk) => chunk.deref()).length
    assert.ok(held < 1_000, `${held} pieces`)
    request.emit('end')
    assert.deepEqual(results, [Buffer.from(Array.from({ length: 20_000 }, (_, at) => at % 256))])
  })

  test('calls back once, whatever follows: too much, the end, an error', () => {
    const large = reading(3)
    for (const _ of [1, 2, 3]) large.request.emit('data', Buffer.alloc(2))
    large.request.emit('end')
    large.request.emit('error', new Error('reset'))
    assert.deepEqual(large.results, ['too_large'])
    const whole = reading(3)
    whole.request.emit('end')
    whole.request.emit('error', new Error('reset'))
    assert.deepEqual(whole.results, [Buffer.alloc(0)])
    const broken = reading(3)
    broken.request.emit('data', Buffer.alloc(1))
    broken.request.emit('error', new Error('reset'))
    broken.request.emit('end')
    assert.deepEqual(broken.results, ['aborted'])
  })
})
