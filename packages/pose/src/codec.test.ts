import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import {
  BATCH_MAX_BYTES,
  BatchError,
  batchBytes,
  checkBatch,
  compressBatch,
  decodeBatch,
  decodeBatches,
  encodeBatch,
  type PoseBatch,
  VALUES_PER_FRAME,
} from './codec.ts'
import { splitBatches } from './codec-stream.ts'

const finite = fc.float({ noNaN: true, noDefaultInfinity: true })
const batches: fc.Arbitrary<PoseBatch> = fc
  .record({
    fpsHint: fc.nat(240),
    times: fc.array(fc.nat(0xffff_ffff), { minLength: 1, maxLength: 40 }),
    values: fc.array(finite, { minLength: 1, maxLength: 50 }),
  })
  .map(({ fpsHint, times, values }) => ({
    fpsHint,
    timestamps: Uint32Array.from(times).sort(),
    landmarks: Float32Array.from(
      { length: times.length * VALUES_PER_FRAME },
      (_, at) => values[at % values.length] ?? 0,
    ),
  }))

function batchOf(frames: number): PoseBatch {
  return {
    fpsHint: 30,
    timestamps: Uint32Array.from({ length: frames }, (_, at) => at * 33),
    landmarks: Float32Array.from({ length: frames * VALUES_PER_FRAME }, (_, at) => Math.sin(at)),
  }
}

describe('the pose batch', () => {
  test('what is encoded is decoded, bit for bit', () => {
    fc.assert(
      fc.property(batches, (batch) => {
        const bytes = encodeBatch(batch)
        assert.equal(bytes.length, 9 + batch.timestamps.length * 532)
        assert.equal(checkBatch(bytes), batch.timestamps.length)
        assert.deepEqual(decodeBatch(bytes), batch)
      }),
    )
  })

  test('the layout is that of the specification', () => {
    const bytes = Buffer.from(encodeBatch(batchOf(2)))
    assert.equal(bytes[0], 1)
    assert.equal(bytes.readUInt32LE(1), 2)
    assert.equal(bytes.readUInt32LE(5), 30)
    assert.equal(bytes.readFloatLE(9), 0)
    assert.equal(bytes.readFloatLE(13), Math.fround(Math.sin(1)))
    assert.equal(bytes.readFloatLE(9 + 528), Math.fround(Math.sin(132)))
    assert.equal(bytes.readUInt32LE(9 + 2 * 528), 0)
    assert.equal(bytes.readUInt32LE(9 + 2 * 528 + 4), 33)
    assert.equal(bytes.length, 9 + 2 * 532)
  })

  test('a replay is the batches one after the other', () => {
    fc.assert(
      fc.property(fc.array(batches, { maxLength: 5 }), (all) => {
        const bytes = Buffer.concat(all.map((batch) => encodeBatch(batch)))
        assert.deepEqual([...decodeBatches(bytes)], all)
      }),
      { numRuns: 30 },
    )
    const cut = Buffer.concat([encodeBatch(batchOf(3)), encodeBatch(batchOf(3)).subarray(0, 700)])
    assert.throws(() => [...decodeBatches(cut)], BatchError)
  })

  test('a replay that comes in pieces is split into the same batches', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(batches, { maxLength: 4 }), fc.integer({ min: 1, max: 3_000 }), async (all, size) => {
        const bytes = Buffer.concat(all.map((batch) => encodeBatch(batch)))
        const pieces = async function* () {
          for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
        }
        const found: PoseBatch[] = []
        for await (const batch of splitBatches(pieces())) found.push(decodeBatch(batch))
        assert.deepEqual(found, all)
      }),
      { numRuns: 30 },
    )
    const cut = async function* () {
      yield encodeBatch(batchOf(3)).subarray(0, 700)
    }
    await assert.rejects(Array.fromAsync(splitBatches(cut())), BatchError)
  })

  test('from 1 to 600 frames, no fewer and no more', () => {
    assert.equal(checkBatch(encodeBatch(batchOf(1))), 1)
    assert.equal(checkBatch(encodeBatch(batchOf(600))), 600)
    assert.equal(batchBytes(600), BATCH_MAX_BYTES)
    assert.throws(() => encodeBatch(batchOf(0)), BatchError)
    assert.throws(() => encodeBatch(batchOf(601)), BatchError)
    const none = new Uint8Array(9)
    none[0] = 1
    assert.equal(checkBatch(none), 'malformed_batch')
  })

  test('a length that does not follow from the number of frames is refused', () => {
    const bytes = Buffer.from(encodeBatch(batchOf(5)))
    for (const frames of [0, 4, 6, 601, 0x7fff_ffff, 0xffff_ffff]) {
      const lying = Buffer.from(bytes)
      lying.writeUInt32LE(frames, 1)
      assert.equal(checkBatch(lying), 'malformed_batch', String(frames))
    }
    for (const length of [0, 1, 8, 9, bytes.length - 1])
      assert.equal(checkBatch(bytes.subarray(0, length)), 'malformed_batch', String(length))
    assert.equal(checkBatch(Buffer.concat([bytes, Buffer.alloc(1)])), 'malformed_batch')
  })

  test('another version is told apart from a broken batch', () => {
    for (const version of [0, 2, 255]) {
      const bytes = encodeBatch(batchOf(2))
      bytes[0] = version
      assert.equal(checkBatch(bytes), 'unsupported_version')
      assert.throws(() => decodeBatch(bytes), { problem: 'unsupported_version' })
    }
  })

  test('one number that is not finite, anywhere, is found; the largest and smallest finite ones pass', () => {
    const bad = [0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 0xffff_ffff, 0x7f80_0001]
    const good = [0x7f7f_ffff, 0xff7f_ffff, 0x0000_0001, 0x8000_0000, 0x007f_ffff]
    const bytes = Buffer.from(encodeBatch(batchOf(4)))
    fc.assert(
      fc.property(fc.nat(4 * VALUES_PER_FRAME - 1), fc.constantFrom(...bad, ...good), (at, bits) => {
        const changed = Buffer.from(bytes)
        changed.writeUInt32LE(bits, 9 + at * 4)
        assert.equal(checkBatch(changed), bad.includes(bits) ? 'malformed_batch' : 4)
      }),
    )
  })

  test('times that go back are refused, equal ones pass', () => {
    const batch = batchOf(3)
    batch.timestamps.set([5, 5, 5])
    assert.equal(checkBatch(encodeBatch(batch)), 3)
    batch.timestamps.set([5, 6, 5])
    assert.throws(() => encodeBatch(batch), BatchError)
  })

  test('any bytes are answered, none throw', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
        assert.ok(['malformed_batch', 'unsupported_version'].includes(String(checkBatch(bytes))))
      }),
    )
  })

  test('a client sends it as one gzip member', async () => {
    const batch = batchOf(30)
    assert.deepEqual(decodeBatch(gunzipSync(await compressBatch(batch))), batch)
  })

  test('it runs in browsers: nothing of Node is imported', () => {
    for (const file of ['codec.ts', 'codec-stream.ts']) {
      const source = readFileSync(new URL(file, import.meta.url), 'utf8')
      assert.doesNotMatch(source, /from '(?!\.\/codec)|node:|Buffer\.|process\./m, file)
    }
  })
})
