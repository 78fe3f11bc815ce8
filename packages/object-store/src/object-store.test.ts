import assert from 'node:assert/strict'
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import { drivers, type Fixture } from './drivers.testing.ts'
import {
  type ByteRange,
  InvalidObjectRequest,
  ObjectExists,
  type ObjectStore,
  ObjectTooLarge,
  RangeNotSatisfiable,
} from './index.ts'
import { PART_BYTES } from './s3-upload.ts'

const contentType = 'text/plain'
/** Small, since the S3 test double is slow; real sizes in the soak. */
const PART = soakRuns(1) > 1 ? PART_BYTES : 128 * 1024
const PIECE = PART / 8

for (const [name, start] of Object.entries(drivers)) {
  describe(`objects on ${name}`, () => {
    let fixture: Fixture
    let store: ObjectStore
    before(async () => {
      fixture = await start(PART)
      store = fixture.storeAt()
    })
    after(() => fixture.stop())

    const putText = (key: string, text: string) => store.put(key, Buffer.from(text), { contentType, maxBytes: 100 })
    const read = async (key: string, range?: ByteRange) => {
      const object = await store.get(key, range)
      return object && { ...object, body: (await buffer(object.body)).toString() }
    }
    const keys = async (prefix: string) => (await Array.fromAsync(store.list(prefix))).sort()

    test('an object is returned with its type, length and hash', async () => {
      const sha256 = createHash('sha256').update('bună').digest('hex')
      assert.deepEqual(await putText('a/b.txt', 'bună'), { bytes: 5, sha256 })
      assert.deepEqual(await read('a/b.txt'), { body: 'bună', bytes: 5, totalBytes: 5, contentType })
      assert.deepEqual(await store.head('a/b.txt'), { bytes: 5, contentType })
    })

    test('a second put replaces content and type', async () => {
      await putText('twice', 'first')
      await store.put('twice', Buffer.from('{}'), { contentType: 'application/json', maxBytes: 2 })
      const expected = { body: '{}', bytes: 2, totalBytes: 2, contentType: 'application/json' }
      assert.deepEqual(await read('twice'), expected)
    })

    test('an empty object can be stored', async () => {
      await store.put('empty', Readable.from([]), { contentType, maxBytes: 0 })
      assert.deepEqual(await read('empty'), { body: '', bytes: 0, totalBytes: 0, contentType })
    })

    test('a stream of several parts comes back byte for byte', async () => {
      for (const length of [PART - 1, PART, PART + 1, 2.5 * PART]) {
        const content = randomBytes(length)
        const put = await store.put('big', streamOf(content, 70_001), { contentType: 'video/mp4', maxBytes: length })
        const got = await store.get('big')
        assert.ok(got && content.equals(await buffer(got.body)))
        assert.deepEqual([put.bytes, got.bytes, got.contentType], [length, length, 'video/mp4'])
        assert.equal(put.sha256, createHash('sha256').update(content).digest('hex'))
      }
    })

    test('a range includes both ends, and ends at the end of the object', async () => {
      await putText('range', '0123456789')
      assert.equal((await read('range', { start: 2, end: 4 }))?.body, '234')
      assert.equal((await read('range', { start: 7 }))?.body, '789')
      const cut = { body: '89', bytes: 2, totalBytes: 10, contentType }
      assert.deepEqual(await read('range', { start: 8, end: 99 }), cut)
      for (const range of [{ start: 10 }, { start: -1 }, { start: 3, end: 2 }, { start: 0.5 }, { start: Number.NaN }]) {
        await assert.rejects(store.get('range', range), RangeNotSatisfiable)
      }
    })

    test('a missing or deleted object is undefined, and deleting it again is not an error', async () => {
      await putText('gone/now', 'x')
      await store.delete('gone/now')
      for (const key of ['gone/now', 'never/was/there']) {
        assert.equal(await store.get(key), undefined)
        assert.equal(await store.get(key, { start: 0, end: 1 }), undefined)
        assert.equal(await store.head(key), undefined)
        await store.delete(key)
      }
    })

    test('a list contains the keys with the prefix, also when one key continues another', async () => {
      const all = ['l/a', 'l/a-1', 'l/a.meta', 'l/a/b', 'l/a/b/c', 'l/ab', 'lx']
      for (const key of all) await putText(key, key)
      for (const key of all) assert.equal((await read(key))?.body, key)
      assert.deepEqual(await keys('l'), all)
      assert.deepEqual(await keys('l/'), all.slice(0, -1))
      assert.deepEqual(await keys('l/a/'), ['l/a/b', 'l/a/b/c'])
      assert.deepEqual(await keys('l/a/b/'), ['l/a/b/c'])
      assert.deepEqual(await keys('nothing/here'), [])
      assert.ok((await keys('')).includes('lx'))
    })

    for (const [size, limit, length] of [
      ['small', 10, 11],
      ['of several parts', 2.25 * PART, 2.5 * PART],
    ] as const) {
      test(`a put ${size} over the limit stores nothing and keeps the previous object`, async () => {
        const key = `limit/${randomUUID()}`
        const source = streamOf(Buffer.alloc(length), PIECE)
        await assert.rejects(store.put(key, source, { contentType, maxBytes: limit }), ObjectTooLarge)
        assert.ok(source.destroyed)
        await assert.rejects(store.put(key, Buffer.alloc(length), { contentType, maxBytes: limit }), ObjectTooLarge)
        assert.deepEqual([await store.head(key), await keys(key)], [undefined, []])
        await putText(key, 'stays')
        const again = streamOf(Buffer.alloc(length), PIECE)
        await assert.rejects(store.put(key, again, { contentType, maxBytes: limit }), ObjectTooLarge)
        assert.equal((await read(key))?.body, 'stays')
      })

      test(`a put ${size} whose source fails or closes early stores nothing`, async () => {
        const key = `broken/${randomUUID()}`
        const put = (body: Readable) => store.put(key, body, { contentType, maxBytes: length })
        await assert.rejects(put(streamOf(Buffer.alloc(length), PIECE, new Error('it broke'))), /it broke/)
        await assert.rejects(put(streamOf(Buffer.alloc(length), PIECE, 'close')), /Premature close/)
        const broken = new Readable({ read() {} })
        broken.destroy(new Error('broke before the first read'))
        await assert.rejects(put(broken), /broke before the first read/)
        assert.deepEqual([await store.head(key), await keys(key)], [undefined, []])
      })
    }

    test('a limit of NaN accepts nothing', async () => {
      const options = { contentType, maxBytes: Number.NaN }
      await assert.rejects(store.put('nan', Buffer.of(1), options), ObjectTooLarge)
    })

    test('a key, prefix or type that is not well formed is refused', async () => {
      const hostile = ['', '/', '/etc/passwd', '../x', 'a/../b', 'a..b', 'a//b', 'a/', 'a/./b', 'a/.b', 'A', 'a b', 'ă']
      for (const key of [
        ...hostile,
        'a\0b',
        'a\\b',
        'a%2fb',
        'a\n',
        'a@object',
        '-a',
        'x'.repeat(201),
        'a/'.repeat(257),
      ]) {
        await assert.rejects(store.put(key, Buffer.alloc(0), { contentType, maxBytes: 1 }), InvalidObjectRequest, key)
        await assert.rejects(store.get(key), InvalidObjectRequest)
        await assert.rejects(store.head(key), InvalidObjectRequest)
        await assert.rejects(store.delete(key), InvalidObjectRequest)
        await assert.rejects(store.signedUrl(key, { method: 'GET', expiresInSeconds: 1 }), InvalidObjectRequest)
      }
      for (const prefix of ['/', '../', 'a/..', 'a//', 'a/./', 'a\0'])
        await assert.rejects(keys(prefix), InvalidObjectRequest)
      for (const contentType of ['', 'text', 'text/html\r\nx: y', 'a/b; c', `a/${'b'.repeat(255)}`]) {
        await assert.rejects(store.put('type', Buffer.of(1), { contentType, maxBytes: 1 }), InvalidObjectRequest)
      }
    })

    test('of twenty puts at once with ifAbsent exactly one wins', async (t) => {
      if (fixture.ifAbsentUntestable) return t.skip(fixture.ifAbsentUntestable)
      const puts = Array.from({ length: 20 }, (_, n) =>
        store.put('race', Buffer.from(`${n}`), { contentType: `text/x-${n}`, maxBytes: 9, ifAbsent: true }),
      )
      const results = await Promise.allSettled(puts)
      const winner = results.findIndex(({ status }) => status === 'fulfilled')
      const losers = results.filter((result) => result.status === 'rejected' && result.reason instanceof ObjectExists)
      assert.equal(losers.length, 19)
      const seen = await read('race')
      assert.deepEqual([seen?.body, seen?.contentType], [`${winner}`, `text/x-${winner}`])
    })

    test('the check of a working store passes and leaves nothing behind', async () => {
      const earlier = await keys('')
      await store.check()
      assert.deepEqual(await keys(''), earlier)
    })
  })
}

/** Yields `content` in chunks; optionally fails at the end or closes before the last chunk. */
function streamOf(content: Buffer, pieceBytes: number, end?: Error | 'close'): Readable {
  let at = 0
  return new Readable({
    read() {
      if (end === 'close' && at + pieceBytes >= content.length) this.destroy()
      else if (at < content.length) this.push(content.subarray(at, (at += pieceBytes)))
      else if (end instanceof Error) this.destroy(end)
      else this.push(null)
    },
  })
}
