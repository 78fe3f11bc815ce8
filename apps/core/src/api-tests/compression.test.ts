import assert from 'node:assert/strict'
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { MIN_COMPRESSED_BYTES, notFound, publicAccess } from '@tendon/http'
import { Type } from 'typebox'
import type { Routes } from '../feature.ts'
import { sharedCore, type TestCore } from '../testing/core.ts'

const config = { access: publicAccess(), summary: 'A test', refusals: [notFound] }
const FRAME = '{"data":""}'.length

/** Answers of any size and kind. */
const samples: Routes = (app) => {
  const sized = (bytes: unknown) => ({ data: 'x'.repeat(Number(bytes) - FRAME) })
  const schema = { response: { 200: Type.Any(), 206: Type.Any() } }
  app.get<{ Params: { bytes: string } }>('/v1/test/sized/:bytes', { config, schema }, ({ params }) =>
    sized(params.bytes),
  )
  app.get('/v1/test/secret', { config: { ...config, secretAnswer: true }, schema }, () => sized(20_000))
  app.get('/v1/test/open', { config }, () => sized(20_000))
  app.post('/v1/test/written', { config, schema }, () => sized(20_000))
  app.get('/v1/test/refused', { config, schema }, () => {
    throw notFound({ fields: { name: 'x'.repeat(20_000) } })
  })
  app.get('/v1/test/bytes', { config, schema }, (_, reply) => reply.type('image/png').send(Buffer.alloc(20_000)))
  app.get('/v1/test/page', { config, schema }, (_, reply) => reply.type('text/html').send('x'.repeat(20_000)))
  app.get('/v1/test/stream', { config, schema }, (_, reply) =>
    reply.type('application/json').send(Readable.from(['"', 'x'.repeat(20_000), '"'])),
  )
  app.get('/v1/test/part', { config, schema }, (_, reply) =>
    reply.code(206).type('application/json').send('x'.repeat(20_000)),
  )
  app.get('/v1/test/coded', { config, schema }, (_, reply) =>
    reply.type('application/json').header('content-encoding', 'gzip').send('x'.repeat(20_000)),
  )
  app.get('/v1/test/version', { config, schema }, () => ({ data: { version: 3, text: 'x'.repeat(20_000) } }))
}

interface Sent {
  status: number | undefined
  headers: Record<string, string | string[] | undefined>
  bytes: Buffer
}

describe('compression of answers', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore({ routes: [samples] })
  })
  after(() => core.close())

  function send(
    path: string,
    encoding?: string,
    { method = 'GET', ...more }: Record<string, string> = {},
  ): Promise<Sent> {
    const headers = { ...(encoding === undefined ? {} : { 'accept-encoding': encoding }), ...more }
    return new Promise((resolve, reject) => {
      const sent = request(core.url + path, { method, headers }, (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
      })
      sent.on('error', reject).end()
    })
  }
  const codingOf = ({ headers }: Sent) => headers['content-encoding']
  function textOf({ headers, bytes }: Sent): string {
    const coding = headers['content-encoding']
    return String(coding === 'br' ? brotliDecompressSync(bytes) : coding === 'gzip' ? gunzipSync(bytes) : bytes)
  }

  for (const [accepted, coding] of [
    [undefined, undefined],
    ['identity', undefined],
    ['gzip;q=0, br;q=0', undefined],
    ['zstd, deflate', undefined],
    ['gzip', 'gzip'],
    ['br;q=0.1, gzip;q=0.9', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['*', 'br'],
  ])
    test(`a long answer is sent with ${coding ?? 'no encoding'} when the client accepts ${accepted ?? 'nothing else'}`, async () => {
      const answer = await send('/v1/test/sized/20000', accepted)
      assert.equal(codingOf(answer), coding)
      assert.equal(textOf(answer), `{"data":"${'x'.repeat(20_000 - FRAME)}"}`)
      assert.equal(answer.headers['content-length'], String(answer.bytes.length))
      assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8')
      assert.equal(answer.headers['cache-control'], 'no-store')
      assert.equal(answer.headers.vary, 'accept-encoding')
    })

  test('an answer of up to 8 KB is not compressed, but has the same Vary header', async () => {
    const [fits, over] = [
      await send(`/v1/test/sized/${MIN_COMPRESSED_BYTES}`, 'gzip'),
      await send(`/v1/test/sized/${MIN_COMPRESSED_BYTES + 1}`, 'gzip'),
    ]
    assert.deepEqual([codingOf(fits), fits.bytes.length, fits.headers.vary], [undefined, 8192, 'accept-encoding'])
    assert.deepEqual([codingOf(over), textOf(over).length, over.headers.vary], ['gzip', 8193, 'accept-encoding'])
  })

  test('HEAD and GET have the same headers', async () => {
    const [got, head] = [
      await send('/v1/test/sized/20000', 'gzip'),
      await send('/v1/test/sized/20000', 'gzip', { method: 'HEAD' }),
    ]
    assert.equal(head.bytes.length, 0)
    for (const name of ['content-encoding', 'content-length', 'content-type', 'vary'])
      assert.equal(head.headers[name], got.headers[name], name)
  })

  const PLAIN: Record<string, [path: string, status: number, method?: string]> = {
    'that holds a secret': ['/v1/test/secret', 200],
    'without a contract': ['/v1/test/open', 200],
    'of a write': ['/v1/test/written', 200, 'POST'],
    'that refuses': ['/v1/test/refused', 404],
    'of bytes': ['/v1/test/bytes', 200],
    'that is a page': ['/v1/test/page', 200],
    'that is a part': ['/v1/test/part', 206],
    'that is a stream': ['/v1/test/stream', 200],
  }
  for (const [name, [path, status, method = 'GET']] of Object.entries(PLAIN))
    test(`an answer ${name} is never compressed`, async () => {
      const answer = await send(path, 'gzip, br', { method })
      assert.deepEqual([answer.status, codingOf(answer), answer.headers.vary], [status, undefined, undefined])
      assert.ok(answer.bytes.length >= 20_000)
    })

  test('an answer that is already encoded is not encoded again', async () => {
    const answer = await send('/v1/test/coded', 'gzip, br')
    assert.deepEqual([codingOf(answer), answer.bytes.length], ['gzip', 20_000])
  })

  test('the ETag of a versioned row is weak in a compressed answer, and If-Match accepts it', async () => {
    assert.equal((await send('/v1/test/version')).headers.etag, '"3"')
    assert.equal((await send('/v1/test/version', 'gzip')).headers.etag, 'W/"3"')
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}`
    const headers = { 'if-match': `W/${(await core.get(path, { as: clinic.admin })).headers.get('etag')}` }
    assert.equal((await core.patch(path, { as: clinic.admin, headers, body: { name: 'New' } })).status, 200)
    assert.equal((await core.patch(path, { as: clinic.admin, headers, body: { name: 'Late' } })).status, 409)
  })

  test('JSON and CSV are compressed, but not answers with links to files', async () => {
    const clinic = await core.organization()
    const authorization = `Bearer ${clinic.admin.token}`
    const locations = `/v1/organizations/${clinic.id}/locations`
    const names = Array.from({ length: 50 }, (_, at) => `${at} ${'x'.repeat(180)}`)
    await Promise.all(names.map((name) => core.post(locations, { as: clinic.admin, body: { name } })))
    for (const accept of ['application/json', 'text/csv']) {
      const [plain, zipped] = [
        await send(`${locations}?limit=500`, undefined, { authorization, accept }),
        await send(`${locations}?limit=500`, 'gzip', { authorization, accept }),
      ]
      assert.equal(codingOf(zipped), 'gzip', accept)
      assert.equal(zipped.headers.vary, 'accept, accept-encoding')
      assert.equal(textOf(zipped), textOf(plain))
      assert.ok(zipped.bytes.length < plain.bytes.length / 2)
    }
    const body = { name: 'Ana', description: 'x'.repeat(5_000), scheduling_timezone: 'Europe/Bucharest' }
    for (const slug of ['a', 'b']) await core.post('/v1/specialists', { as: clinic.admin, body: { ...body, slug } })
    const specialists = await send('/v1/specialists', 'gzip, br', { authorization })
    assert.equal(codingOf(specialists), undefined)
    assert.ok(specialists.bytes.length > 10_000)
  })
})
