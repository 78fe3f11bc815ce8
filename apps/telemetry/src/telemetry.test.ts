import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { readConfig } from '@tendon/config'
import { createMetrics } from '@tendon/process'
import { portOf } from '@tendon/testing'
import { pino } from 'pino'
import { createMemoryDisk } from './log/memory-files.testing.ts'
import { buildTelemetry } from './telemetry.ts'
import { callsTo, mediaEvent, RUN_TOKEN_KEYS, tokenOf } from './testing.ts'

const away = () => Promise.reject(new Error('away'))
async function* noKeys(): AsyncGenerator<string> {}

describe('a service stopped while it reads its log', () => {
  test('a service stopped while it reads its log accepts nothing, and stops when it has read it', async () => {
    const disk = createMemoryDisk()
    const gate = Promise.withResolvers<void>()
    const { list } = disk
    disk.list = async () => {
      await gate.promise
      return list()
    }
    let isReleased = false
    disk.release = () => {
      isReleased = true
    }
    const fatal: Error[] = []
    const telemetry = buildTelemetry({
      config: readConfig({ NODE_ENV: 'test', RUN_TOKEN_KEYS }),
      files: disk,
      db: { tenant: away, ping: away, assertSafe: away },
      objects: { get: away, put: away, head: away, delete: away, check: away, signedUrl: away, list: noKeys },
      registry: createMetrics('telemetry'),
      log: pino({ level: 'silent' }),
      now: Date.now,
      onFatal: (error) => fatal.push(error),
      checker: { hasRoom: () => true, check: () => {}, close: async () => {} },
    })
    await new Promise<void>((resolve) => telemetry.server.listen(0, '127.0.0.1', resolve))
    const { event } = callsTo(() => `http://127.0.0.1:${portOf(telemetry.server)}`)
    const run = { token: await tokenOf(randomUUID(), randomUUID()) }
    const started = telemetry.start()
    const before = await event(run, mediaEvent('session_start'))
    // The next request's connection is open already when the service begins to stop.
    let stopped: Promise<void> | undefined
    telemetry.server.prependOnceListener('request', () => {
      stopped = telemetry.stop()
    })
    const answer = await event(run, mediaEvent('session_start'))
    assert.deepEqual([before.status, answer.status], [503, 503])
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(isReleased, false, 'the folder is not given away while it is read')
    gate.resolve()
    await started
    await stopped
    assert.deepEqual([isReleased, disk.files.size, fatal], [true, 0, []])
  })
})
