import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { TEST_ROLE_SECRET, until } from '@tendon/testing'
import {
  type Answer,
  createSurroundings,
  createTestClinic,
  mediaEvent,
  RUN_TOKEN_KEYS,
  readAnswer,
  type Surroundings,
} from '../testing.ts'
import { type ServiceProcess, startServiceProcess } from '../testing-process.ts'
import { connectionsWithin } from './connections.ts'

const MAX_OPEN_FILES = 300
const LEFT = 150

describe('the limit of connections', { skip: process.platform === 'win32' && 'Windows has no such limit' }, () => {
  let around: Surroundings
  let service: ServiceProcess
  before(async () => {
    around = await createSurroundings()
    const env = {
      NODE_ENV: 'test',
      DATABASE_URL: around.database.url,
      DATABASE_ROLE_SECRET: TEST_ROLE_SECRET,
      DATA_DIR: around.dataDir,
      TELEMETRY_LOG_DIR: await mkdtemp(join(around.dataDir, 'log-')),
      RUN_TOKEN_KEYS,
      OBJECT_SIGNING_KEY: 'a signing key for tests, long enough',
    }
    service = await startServiceProcess(env, MAX_OPEN_FILES)
  })
  after(async () => {
    service.child.kill('SIGKILL')
    await service.exited
    await around.close()
  })

  test('the limit of connections leaves 200 file descriptors, or half of them when there are few', () => {
    assert.deepEqual([1_000_000, 20_100, 1_024, 300, 150].map(connectionsWithin), [20_000, 19_900, 824, LEFT, 75])
  })

  test('idle connections above the limit are refused, and a patient’s event is accepted', async () => {
    const run = await (await createTestClinic(around.database)).newRun()
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const ask = (method: string, path: string, headers = {}, body = '') =>
      new Promise<Answer>((resolve, reject) => {
        const sent = request(service.url, { agent, method, path, headers }, (response) => readAnswer(response, resolve))
        sent.on('error', reject).end(body)
      })
    assert.equal((await ask('GET', '/v1/healthz')).status, 200) // it is connected
    const port = Number(new URL(service.url).port)
    const idle = Array.from({ length: MAX_OPEN_FILES }, () =>
      connect(port, '127.0.0.1')
        .on('error', () => {})
        .resume(),
    )
    /** Connections that are idle for too long get 408 and do not count. */
    const turnedAway = () => idle.filter(({ destroyed, bytesRead }) => destroyed && bytesRead === 0)
    try {
      await until(() => turnedAway().length > MAX_OPEN_FILES - LEFT)
      const headers = { authorization: `Bearer ${run.token}` }
      const answer = await ask('POST', '/v1/media/events', headers, JSON.stringify(mediaEvent('session_start')))
      assert.equal(answer.status, 202)
    } finally {
      for (const socket of idle) socket.destroy()
      agent.destroy()
    }
    assert.match(service.output(), /"connections":150,"open_files":300/)
  })
})
