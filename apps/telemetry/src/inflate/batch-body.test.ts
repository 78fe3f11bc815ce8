import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { gzipOf } from '../testing.ts'
import { checkBody } from './batch-body.ts'
import { checkPacked, packBodies } from './packed-bodies.ts'

/** Valid bodies, and bodies broken in various ways. */
const bodies = fc.oneof(
  fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 40 })).map(([mark, frames]) => gzipOf(mark, frames)),
  fc.tuple(fc.nat(50), fc.nat(400), fc.nat(255)).map(([mark, at, byte]) => {
    const body = gzipOf(mark, 5)
    body[at % body.length] = byte
    return body
  }),
  fc.nat(300).map((length) => gzipOf(1, 5).subarray(0, length)),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(Buffer.concat([gzipOf(1, 2), gzipOf(2, 2)])),
  fc.constant(gzipSync(Buffer.alloc(400_000))),
)

describe('bodies of pose batches', () => {
  test('bodies of pose batches give the same results packed together as alone', () => {
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 12 }), (all) => {
        assert.deepEqual(checkPacked(packBodies(all)), all.map(checkBody))
      }),
    )
  })

  test('two halves that are gzip only together are refused', () => {
    const body = gzipOf(3, 6)
    const halves = [body.subarray(0, 50), body.subarray(50)]
    assert.deepEqual(checkPacked(packBodies([...halves, body])), ['malformed_batch', 'malformed_batch', 6])
  })

  test('nothing may follow the gzip member', () => {
    const body = gzipOf(1, 5)
    const hidden = Buffer.concat([body, Buffer.alloc(200), body.subarray(-4)])
    assert.deepEqual(checkPacked(packBodies([hidden, body])), ['malformed_batch', 5])
  })
})
