import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { crc32, deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { encodeBatch } from '@tendon/pose'
import * as fc from 'fast-check'
import { batchOf, gzipOf } from '../testing.ts'
import { checkBody } from './batch-body.ts'
import { checkPacked, newDivider, packBodies } from './packed-bodies.ts'

const divider = newDivider()
const checkBodies = (bodies: Buffer[]) => checkPacked(packBodies(bodies, divider), divider)

const HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
const tail = (content: Buffer) => {
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32LE(crc32(content), 0)
  bytes.writeUInt32LE(content.length, 4)
  return bytes
}

/** Good bodies, and bodies that are broken in one way or another. */
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
  test('checked together they are what they are alone, whatever stands beside them', () => {
    fc.assert(
      fc.property(fc.array(bodies, { maxLength: 12 }), (all) => {
        assert.deepEqual(checkBodies(all), all.map(checkBody))
      }),
    )
  })

  test('two halves that are gzip only together are refused with what was between them', () => {
    const content = Buffer.from(encodeBatch(batchOf(7, 4)))
    const whole = Buffer.concat([
      HEAD,
      deflateRawSync(Buffer.concat([content, content])),
      tail(Buffer.concat([content, content])),
    ])
    const cut = Math.floor(whole.length / 2)
    const [one, other] = [
      Buffer.concat([whole.subarray(0, cut), tail(content)]),
      Buffer.concat([whole.subarray(cut, -8), tail(content)]),
    ]
    const honest = gzipOf(3, 6)
    for (const group of [
      [one, other],
      [one, honest, other],
      [honest, one, other, honest],
    ]) {
      const expected = group.map((body) => (body === honest ? 6 : 'malformed_batch'))
      assert.deepEqual(checkBodies(group), expected)
    }
  })

  test('a member that swallows the next one as its own content is refused, and the next one is not', () => {
    const honest = gzipOf(3, 6)
    // A block that is copied as it stands, as long as the body that follows.
    const block = Buffer.alloc(5)
    block.writeUInt8(1, 0)
    block.writeUInt16LE(honest.length, 1)
    block.writeUInt16LE(~honest.length & 0xffff, 3)
    const greedy = Buffer.concat([HEAD, block, tail(honest)])
    const answers = checkBodies([greedy, honest, Buffer.concat([HEAD, tail(gunzipSync(honest))])])
    assert.deepEqual(answers, ['malformed_batch', 6, 'malformed_batch'])
  })

  test('a body that reads on through the divider is refused, even with the right checksum and a copy of what it read', () => {
    const stored = (length: number) => {
      const block = Buffer.alloc(5)
      block.writeUInt16LE(length, 1)
      block.writeUInt16LE(~length & 0xffff, 3)
      return block
    }
    const member = Buffer.from(divider.member)
    const copyAt = Math.max(0, member.indexOf(divider.secret))
    const copy = member.subarray(copyAt, copyAt + divider.secret.length)
    // The first body ends inside a block that is copied as it stands. The divider and the head of the second are its content;
    // then the second has it repeat, by reference, what stood in the divider.
    const batch = Buffer.from(encodeBatch(batchOf(7, 1)))
    const end = tail(batch)
    const shown = batch.subarray(0, batch.length - end.length - member.length - HEAD.length)
    const read = Buffer.concat([shown, end, member, HEAD])
    const first = Buffer.concat([HEAD, stored(shown.length), shown, stored(read.length - shown.length), end])
    const rest = deflateRawSync(copy, { dictionary: read })
    const second = Buffer.concat([HEAD, rest, tail(Buffer.concat([read, copy])), gzipOf(3, 6)])
    assert.deepEqual(checkBodies([first, second]), ['malformed_batch', 'malformed_batch'])
  })

  test('a body with the beginning of a second member, into which the head of the divider would fall, is refused', () => {
    const body = gzipOf(1, 5)
    const beginning = Buffer.from([0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 3, 8 + HEAD.length, 0, 0, 0, 0, 0])
    const greedy = Buffer.concat([body, beginning, body.subarray(-4)])
    assert.deepEqual(checkBodies([greedy, body, greedy]), ['malformed_batch', 5, 'malformed_batch'])
  })

  test('nothing may stand after the member', () => {
    const body = gzipOf(1, 5)
    const hidden = Buffer.concat([body, Buffer.alloc(200), body.subarray(-4)])
    assert.equal(checkBody(hidden), 'malformed_batch')
    assert.deepEqual(checkBodies([hidden, body]), ['malformed_batch', 5])
  })

  test('the secret of a divider stands nowhere in its member, and comes out of it', () => {
    for (let round = 0; round < 200; round += 1) {
      const { secret, member } = newDivider()
      assert.ok(gunzipSync(member).equals(secret))
      for (let at = 0; at + 3 <= secret.length; at += 1)
        assert.equal(Buffer.from(member).indexOf(secret.subarray(at, at + 3)), -1)
    }
  })
})
