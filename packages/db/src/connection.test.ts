import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { describe, test } from 'node:test'
import { gather } from './connection.ts'

describe('batched queries', () => {
  function streamTo(packets: string[]): Writable {
    return new Writable({
      decodeStrings: false,
      writev(chunks, done) {
        packets.push(chunks.map(({ chunk }) => chunk as string).join(' '))
        done()
      },
    })
  }

  for (const later of [process.nextTick, setImmediate]) {
    test(`batched queries are sent as one packet at ${later.name}, and later ones as another`, async () => {
      const packets: string[] = []
      const stream = streamTo(packets)
      for (const words of [
        ['begin', 'select', 'commit'],
        ['begin', 'rollback'],
      ]) {
        const before = packets.length
        for (const word of words) {
          gather(stream, later)
          stream.write(word)
        }
        assert.equal(packets.length, before)
        await new Promise<void>((resolve) => {
          later(resolve)
        })
      }
      assert.deepEqual(packets, ['begin select commit', 'begin rollback'])
      assert.equal(stream.writableCorked, 0)
    })
  }
})
