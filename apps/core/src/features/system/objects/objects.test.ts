import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer, text } from 'node:stream/consumers'
import { after, before, describe, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { SignedUrlOptions } from '@tendon/object-store'
import * as fc from 'fast-check'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { readRange } from './rules.ts'

const CONTENT = 'Zece cifre: 0123456789'
const HOUR_MS = 3_600_000
/** More than the buffers between two ends of a connection hold. */
const LARGE_BYTES = 16 * 1024 * 1024

describe('objects', () => {
  let core: TestCore
  let clock: Date | undefined
  before(async () => {
    core = await sharedCore({ services: { now: () => clock ?? new Date() } })
  })
  after(() => core.close())

  /** Stores a file and gives the path and query of its signed link. */
  async function link(options: Partial<SignedUrlOptions> = {}, body: string | Buffer = CONTENT, of = core) {
    const key = `exports/${randomUUID()}/report.pdf`
    const bytes = Buffer.from(body)
    await of.services.objects.put(key, bytes, { contentType: 'text/plain', maxBytes: bytes.length })
    return linkTo(key, options, of)
  }
  async function linkTo(key: string, options: Partial<SignedUrlOptions> = {}, of = core) {
    const signed = await of.services.objects.signedUrl(key, { method: 'GET', expiresInSeconds: 60, ...options })
    const { pathname, search } = new URL(signed)
    return pathname + search
  }

  /** Like `fetch`, without normalizing the path. */
  function send(path: string, of = core) {
    const { hostname, port } = new URL(of.url)
    return request({ hostname, port, path, agent: false }).end()
  }
  async function rawGet(path: string): Promise<{ status: number; body: string }> {
    const [response] = (await once(send(path), 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, body: await text(response) }
  }

  test('a signed link returns the file as a download that no browser opens in our origin', async () => {
    const path = await link({ downloadName: 'Fișă 1.pdf', contentType: 'application/pdf' })
    const { status, text, headers } = await core.get(path)
    assert.equal(status, 200)
    assert.equal(text, CONTENT)
    const shown = Object.fromEntries(
      ['content-type', 'content-length', 'content-disposition', 'x-content-type-options', 'accept-ranges'].map(
        (name) => [name, headers.get(name)],
      ),
    )
    assert.deepEqual(shown, {
      'content-type': 'application/pdf',
      'content-length': String(Buffer.byteLength(CONTENT)),
      'content-disposition': `attachment; filename="Fi__ 1.pdf"; filename*=UTF-8''Fi%C8%99%C4%83%201.pdf`,
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
    })
    assert.equal(headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(headers.get('cache-control'), 'private')
    assert.ok(headers.get('x-request-id'))
  })

  test('a link without type and name returns the stored type, still as a download; an empty file is empty', async () => {
    const { headers } = await core.get(await link())
    assert.equal(headers.get('content-type'), 'text/plain')
    assert.equal(headers.get('content-disposition'), 'attachment')
    const empty = await core.get(await link({}, ''))
    assert.deepEqual([empty.status, empty.text, empty.headers.get('content-length')], [200, '', '0'])
  })

  test('HEAD returns the same headers without the content; other methods are refused', async () => {
    const path = await link({ contentType: 'application/pdf' })
    const { status, text, headers } = await core.call('HEAD', path, { headers: { range: 'bytes=0-1' } })
    assert.deepEqual([status, text], [200, ''])
    assert.equal(headers.get('content-length'), String(Buffer.byteLength(CONTENT)))
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.equal((await core.call('HEAD', `${path}x`)).status, 403)
    for (const method of ['PUT', 'POST', 'DELETE']) assert.equal((await core.call(method, path)).status, 405, method)
  })

  test('a link with a changed, repeated or missing part is refused (403)', async () => {
    const path = await link({ downloadName: 'n', contentType: 'text/html' })
    const original = new URL(path, core.url)
    for (const [parameter, value] of original.searchParams) {
      const changed = new URL(original)
      changed.searchParams.set(parameter, /^\d+$/.test(value) ? `${Number(value) + 1}` : `${value}x`)
      const repeated = new URL(original)
      repeated.searchParams.append(parameter, value)
      const missing = new URL(original)
      missing.searchParams.delete(parameter)
      for (const [change, tampered] of Object.entries({ changed, repeated, missing })) {
        const { status, body } = await core.get(tampered.pathname + tampered.search)
        assert.deepEqual([status, body.error.code], [403, 'invalid_signature'], `${parameter} ${change}`)
      }
    }
    assert.equal((await core.get(path.replace('report', 'other'))).body.error.code, 'invalid_signature')
    assert.equal((await core.get(original.pathname)).body.error.code, 'invalid_signature')
    assert.equal((await core.get(path)).status, 200)
  })

  test('an expired link is refused (403)', async () => {
    const path = await link()
    clock = new Date(Date.now() + HOUR_MS)
    const { status, body } = await core.get(path)
    const forged = await core.get(path.replace('signature=', 'signature=x'))
    clock = undefined
    assert.deepEqual([status, body.error.code], [403, 'link_expired'])
    assert.match(body.error.message, /new link/)
    assert.equal(forged.body.error.code, 'invalid_signature')
    assert.equal((await core.get(path)).status, 200)
  })

  test('a link to a file that is gone is not found (404)', async () => {
    const path = await linkTo('exports/gone.pdf')
    for (const method of ['GET', 'HEAD']) assert.equal((await core.call(method, path)).status, 404)
    assert.equal((await core.get(path)).body.error.code, 'not_found')
    assert.equal((await core.get(path)).headers.get('content-security-policy')?.includes('sandbox'), false)
  })

  test('a range returns that part (206); one outside the file is refused with its length (416)', async () => {
    const path = await link({}, '0123456789')
    const get = async (range: string, headers = {}) => {
      const answer = await core.get(path, { headers: { range, ...headers } })
      return [answer.status, answer.body?.error?.code ?? answer.text, answer.headers.get('content-range')]
    }
    assert.deepEqual(await get('bytes=2-4'), [206, '234', 'bytes 2-4/10'])
    assert.deepEqual(await get('bytes=7-'), [206, '789', 'bytes 7-9/10'])
    assert.deepEqual(await get('bytes=-2'), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await get('bytes=8-99999999999999999999'), [206, '89', 'bytes 8-9/10'])
    assert.deepEqual(await get('bytes=-99'), [206, '0123456789', 'bytes 0-9/10'])
    for (const outside of ['bytes=10-', 'bytes=99999999999999999999-', 'bytes=-0']) {
      assert.deepEqual(await get(outside), [416, 'range_not_satisfiable', 'bytes */10'], outside)
    }
    for (const ignored of ['bytes=4-2', 'bytes=0-1,3-4', 'bytes=', 'bytes=-', 'bytes=a-b', 'lines=1-2', 'bytes=-1-2']) {
      assert.deepEqual(await get(ignored), [200, '0123456789', null], ignored)
    }
    assert.deepEqual(await get('bytes=2-4', { 'if-range': '"a"' }), [200, '0123456789', null])
    const empty = await core.get(await link({}, ''), { headers: { range: 'bytes=0-' } })
    assert.deepEqual([empty.status, empty.headers.get('content-range')], [416, 'bytes */0'])
  })

  test('any range is within the file', () => {
    fc.assert(
      fc.property(fc.nat(50), fc.nat(60), fc.nat(60), fc.constantFrom('ab', 'a', 'b'), (total, a, b, shape) => {
        const header = `bytes=${shape.includes('a') ? a : ''}-${shape.includes('b') ? b : ''}`
        const range = readRange(header, total)
        if (range === undefined) return assert.ok(shape === 'ab' && b < a)
        if (range === 'none') return assert.ok(shape === 'b' ? b === 0 || total === 0 : a >= total)
        assert.ok(0 <= range.start && range.start <= range.end && range.end < total)
      }),
    )
  })

  test('malicious keys are refused and never reach the file system', async () => {
    const path = await link()
    const [, query = ''] = path.split('?')
    for (const key of [
      '../../../etc/passwd',
      '..%2f..%2fetc%2fpasswd',
      '%2e%2e/%2e%2e/etc/passwd',
      'exports/..%2f..%2fpostgres',
      'exports/%00',
      'exports/a%00.pdf',
      '%2fetc%2fpasswd',
      '/etc/passwd',
      'exports\\..\\x',
      'Exports/A',
      '',
      'a'.repeat(500),
      '.hidden',
    ]) {
      const { status, body } = await rawGet(`/v1/public/objects/${key}?${query}`)
      assert.equal(status, 403, key)
      assert.equal(JSON.parse(body).error.code, 'invalid_signature', key)
    }
  })

  test('the signature is in no log line', async () => {
    const path = await link()
    await core.get(path)
    await core.get(path.replace('report', 'other'))
    const signature = new URLSearchParams(path.split('?')[1]).get('signature') ?? ''
    assert.ok(signature.length > 20)
    assert.ok(!core.log.join('').includes(signature))
  })

  test('a client that disconnects leaves no open file', async () => {
    const path = await link({}, Buffer.alloc(LARGE_BYTES))
    const { objects } = core.services
    const get = objects.get.bind(objects)
    const opened = Promise.withResolvers<NodeJS.ReadableStream>()
    objects.get = async (...args) => {
      const object = await get(...args)
      if (object) opened.resolve(object.body)
      return object
    }
    const leaving = send(path)
    await once(leaving, 'response')
    const file = await opened.promise
    leaving.destroy()
    await once(file, 'close')
    objects.get = get
  })

  test('a download may take longer than other requests', async (t) => {
    const hasty = await sharedCore({ env: { REQUEST_TIMEOUT_MS: '100' } })
    t.after(() => hasty.close())
    const path = await link({}, Buffer.alloc(LARGE_BYTES), hasty)
    const [response] = (await once(send(path, hasty), 'response')) as [IncomingMessage]
    await setTimeout(400)
    assert.equal((await buffer(response)).length, LARGE_BYTES)
  })

  test('with another store than the file system the URL does not exist (404)', async (t) => {
    const elsewhere = await sharedCore({
      env: { OBJECT_STORE: 's3', S3_BUCKET: 'b', S3_ACCESS_KEY_ID: 'id', S3_SECRET_ACCESS_KEY: 'secret' },
    })
    t.after(() => elsewhere.close())
    const { status, body } = await elsewhere.get(await link())
    assert.deepEqual([status, body.error.code], [404, 'not_found'])
  })
})
