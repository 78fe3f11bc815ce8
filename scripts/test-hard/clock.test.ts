import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { promisify } from 'node:util'
import { onServer, processEnv } from '@tendon/testing'

const MAX_APART_MS = 60_000

describe('the clock of a test run, shifted or not', () => {
  test('the clock of a test run, shifted or not is the same in Node, in PostgreSQL and in the processes that tests start', async () => {
    const [server] = await onServer('postgres', async (client) => {
      const { rows } = await client.query<{ now_ms: number }>(
        'select extract(epoch from now())::float8 * 1000 as now_ms',
      )
      return rows
    })
    const child = await promisify(execFile)(process.execPath, ['-p', 'Date.now()'], { env: processEnv() })
    for (const now of [server?.now_ms ?? 0, Number(child.stdout)])
      assert.ok(Math.abs(now - Date.now()) < MAX_APART_MS, `${new Date(now).toISOString()} is not now`)
  })

  test('the clock of a test run, shifted or not runs on, and timers wait as long as they should', async () => {
    const [clock, steady] = [Date.now(), performance.now()]
    await new Promise((resolve) => setTimeout(resolve, 50))
    const passed = performance.now() - steady
    assert.ok(passed >= 49, `${passed} ms`)
    assert.ok(Math.abs(Date.now() - clock - passed) < 1_000)
  })
})
