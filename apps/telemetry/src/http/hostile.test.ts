import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { deflateRawSync, gunzipSync, gzipSync } from 'node:zlib'
import { encodeBatch } from '@tendon/pose'
import { randomFrom, soakRuns, soakSeed, until } from '@tendon/testing'
import { type BodyChecker, startBodyChecker } from '../inflate/checker.ts'
import { createMemoryDisk } from '../log/memory-files.testing.ts'
import { batchOf, createSurroundings, gzipOf, mediaEvent, type Surroundings, send, type TestRun } from '../testing.ts'

type Service = Awaited<ReturnType<Surroundings['start']>>

const MEGABYTE = 1024 * 1024

/** A gzip member that claims this many bytes, whatever it contains. */
function lying(content: Buffer, said: number): Buffer {
  const head = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3])
  const tail = Buffer.alloc(8)
  tail.writeUInt32LE(said, 4)
  return Buffer.concat([head, deflateRawSync(content), tail])
}

describe('hostile clients', () => {
  let around: Surroundings
  let service: Service
  let checker: BodyChecker
  let newRun: () => Promise<TestRun>
  before(async () => {
    around = await createSurroundings()
    checker = startBodyChecker((error) => {
      throw error
    })
    service = await around.start({ replaced: { checker } })
    const clinic = await around.clinic()
    newRun = () => clinic.newRun()
  })
  after(async () => {
    await service.stop()
    await around.close()
  })

  test('gzip bombs are refused in milliseconds of processor time, and memory stays flat', async () => {
    const zeros = Buffer.alloc(20 * MEGABYTE)
    const bombs = [gzipSync(zeros), lying(zeros, 9 + 532), lying(zeros, 9 + 600 * 532), gzipSync(gzipSync(zeros))]
    assert.ok(bombs.every(({ length }) => length < 65_536))
    const runs = await Promise.all(Array.from({ length: 20 }, newRun))
    const before = process.memoryUsage().rss
    const times: number[] = []
    for (const run of runs) {
      for (const bomb of bombs) {
        const started = process.cpuUsage()
        const { status } = await service.pose(run, bomb)
        const { user, system } = process.cpuUsage(started)
        times.push((user + system) / 1000)
        assert.equal(status, 400)
      }
    }
    times.sort((a, b) => a - b)
    assert.ok((times[times.length / 2] ?? 0) < 20, `median ${times[times.length / 2]} ms`)
    assert.ok(process.memoryUsage().rss - before < 60 * MEGABYTE)
  })

  test('random bytes are answered with 400, and the checking thread survives', async () => {
    const random = randomFrom(soakSeed())
    const good = gzipOf(1, 5)
    const content = gunzipSync(good)
    for (let round = 0; round < soakRuns(8); round += 1) {
      const run = await newRun()
      for (let count = 0; count < 5; count += 1) {
        const body = Buffer.from(good)
        for (let change = 0; change < 1 + random() * 4; change += 1) {
          body[Math.floor(random() * body.length)] = Math.floor(random() * 256)
        }
        if (body.equals(good)) continue
        const { status } = await service.pose(run, body)
        // Some changes have no effect: the time in the header, the last unused bits, another way to write a repetition.
        assert.ok(status === 400 || (status === 202 && gunzipSync(body).equals(content)), String(status))
      }
    }
    assert.equal((await service.pose(await newRun(), good)).status, 202)
  })

  /** An event whose body starts and stalls. */
  async function startEvent({ url }: Service, { token }: TestRun) {
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    let answer = ''
    socket.on('data', (chunk: Buffer) => void (answer += chunk.toString()))
    await new Promise((resolve) => socket.once('connect', resolve))
    socket.write(
      `POST /v1/media/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-length: 500\r\n\r\n{"event":`,
    )
    return { socket, answer: () => answer }
  }

  test('announced bodies that never arrive hold no slot once the client disconnects', async () => {
    const run = await newRun()
    const served: Socket[] = []
    const seen = (request: IncomingMessage) => void served.push(request.socket)
    service.server.on('request', seen)
    const started = await Promise.all(Array.from({ length: 50 }, () => startEvent(service, run)))
    await until(() => served.length === started.length)
    service.server.off('request', seen)
    around.clock.now += 60_000 // quota for as many again
    assert.equal((await service.event(run, mediaEvent('session_start'))).status, 429, 'every slot is taken')
    for (const { socket } of started) socket.destroy()
    await until(() => served.every(({ destroyed }) => destroyed))
    assert.equal((await service.event(run, mediaEvent('session_start'))).status, 202)
  })

  test('a run with stalled bodies holds some slots, and the rest is refused (429)', async () => {
    const [run, other] = [await newRun(), await newRun()]
    const started = await Promise.all(Array.from({ length: 70 }, () => startEvent(service, run)))
    const refused = () => started.filter(({ answer }) => answer().includes('rate_limited')).length
    await until(() => refused() === 12)
    assert.equal((await service.event(other, mediaEvent('session_start'))).status, 202)
    for (const { socket } of started) socket.destroy()
    await until(async () => (await service.event(run, mediaEvent('session_end'))).status === 202)
  })

  test('a closing page: the end is accepted while the previous event is in progress and the clinic has no quota', async () => {
    const busy = await around.start({ env: { TELEMETRY_ORGANIZATION_MEDIA_PER_SECOND: '1' } })
    const [neighbour, run] = [await newRun(), await newRun()]
    assert.equal((await busy.event(neighbour, mediaEvent('session_start'))).status, 202)
    const heads = Promise.withResolvers<void>()
    busy.server.once('request', () => heads.resolve())
    const hidden = await startEvent(busy, run)
    await heads.promise
    assert.equal((await busy.event(run, mediaEvent('session_end', 5))).status, 202)
    hidden.socket.destroy()
    await busy.stop()
  })

  test('truncated and oversized bodies cost the same quota as accepted ones', async () => {
    const run = await (await around.clinic()).newRun()
    const headers = { authorization: `Bearer ${run.token}`, 'transfer-encoding': 'chunked' }
    const long = () => send(service.url, 'POST', '/v1/media/events', headers, Buffer.alloc(9_000))
    for (let count = 0; count < 25; count += 1) assert.equal((await long()).status, 400)
    for (let count = 0; count < 25; count += 1) {
      const served = new Promise<Socket>((tell) => service.server.once('connection', tell))
      const { socket } = await startEvent(service, run)
      await until(async () => (await served).bytesRead > 0)
      socket.destroy()
      await until(async () => (await served).destroyed)
    }
    assert.equal((await service.event(run, mediaEvent('session_start'))).status, 429)
    assert.equal((await service.event(run, mediaEvent('session_end', 5))).status, 202)
  })

  test('a body that stops being HTTP releases its slot, although the client keeps its side open', async () => {
    const { port } = new URL(service.url)
    for (const path of ['/v1/pose/frames', '/v1/media/events']) {
      const run = await newRun()
      const served = new Promise<Socket>((tell) => service.server.once('connection', tell))
      const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true })
      socket.on('error', () => {})
      const answer = new Promise((tell) => socket.once('data', (chunk: Buffer) => tell(chunk.toString())))
      socket.write(
        `POST ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${run.token}\r\ncontent-type: application/octet-stream\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`,
      )
      await until(async () => (await served).bytesRead > 0)
      socket.write('no length\r\n')
      assert.match(String(await answer), /^HTTP\/1\.1 400 .*malformed_request/s)
      await until(async () => (await served).destroyed)
      socket.destroy()
    }
  })

  test('more bytes than announced are not HTTP and change nothing', async () => {
    const run = await newRun()
    const { port } = new URL(service.url)
    const body = JSON.stringify(mediaEvent('session_start'))
    const socket = connect(Number(port), '127.0.0.1')
    const answer = Promise.withResolvers<string>()
    let text = ''
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString()
    })
    socket.on('close', () => answer.resolve(text))
    socket.write(
      `POST /v1/media/events HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${run.token}\r\ncontent-length: ${body.length - 5}\r\n\r\n${body}`,
    )
    assert.match(await answer.promise, /^HTTP\/1\.1 400 .*malformed_request/s)
    assert.equal(service.runs.latest(run.id), undefined)
  })

  test('a full disk: pose gets 429, media 503 with Retry-After; both continue when there is space again', async () => {
    const disk = createMemoryDisk()
    const full = await around.start({ disk })
    const run = await newRun()
    await full.pose(run, gzipOf(1))
    disk.room = 0
    const [posed, event] = [await full.pose(run, gzipOf(2)), await full.event(run, mediaEvent('session_start'))]
    assert.deepEqual([posed.status, posed.body.error.code], [429, 'shed'])
    assert.deepEqual([event.status, event.body.error.code], [503, 'unavailable'])
    assert.ok(posed.headers['retry-after'] && event.headers['retry-after'])
    const again = [await full.pose(run, gzipOf(2)), await full.event(run, mediaEvent('session_end'))]
    assert.deepEqual(
      again.map(({ status }) => status),
      [429, 503],
    )
    assert.deepEqual(full.fatal, [])
    disk.room = Number.POSITIVE_INFINITY
    await until(async () => (await full.event(run, mediaEvent('session_start'))).status === 202)
    assert.equal((await full.event(run, mediaEvent('session_end', 5))).status, 202)
    await until(() => full.runs.size === 0)
    await full.stop()
  })

  test('after a failed sync nothing is acknowledged any more', async () => {
    const disk = createMemoryDisk()
    const failing = await around.start({ disk })
    const run = await newRun()
    await failing.pose(run, gzipOf(1))
    disk.syncError = 'EIO'
    assert.equal((await failing.pose(run, gzipOf(2))).status, 503)
    disk.syncError = undefined
    assert.equal(failing.fatal.length, 1)
    for (const answer of [await failing.pose(run, gzipOf(3)), await failing.event(run, mediaEvent('session_end'))])
      assert.deepEqual([answer.status, answer.body.error.code], [503, 'unavailable'])
    await failing.stop()
  })

  test('a slow disk sheds pose and accepts the end of a session', async () => {
    const disk = createMemoryDisk()
    const slow = await around.start({ disk })
    const [first, second, third, fourth] = await Promise.all([newRun(), newRun(), newRun(), newRun()])
    const gate = Promise.withResolvers<void>()
    disk.gate = gate.promise
    const unsynced = () => disk.files.values().reduce((sum, { content, synced }) => sum + content.length - synced, 0)
    const before = unsynced()
    const waiting = slow.pose(first, gzipOf(1))
    await until(() => unsynced() > before)
    await new Promise((resolve) => setTimeout(resolve, 80))
    const shed = await slow.pose(second, gzipOf(1))
    assert.deepEqual([shed.status, shed.body.error.code, shed.headers['retry-after']], [429, 'shed', '1'])
    const end = slow.event(third, mediaEvent('session_end'))
    gate.resolve()
    assert.equal((await waiting).status, 202)
    assert.equal((await end).status, 202)
    assert.equal((await slow.pose(fourth, gzipOf(1))).status, 202)
    await slow.stop()
  })

  test('the thread accepts a batch of every size, as the function does', async () => {
    const check = (body: Buffer) => new Promise((tell) => checker.check(body, tell))
    for (const frames of [1, 2, 59, 600]) {
      assert.equal(await check(gzipSync(encodeBatch(batchOf(1, frames)))), frames)
    }
    const many = await Promise.all(Array.from({ length: 200 }, (_, at) => check(gzipOf(at, 1 + (at % 30)))))
    assert.deepEqual(
      many,
      Array.from({ length: 200 }, (_, at) => 1 + (at % 30)),
    )
  })
})
