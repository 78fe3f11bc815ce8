import assert from 'node:assert/strict'
import { createServer, Server as HttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, Server as HttpsServer } from 'node:https'
import { createServer as createTcpServer, type Server } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { portOf, startDnsServer, type TestDnsServer, testCertificate } from '@tendon/testing'
import { createOutbound, type Outbound, OutboundError } from './index.ts'

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'reached',
    (error: unknown) => (error instanceof OutboundError ? error.failure : String(error)),
  )

const bytesOf = async (request: IncomingMessage) => Buffer.concat(await request.toArray())

describe('the outbound client', () => {
  let dns: TestDnsServer
  let outbound: Outbound
  let base: string
  const servers: Server[] = []
  const seen: { path: string; body: Buffer; headers: IncomingMessage['headers'] }[] = []

  async function listen(server: Server): Promise<number> {
    servers.push(server)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return portOf(server)
  }

  const answers: Record<string, (reply: ServerResponse) => void> = {
    '/ok': (reply) => reply.end('{"ok":true}'),
    '/empty': (reply) => reply.writeHead(204).end(),
    '/redirect': (reply) => reply.writeHead(302, { location: '/ok' }).end(),
    '/silent': () => {},
    '/trickle': (reply) => {
      reply.write('a')
      const timer = setInterval(() => reply.write('a'), 50)
      reply.once('close', () => clearInterval(timer))
    },
    '/huge': (reply) => {
      const chunk = Buffer.alloc(64_000, 'x')
      const more = () => {
        while (!reply.destroyed && reply.write(chunk));
      }
      reply.on('drain', more)
      more()
    },
    '/cut': (reply) => {
      reply.writeHead(200, { 'content-length': '100' }).write('half')
      setImmediate(() => reply.destroy())
    },
  }

  async function handle(request: IncomingMessage, reply: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    seen.push({ path, body: await bytesOf(request), headers: request.headers })
    answers[path]?.(reply)
  }

  before(async () => {
    dns = await startDnsServer()
    outbound = createOutbound({ dnsServers: [dns.address], allowPrivate: true, timeoutMs: 5_000 })
    base = `http://127.0.0.1:${await listen(createServer(handle))}`
  })
  after(async () => {
    await outbound.close()
    for (const server of servers) {
      if (server instanceof HttpServer || server instanceof HttpsServer) server.closeAllConnections()
      server.close()
    }
    await dns.close()
  })

  test('postJson sends the given bytes and returns status, body and duration', async () => {
    const bytes = Buffer.from('{"a": "ă"}')
    const answer = await outbound.postJson(`${base}/ok`, bytes, { headers: { 'x-webhook-signature': 'sha256=0' } })
    assert.deepEqual([answer.status, answer.body.toString(), answer.truncated], [200, '{"ok":true}', false])
    assert.ok(answer.durationMs > 0)
    const last = seen.at(-1)
    assert.deepEqual(last?.body, bytes)
    assert.equal(last.headers['content-type'], 'application/json')
    assert.equal(last.headers['x-webhook-signature'], 'sha256=0')
    await outbound.postJson(`${base}/ok`, { a: 1 })
    assert.equal(seen.at(-1)?.body.toString(), '{"a":1}')
  })

  test('a redirect is an answer and is not followed', async () => {
    seen.length = 0
    assert.equal((await outbound.request(`${base}/redirect`)).status, 302)
    assert.deepEqual(
      seen.map(({ path }) => path),
      ['/redirect'],
    )
  })

  test('a huge body is read up to the limit and the connection is closed', async () => {
    const { body, truncated } = await outbound.request(`${base}/huge`, { maxBytes: 20_000 })
    assert.deepEqual([body.length, truncated], [20_000, true])
  })

  test('the time limit covers silence, a trickled body and DNS', async () => {
    for (const path of ['/silent', '/trickle']) {
      assert.equal(await failureOf(outbound.request(`${base}${path}`, { timeoutMs: 300 })), 'timeout', path)
    }
    dns.mood = 'silent'
    try {
      // A timer of this process instead of a measured time: on a busy machine both are late.
      const late = sleep(2_000, 'late', { ref: false })
      const attempt = outbound.request('http://nobody.example/', { timeoutMs: 300 })
      assert.equal(await Promise.race([failureOf(attempt), late]), 'timeout')
    } finally {
      dns.mood = 'answers'
    }
  })

  test('failures are names: refused, connection_lost, dns', async () => {
    const closed = createServer()
    const port = await listen(closed)
    await new Promise((resolve) => closed.close(resolve))
    assert.equal(await failureOf(outbound.request(`http://127.0.0.1:${port}/`)), 'refused')
    assert.equal(await failureOf(outbound.request(`${base}/cut`)), 'connection_lost')
    assert.equal(await failureOf(outbound.request('http://unknown.example/')), 'dns')
    const nonsense = createTcpServer((socket) => socket.once('data', () => socket.write('220 mail.example ESMTP\r\n')))
    assert.equal(await failureOf(outbound.request(`http://127.0.0.1:${await listen(nonsense)}/`)), 'invalid_response')
    const message = await outbound.request('http://unknown.example/').catch((error: Error) => error.message)
    assert.equal(message, 'dns')
  })

  test('TLS is verified against the name in the URL, not the address', async () => {
    const port = await listen(createTlsServer(testCertificate, handle))
    dns.setAddresses('receiver.example', ['127.0.0.1'])
    dns.setAddresses('other.example', ['127.0.0.1'])
    const trusting = createOutbound({ dnsServers: [dns.address], allowPrivate: true, ca: testCertificate.cert })
    try {
      assert.equal((await trusting.request(`https://receiver.example:${port}/ok`)).status, 200)
      assert.equal(await failureOf(trusting.request(`https://other.example:${port}/ok`)), 'tls')
      assert.equal(await failureOf(outbound.request(`https://receiver.example:${port}/ok`)), 'tls')
    } finally {
      await trusting.close()
    }
  })

  test('the next address is tried when the first does not answer', async () => {
    const { port } = new URL(base)
    dns.setAddresses('twice.example', ['127.0.0.1', '::1'])
    assert.equal((await outbound.request(`http://twice.example:${port}/ok`)).status, 200)
  })

  test('only https without credentials is requested, and http where development allows it', async () => {
    const strict = createOutbound()
    for (const [url, problem] of [
      ['http://receiver.example/', 'not_https'],
      ['ftp://receiver.example/', 'not_https'],
      ['file:///etc/passwd', 'unparsable'],
      ['https://user:secret@receiver.example/', 'credentials'],
      ['https://user@receiver.example/', 'credentials'],
      [`https://receiver.example/${'a'.repeat(2_048)}`, 'too_long'],
      ['receiver.example', 'unparsable'],
      ['https://', 'unparsable'],
      ['https://receiver.example/hook?a=1', undefined],
    ] as const) {
      assert.equal(strict.urlProblem(url), problem, url)
      if (problem) assert.equal(await failureOf(strict.request(url)), 'invalid_url')
    }
    assert.equal(outbound.urlProblem('http://receiver.example/'), undefined)
    await strict.close()
  })

  test('fetch serves libraries that ask for one: forms, headers, empty answers', async () => {
    const answer = await outbound.fetch(`${base}/ok`, {
      method: 'POST',
      headers: new Headers({ accept: 'application/json' }),
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    })
    assert.deepEqual(await answer.json(), { ok: true })
    assert.equal(seen.at(-1)?.body.toString(), 'grant_type=refresh_token')
    assert.equal((await outbound.fetch(`${base}/empty`)).status, 204)
    assert.equal(await failureOf(outbound.fetch(`${base}/huge`)), 'too_large')
  })
})
