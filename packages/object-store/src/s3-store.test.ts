import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { portOf } from '@tendon/testing'
import { createS3Store, ObjectExists, ObjectTooLarge } from './index.ts'

const MB = 1024 * 1024
const contentType = 'text/plain'
type Answer = { status?: number; headers?: Record<string, string>; body?: string }
type Seen = { line: string; ifNoneMatch: string | undefined; bytes: number; body: string }

const precondition = { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' }
const conflict = { status: 409, body: '<Error><Code>ConditionalRequestConflict</Code></Error>' }
const created = { body: '<InitiateMultipartUploadResult><UploadId>u1</UploadId></InitiateMultipartUploadResult>' }
const part = { headers: { etag: '"e"' } }
const completed = { body: '<CompleteMultipartUploadResult><ETag>"e"</ETag></CompleteMultipartUploadResult>' }

/** A server that returns prepared responses and records requests: tests on the wire what s3rver cannot do. */
async function wire(t: TestContext, ...answers: Answer[]) {
  const seen: Seen[] = []
  const answerNext = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request)
    const { method = '', url = '', headers } = request
    const [path = '', query = ''] = url.split('?')
    const parameters = new URLSearchParams(query)
    parameters.delete('x-id')
    const line = `${method} ${path}?${parameters.toString()}`
    seen.push({ line, ifNoneMatch: headers['if-none-match'], bytes: Number(headers['content-length'] ?? 0), body })
    const answer = answers.shift() ?? { status: 400, body: '<Error><Code>Unexpected</Code></Error>' }
    response.writeHead(answer.status ?? 200, answer.headers).end(answer.body)
  }
  const server = createServer((request, response) => void answerNext(request, response))
  t.after(() => server.close().closeAllConnections())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const endpoint = `http://127.0.0.1:${portOf(server)}`
  const keys = { accessKeyId: 'a', secretAccessKey: 'b' }
  const store = createS3Store({ bucket: 'tendon', region: 'eu-central-1', endpoint, forcePathStyle: true, ...keys })
  return { seen, store, lines: () => seen.map(({ line }) => line) }
}

const page = (key: string, next: string) =>
  `<ListBucketResult><Contents><Key>${key}</Key></Contents>${next}</ListBucketResult>`
const stream = (megabytes: number) => Readable.from(Array.from({ length: megabytes }, () => Buffer.alloc(MB)))

test('ifAbsent makes the write itself conditional', async (t) => {
  const { seen, store } = await wire(t, precondition)
  const put = store.put('k', Buffer.of(1), { contentType, maxBytes: 1, ifAbsent: true })
  await assert.rejects(put, ObjectExists)
  assert.deepEqual(seen, [{ line: 'PUT /tendon/k?', ifNoneMatch: '*', bytes: 1, body: '\u0001' }])
})

test('without ifAbsent the write is unconditional', async (t) => {
  const { seen, store } = await wire(t, part)
  await store.put('k', Buffer.of(1), { contentType, maxBytes: 1 })
  assert.equal(seen[0]?.ifNoneMatch, undefined)
})

test('a conditional put that conflicts with another is retried', async (t) => {
  const { seen, store } = await wire(t, conflict, precondition)
  const put = store.put('k', Buffer.of(1), { contentType, maxBytes: 1, ifAbsent: true })
  await assert.rejects(put, ObjectExists)
  assert.deepEqual(
    seen.map(({ ifNoneMatch }) => ifNoneMatch),
    ['*', '*'],
  )
})

test('a large put sends parts of 8 MB, and its completion is conditional', async (t) => {
  const { seen, lines, store } = await wire(t, created, part, part, completed)
  await store.put('k', stream(12), { contentType, maxBytes: 12 * MB, ifAbsent: true })
  assert.deepEqual(lines(), [
    'POST /tendon/k?uploads=',
    'PUT /tendon/k?partNumber=1&uploadId=u1',
    'PUT /tendon/k?partNumber=2&uploadId=u1',
    'POST /tendon/k?uploadId=u1',
  ])
  assert.deepEqual(
    seen.slice(1, 3).map(({ bytes }) => bytes),
    [8 * MB, 4 * MB],
  )
  assert.deepEqual(
    seen.map(({ ifNoneMatch }) => ifNoneMatch),
    [undefined, undefined, undefined, '*'],
  )
})

test('a large put that loses to another removes its parts', async (t) => {
  const { lines, store } = await wire(t, created, part, precondition, { status: 204 })
  await assert.rejects(store.put('k', stream(8), { contentType, maxBytes: 8 * MB, ifAbsent: true }), ObjectExists)
  assert.equal(lines().at(-1), 'DELETE /tendon/k?uploadId=u1')
})

test('a large put over the limit removes its parts and never completes', async (t) => {
  const { lines, store } = await wire(t, created, part, { status: 204 })
  await assert.rejects(store.put('k', stream(20), { contentType, maxBytes: 10 * MB }), ObjectTooLarge)
  assert.deepEqual(lines().slice(1), ['PUT /tendon/k?partNumber=1&uploadId=u1', 'DELETE /tendon/k?uploadId=u1'])
})

test('a part that S3 refuses ends the put with its error, destroys the source and removes the parts', async (t) => {
  const denied = { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' }
  const { lines, store } = await wire(t, created, denied, { status: 204 })
  const source = stream(20)
  await assert.rejects(store.put('k', source, { contentType, maxBytes: 20 * MB }), { name: 'AccessDenied' })
  assert.ok(source.destroyed)
  assert.equal(lines().at(-1), 'DELETE /tendon/k?uploadId=u1')
})

test('a long list is read page by page', async (t) => {
  const { lines, store } = await wire(
    t,
    { body: page('p/a', '<IsTruncated>true</IsTruncated><NextContinuationToken>t 1</NextContinuationToken>') },
    { body: page('p/b', '<IsTruncated>false</IsTruncated>') },
  )
  assert.deepEqual(await Array.fromAsync(store.list('p/')), ['p/a', 'p/b'])
  assert.deepEqual(lines(), [
    'GET /tendon/?list-type=2&prefix=p%2F',
    'GET /tendon/?continuation-token=t+1&list-type=2&prefix=p%2F',
  ])
})

test('a missing bucket is an error, not a missing object', async (t) => {
  const { store } = await wire(t, { status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' })
  await assert.rejects(store.get('k'), { name: 'NoSuchBucket' })
})

test('a store that refuses to write is not ready', async (t) => {
  const { store } = await wire(t, { status: 403, body: '<Error><Code>AccessDenied</Code></Error>' })
  await assert.rejects(store.check(), { name: 'AccessDenied' })
})

test('a signed URL carries type, name and lifetime, and no checksum demands', async (t) => {
  const { store } = await wire(t)
  const options = {
    method: 'GET',
    expiresInSeconds: 60,
    downloadName: 'fișă.pdf',
    contentType: 'application/pdf',
  } as const
  const query = new URL(await store.signedUrl('k', options)).searchParams
  assert.equal(query.get('X-Amz-Expires'), '60')
  assert.equal(query.get('response-content-type'), 'application/pdf')
  assert.match(query.get('response-content-disposition') ?? '', /^attachment; .*UTF-8''fi%C8%99%C4%83\.pdf$/)
  assert.equal(query.get('x-amz-checksum-mode'), null)
})
