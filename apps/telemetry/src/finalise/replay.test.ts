import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { ObjectBody, ObjectStore } from '@tendon/object-store'
import { startMeasurement } from '@tendon/pose'
import { gzipOf, mediaEvent, type TestRun } from '../testing.ts'
import { createFinaliseSurroundings, type FinaliseSurroundings, type Service } from './finalise.testing.ts'
import { poseWork } from './pose-work.ts'

describe('the replay', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  /** A run with a replay of its first batch, and a second batch that is finalised with its end. */
  async function resumed(service: Service): Promise<TestRun> {
    const run = await around.clinic.newRun()
    await around.pose(service, run, 1)
    await around.silence(service)
    await around.isDone(service)
    await around.pose(service, run, 2)
    await around.events(service, run, mediaEvent('session_end'))
    await around.isDone(service)
    return run
  }
  const isComplete = async (run: TestRun) => (await around.flushed(run)).is_complete
  /** Replaces an object of the store. */
  const bodyOf = (...chunks: (Buffer | Error)[]) => ({
    body: Readable.from(
      (function* () {
        for (const chunk of chunks) {
          if (chunk instanceof Error) throw chunk
          yield chunk
        }
      })(),
    ),
    bytes: 0,
    totalBytes: 0,
    contentType: 'application/gzip',
  })
  /** Returns something else instead of the previous replay, this many times. */
  const finding = (times: number, found: () => ObjectBody): ObjectStore => {
    let left = times
    return {
      ...around.objects,
      get: async (...given) => {
        left -= 1
        return left >= 0 ? found() : around.objects.get(...given)
      },
    }
  }

  test('retries when the connection breaks while the previous replay is read', async () => {
    const objects = finding(1, () => bodyOf(gzipOf(1).subarray(0, 20), new Error('reset')))
    const service = await around.start({ replaced: { objects } })
    const run = await resumed(service)
    assert.deepEqual([await around.marksOf(run), await isComplete(run)], [[1, 2], true])
    await service.stop()
  })

  for (const [what, bytes] of [
    ['not gzip', Buffer.from('nothing that anybody could read')],
    ['not batches', gzipSync('nothing that anybody could read')],
  ] as const) {
    test(`the previous replay is ${what}: the run is incomplete and has what was received since`, async () => {
      const service = await around.start({ replaced: { objects: finding(1_000, () => bodyOf(bytes)) } })
      const run = await resumed(service)
      assert.deepEqual([await around.marksOf(run), await isComplete(run)], [[2], false])
      await service.stop()
    })
  }

  test('discards the measurement of a replay that could not be stored', async () => {
    const under = { way: 0 }
    const start = poseWork(startMeasurement, () => {})
    let failures = 3
    const service = await around.start({
      replaced: {
        objects: {
          ...around.objects,
          async put(key, body, options) {
            failures -= 1
            if (failures < 0) return around.objects.put(key, body, options)
            if (body instanceof Readable) body.destroy()
            throw new Error('away')
          },
        },
        poseWork: {
          start(manifest) {
            const work = start(manifest)
            under.way += 1
            return {
              ...work,
              finish: () => {
                under.way -= 1
                return work.finish()
              },
              drop: () => {
                under.way -= 1
                work.drop()
              },
            }
          },
          close: async () => {},
        },
      },
    })
    const run = await around.clinic.newRun()
    await around.pose(service, run, 1)
    await around.events(service, run, mediaEvent('session_end'))
    await around.isDone(service)
    assert.deepEqual([await around.marksOf(run), under.way], [[1], 0])
    await service.stop()
  })
})
