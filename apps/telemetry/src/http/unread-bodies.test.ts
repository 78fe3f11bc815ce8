import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { assertSettled } from '@tendon/testing'
import { createSurroundings, type Surroundings } from '../testing.ts'

const LONG = Buffer.alloc(2 * 1024 * 1024, 'a')
const POSE = 'POST /v1/pose/frames'
const TIMEOUT_MS = 30_000

describe('a refused body', { timeout: TIMEOUT_MS }, () => {
  let around: Surroundings
  before(async () => {
    around = await createSurroundings()
  })
  after(() => around.close())

  for (const as of ['length', 'chunked', 'expect'] as const)
    test(`leaves a connection that answers, or closes it (${as})`, async () => {
      const service = await around.start()
      const { token } = await (await around.clinic()).newRun()
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' }
      for (const [request, status] of [
        [{ line: POSE }, 401],
        [{ line: 'POST /v1/nothing' }, 404],
        [{ line: 'PUT /v1/pose/frames' }, 405],
        [{ line: POSE, headers: { ...headers, 'content-type': 'text/plain' } }, as === 'chunked' ? 400 : 413],
        [{ line: POSE, headers }, 413],
        [{ line: 'POST /v1/media/events', headers }, 400],
      ] as const) {
        const answer = await assertSettled(service.url, { ...request, body: LONG, as }, 'GET /v1/healthz')
        assert.equal(answer.status, status, `${request.line}: ${answer.text}`)
      }
      await service.stop()
    })
})
