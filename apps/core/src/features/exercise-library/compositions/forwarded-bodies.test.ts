import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { assertSettled, bytesOf, freePort, openConnection, portOf } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

/** Far above the pauses of a busy machine. */
const BODY_TIMEOUT_MS = 1_000
const COMPOSE = 'POST /v1/exercises/compose'
const FILE = 'PUT /v1/exercises/squat/bundle/files/intro-video-1.mp4'
const JSON_TYPE = { 'content-type': 'application/json' }
const VIDEO_TYPE = { 'content-type': 'video/mp4' }
const LONG = Buffer.alloc(2 * 1024 * 1024, 'a')

describe('bodies that are forwarded to the composer', () => {
  let core: TestCore
  /** Waits only briefly for a body. */
  let hasty: TestCore
  let composer: Server
  const answers: RequestListener = (request, response) => {
    request.resume().on('end', () => response.end('{"data":1}'))
  }
  let behaviour = answers
  before(async () => {
    composer = createServer((request, response) => behaviour(request, response)).listen(0, '127.0.0.1')
    await once(composer, 'listening')
    const url = `http://127.0.0.1:${portOf(composer)}`
    core = await sharedCore({ env: { COMPOSER_URL: url } })
    hasty = await sharedCore({ env: { COMPOSER_URL: url, BODY_TIMEOUT_MS: String(BODY_TIMEOUT_MS) } })
  })
  afterEach(() => {
    behaviour = answers
  })
  after(async () => {
    await hasty.close()
    await core.close()
    composer.close().closeAllConnections()
  })

  test('the status of the composer is passed on although it came before the body', async () => {
    for (const [line, type] of [
      [COMPOSE, JSON_TYPE],
      [FILE, VIDEO_TYPE],
    ] as const) {
      behaviour = (_request, response) => void response.writeHead(418).end('{"error":{"code":"early"}}')
      const connection = openConnection(core.url)
      // The rest of the body never comes.
      connection.write(bytesOf({ line, headers: { ...type, 'content-length': '1000' } }))
      const answer = await connection.receive()
      assert.ok(answer !== 'closed')
      assert.equal(answer.status, 418)
      assert.match(answer.text, /"code":"early"/)
      connection.destroy()
    }
  })

  test('a composer that answers early and reads nothing does not block the connection', async () => {
    behaviour = (request, response) => {
      request.pause()
      response.writeHead(415, { 'content-type': 'application/json' }).end('{"error":{"code":"early"}}')
    }
    for (const as of ['length', 'chunked', 'expect'] as const)
      assert.equal((await assertSettled(core.url, { line: FILE, headers: VIDEO_TYPE, body: LONG, as })).status, 415)
  })

  test('arrive whole, and the connection stays open', async () => {
    const received: number[] = []
    behaviour = (request, response) => {
      let bytes = 0
      request.on('data', (chunk: Buffer) => void (bytes += chunk.length))
      request.on('end', () => {
        received.push(bytes)
        response.end('{"data":1}')
      })
    }
    for (const as of ['length', 'chunked', 'expect'] as const) {
      const { status, headers } = await assertSettled(core.url, { line: FILE, headers: VIDEO_TYPE, body: LONG, as })
      assert.deepEqual([status, headers.get('connection')], [200, 'keep-alive'])
    }
    assert.deepEqual(received, [LONG.length, LONG.length, LONG.length])
  })

  test('that are too long are refused by the core API, and the composer gets no whole request', async () => {
    let whole = 0
    behaviour = (request) => void request.resume().on('end', () => (whole += 1))
    for (const as of ['length', 'chunked', 'expect'] as const) {
      const long = await assertSettled(core.url, { line: COMPOSE, headers: JSON_TYPE, body: LONG, as })
      assert.deepEqual([long.status, JSON.parse(long.text).error.code], [413, 'payload_too_large'])
      const captions = { line: FILE.replace('mp4', 'vtt'), headers: { 'content-type': 'text/vtt' }, body: LONG, as }
      const file = await assertSettled(core.url, captions)
      assert.deepEqual([file.status, JSON.parse(file.text).error.code], [413, 'file_too_large'])
    }
    assert.equal(whole, 0)
  })

  test('that stop are refused (408), and the request to the composer ends', async () => {
    for (const [line, type] of [
      [COMPOSE, JSON_TYPE],
      [FILE, VIDEO_TYPE],
    ] as const) {
      const gone = Promise.withResolvers<void>()
      behaviour = (request) => void request.on('error', () => gone.resolve()).resume()
      const connection = openConnection(hasty.url)
      connection.write(bytesOf({ line, headers: { ...type, 'content-length': '1000' } }))
      const answer = await connection.receive()
      assert.ok(answer !== 'closed')
      assert.deepEqual([answer.status, answer.headers.get('connection')], [408, 'close'])
      assert.equal(JSON.parse(answer.text).error.code, 'request_timeout')
      await gone.promise
      connection.destroy()
    }
  })

  test('bodies that are forwarded to the composer may take as long as they keep arriving when they are files; JSON may not', async () => {
    for (const [line, type, status] of [
      [COMPOSE, JSON_TYPE, 408],
      [FILE, VIDEO_TYPE, 200],
    ] as const) {
      const connection = openConnection(hasty.url)
      const length = 16
      connection.write(bytesOf({ line, headers: { ...type, 'content-length': String(length) } }))
      let sent = 0
      const drip = setInterval(() => {
        connection.write('a')
        sent += 1
        if (sent === length) clearInterval(drip)
      }, BODY_TIMEOUT_MS / 10)
      const answer = await connection.receive()
      clearInterval(drip)
      connection.destroy()
      assert.equal(answer !== 'closed' && answer.status, status)
    }
  })

  test('bodies that are forwarded to the composer of a client that leaves are given up', async () => {
    const arrived = Promise.withResolvers<IncomingMessage>()
    behaviour = (request) => arrived.resolve(request.resume().on('error', () => {}))
    const connection = openConnection(core.url)
    connection.write(bytesOf({ line: FILE, headers: { ...VIDEO_TYPE, 'content-length': '1000' } }))
    const request = await arrived.promise
    connection.destroy()
    await new Promise((resolve) => request.once('close', resolve))
    assert.equal(request.complete, false)
    behaviour = answers
    assert.equal((await core.post('/v1/exercises/compose', { body: {} })).status, 200)
  })

  test('bodies that are forwarded to the composer are refused (503) when the composer breaks off or answers no HTTP, and the connection stays usable', async () => {
    const garbage: RequestListener = ({ socket }) => void socket.end('HELLO\r\n\r\n')
    const cut: RequestListener = ({ socket }) => void socket.destroy()
    for (behaviour of [garbage, cut])
      for (const as of ['length', 'chunked', 'expect'] as const)
        for (const body of [LONG, Buffer.from('{}')]) {
          const { status, text } = await assertSettled(core.url, { line: FILE, headers: VIDEO_TYPE, body, as })
          assert.deepEqual([status, JSON.parse(text).error.code], [503, 'composer_unavailable'])
        }
  })

  test('an answer that breaks off closes the connection', async () => {
    behaviour = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('{"data":', () => response.destroy())
    }
    const connection = openConnection(core.url)
    connection.write(bytesOf({ line: 'GET /v1/renders' }))
    assert.equal(await connection.receive(), 'closed')
  })

  test('bodies that are forwarded to the composer are refused (503) while the composer is down or does not answer', async (t) => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1')
    await once(silent, 'listening')
    t.after(() => silent.close().closeAllConnections())
    for (const port of [await freePort(), portOf(silent)]) {
      const env = { COMPOSER_URL: `http://127.0.0.1:${port}`, REQUEST_TIMEOUT_MS: '200' }
      const lonely = await sharedCore({ env })
      t.after(() => lonely.close())
      for (const as of ['length', 'chunked', 'expect'] as const) {
        const request = { line: COMPOSE, headers: JSON_TYPE, body: Buffer.from('{}'), as }
        const { status, text, headers } = await assertSettled(lonely.url, request)
        assert.deepEqual([status, JSON.parse(text).error.code], [503, 'composer_unavailable'])
        assert.equal(headers.get('retry-after'), '5')
      }
    }
  })
})
