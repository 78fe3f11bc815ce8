import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { assertSettled, openConnection } from '@tendon/testing'
import { createSurroundings, type Surroundings } from '../testing.ts'

const LONG = Buffer.alloc(2 * 1024 * 1024, 'a')
const POSE = 'POST /v1/pose/frames'

describe('a refused body', () => {
  let around: Surroundings
  before(async () => {
    around = await createSurroundings()
  })
  after(() => around.close())

  for (const as of ['length', 'chunked', 'expect'] as const)
    test(`a refused body leaves a connection that answers, or closes it (${as})`, async () => {
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

  for (const [problem, code] of [
    ['does not arrive in time', 'ERR_HTTP_REQUEST_TIMEOUT'],
    ['goes on as no HTTP', 'HPE_INVALID_CHUNK_SIZE'],
  ] as const)
    test(`that ${problem} gets no second answer`, async () => {
      const service = await around.start()
      for (const line of ['POST /v1/nothing', 'PUT /v1/pose/frames', POSE, 'OPTIONS /v1/pose/frames']) {
        const accepted = Promise.withResolvers<Socket>()
        service.server.once('connection', accepted.resolve)
        const connection = openConnection(service.url)
        const socket = await accepted.promise
        connection.write(`${line} HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n`)
        assert.notEqual(await connection.receive(), 'closed', line)
        // As Node does, which looks every 30 seconds.
        service.server.emit('clientError', Object.assign(new Error('late'), { code }), socket)
        assert.equal(await connection.receive(), 'closed', line)
        connection.destroy()
      }
      await service.stop()
    })

  test('whose rest never arrives closes the connection in silence', async () => {
    const service = await around.start()
    const connection = openConnection(service.url)
    connection.write('POST /v1/nothing HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\n')
    const answer = await connection.receive()
    assert.ok(answer !== 'closed' && answer.status === 404)
    assert.equal(await connection.receive(), 'closed')
    connection.destroy()
    await service.stop()
  })
})
