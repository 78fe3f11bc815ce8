import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { after, before, beforeEach, describe, test } from 'node:test'
import { portOf } from '@tendon/testing'
import { ApiError, type ClientOptions, createClient, listOf, type TelemetryRoutes } from './index.ts'

interface Seen {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}
type Reply = [status: number, body?: unknown, headers?: Record<string, string>]

describe('the client', () => {
  let seen: Seen[] = []
  let replies: Reply[] = []
  let waits: number[] = []
  let baseUrl = ''
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      seen.push({ method, url, headers, body: Buffer.concat(chunks).toString() })
      const [status, body, extra] = replies.shift() ?? [200, {}]
      response.writeHead(status, { 'content-type': 'application/json', ...extra })
      response.end(typeof body === 'string' ? body : JSON.stringify(body))
    })
  })
  before(async () => {
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    baseUrl = `http://127.0.0.1:${portOf(server)}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  beforeEach(() => {
    seen = []
    replies = []
    waits = []
  })

  const client = (options: ClientOptions = {}) =>
    createClient({ baseUrl, wait: async (seconds) => void waits.push(seconds), ...options })
  const refusal = (code: string, extra: object = {}) => ({ error: { code, message: 'No.', ...extra } })
  const location = { params: { id: 'o 1' }, body: { name: 'Centre' } }
  const failure = async (promise: Promise<unknown>): Promise<ApiError> => {
    const error = await promise.then(
      () => assert.fail('did not fail'),
      (reason: unknown) => reason,
    )
    assert.ok(error instanceof ApiError, String(error))
    return error
  }

  test('fills in the path, the query, the organization and the app', async () => {
    const api = client({ organization: () => 'org-1', app: 'console', token: () => 'secret' })
    await api('GET /v1/patients', { query: { q: 'ana & ion', page: 2, sex: undefined } })
    await api('GET /v1/organizations/{id}/locations', { params: { id: 'a/b' } })
    assert.equal(seen[0]?.url, '/v1/patients?q=ana+%26+ion&page=2')
    assert.equal(seen[0]?.headers['x-organization-id'], 'org-1')
    assert.equal(seen[0]?.headers['x-tendon-web'], 'console')
    assert.equal(seen[0]?.headers.authorization, 'Bearer secret')
    assert.equal(seen[1]?.url, '/v1/organizations/a%2Fb/locations')
  })

  test('the client sends JSON with an Idempotency-Key of its own for each POST', async () => {
    const api = client()
    await api('POST /v1/organizations/{id}/locations', location)
    await api('POST /v1/organizations/{id}/locations', location)
    await api('POST /v1/organizations/{id}/locations', { ...location, idempotencyKey: 'action-7' })
    const keys = seen.map(({ headers }) => headers['idempotency-key'])
    assert.equal(seen[0]?.body, '{"name":"Centre"}')
    assert.match(String(keys[0]), /^[0-9a-f-]{36}$/)
    assert.notEqual(keys[0], keys[1])
    assert.equal(keys[2], 'action-7')
  })

  test('the client sends If-Match when told which version was read', async () => {
    await client()('PATCH /v1/organizations/{id}', { params: { id: 'o' }, body: { name: 'New' }, ifMatch: 3 })
    assert.equal(seen[0]?.headers['if-match'], '"3"')
    assert.equal(seen[0]?.headers['idempotency-key'], undefined)
  })

  test('the client sends raw bodies as they are, and returns other answers than JSON as a Blob', async () => {
    const telemetry = createClient<TelemetryRoutes>({ baseUrl, token: () => 'run' })
    await telemetry('POST /v1/pose/frames', { body: new Uint8Array([1, 2]) })
    assert.equal(seen[0]?.body, '\u0001\u0002')
    replies = [
      [200, 'a,b\n', { 'content-type': 'text/csv' }],
      [200, 'x', { 'content-type': 'text/csv', etag: '"1"' }],
      [204, ''],
    ]
    const blob = await client()('GET /v1/audit-logs/export')
    assert.equal(await blob.text(), 'a,b\n')
    assert.equal((await client().response('GET /v1/audit-logs/export')).headers.get('etag'), '"1"')
    const gone = await client()('DELETE /v1/organizations/{id}/locations/{locationId}', {
      params: { id: 'a', locationId: 'b' },
    })
    assert.equal(gone, undefined)
  })

  test('the client reads both envelopes of refusals', async () => {
    replies = [
      [
        422,
        refusal('validation_failed', { fields: { name: 'is required' }, reasons: { name: { code: 'required' } } }),
        { 'x-request-id': 'r-1' },
      ],
      [
        400,
        {
          status: 400,
          name: 'ValidationError',
          message: 'Bad.',
          details: {
            errors: [{ field: 'label', message: 'is too long' }],
            reasons: { label: { code: 'too_long', params: { max: 5 } } },
          },
        },
      ],
      [403, refusal('forbidden', { required: 'locations.manage' })],
      [500, '<html>', { 'content-type': 'text/html' }],
    ]
    const send = () => failure(client()('POST /v1/organizations/{id}/locations', location))
    const [first, second, third, fourth] = [await send(), await send(), await send(), await send()]
    assert.deepEqual(
      [first.status, first.code, first.fields, first.reasons, first.requestId],
      [422, 'validation_failed', { name: 'is required' }, { name: { code: 'required' } }, 'r-1'],
    )
    assert.deepEqual(
      [second.code, second.message, second.fields],
      ['ValidationError', 'Bad.', { label: 'is too long' }],
    )
    assert.deepEqual(second.reasons, { label: { code: 'too_long', params: { max: 5 } } })
    assert.deepEqual([third.required, third.message], ['locations.manage', 'No.'])
    assert.deepEqual([fourth.status, fourth.code], [500, 'unknown'])
  })

  test('repeats the same request, with the same key, after the user has signed in again', async () => {
    let token = 'old'
    const api = client({ token: () => token, onUnauthenticated: async () => ((token = 'new'), true) })
    replies = [
      [401, refusal('unauthenticated')],
      [201, { data: { id: '1' } }],
    ]
    await api('POST /v1/organizations/{id}/locations', location)
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
    assert.equal(seen[0]?.headers['idempotency-key'], seen[1]?.headers['idempotency-key'])
    assert.equal(seen[1]?.body, seen[0]?.body)
  })

  test('several requests share one consent gate, and each is repeated', async () => {
    const purpose = {
      organization_id: null,
      organization_name: null,
      purpose_code: 'platform_terms',
      purpose_name: 'Terms of the platform',
      required_version: 1,
      body: 'Terms',
    }
    const gates: ApiError[] = []
    const opened = Promise.withResolvers<boolean>()
    const bothAnswered = Promise.withResolvers<void>()
    let answered = 0
    const api = client({
      onConsentRequired: (error) => (gates.push(error), opened.promise),
      /** Answers that have arrived whole: nothing but promises is between them and the gate. */
      async fetch(...given) {
        const answer = await fetch(...given)
        const whole = new Response(await answer.text(), answer)
        answered += 1
        if (answered === 2) bothAnswered.resolve()
        return whole
      },
    })
    const closed: Reply = [412, refusal('consent_required', { missing_purposes: [purpose] })]
    replies = [closed, closed]
    const both = Promise.all([api('GET /v1/me'), api('GET /v1/patients')])
    await bothAnswered.promise
    await new Promise((done) => setImmediate(done))
    opened.resolve(true)
    await both
    assert.equal(gates.length, 1)
    assert.deepEqual(gates[0]?.missingPurposes, [purpose])
    assert.equal(seen.length, 4)
  })

  test('a gate that the user closes fails the request; one that never opens ends', async () => {
    replies = [[412, refusal('consent_required')]]
    assert.equal((await failure(client({ onConsentRequired: async () => false })('GET /v1/me'))).status, 412)
    replies = Array.from({ length: 9 }, (): Reply => [412, refusal('consent_required')])
    assert.equal((await failure(client({ onConsentRequired: async () => true })('GET /v1/me'))).status, 412)
    assert.ok(seen.length < 7, `${seen.length} requests`)
  })

  test('a read waits for Retry-After once; a write does not wait', async () => {
    const busy: Reply = [503, refusal('unavailable'), { 'retry-after': '2' }]
    replies = [busy, [200, { data: [] }]]
    await client()('GET /v1/patients')
    assert.deepEqual(waits, [2])
    replies = [busy, busy]
    assert.equal((await failure(client()('GET /v1/patients'))).retryAfter, 2)
    assert.deepEqual(waits, [2, 2])
    replies = [[429, refusal('rate_limited'), { 'retry-after': '7' }]]
    assert.equal((await failure(client()('POST /v1/organizations/{id}/locations', location))).retryAfter, 7)
    replies = [[429, refusal('rate_limited'), { 'retry-after': '600' }]]
    assert.equal((await failure(client()('GET /v1/patients'))).retryAfter, 600)
    assert.deepEqual(waits, [2, 2])
  })

  const list = (name: string, etag: string): Reply => [200, { data: [{ name }] }, { etag }]
  const unchanged: Reply = [304, '']
  const tags = () => seen.map(({ headers }) => headers['if-none-match'])

  test('a list with an ETag of its content is kept, and not sent again while it is the same', async () => {
    const api = client()
    replies = [list('Ana', 'W/"a"'), unchanged, unchanged, list('Ion', 'W/"b"'), unchanged]
    const answers: unknown[] = []
    for (let count = 0; count < 5; count++) answers.push(await api('GET /v1/patients'))
    const [ana, ion] = [{ data: [{ name: 'Ana' }] }, { data: [{ name: 'Ion' }] }]
    assert.deepEqual(answers, [ana, ana, ana, ion, ion])
    assert.deepEqual(tags(), [undefined, 'W/"a"', 'W/"a"', 'W/"a"', 'W/"b"'])
    assert.notEqual(answers[0], answers[1], 'who changes an answer changes no other')
  })

  test('what is kept belongs to its URL, organization and client', async () => {
    let organization = 'o-1'
    const api = client({ organization: () => organization })
    replies = Array.from({ length: 5 }, (_, at) => list('Ana', `W/"a${at}"`))
    await api('GET /v1/patients')
    await api('GET /v1/patients', { query: { page: 2 } })
    organization = 'o-2'
    await api('GET /v1/patients')
    await api('GET /v1/patients', { headers: { 'x-organization-id': 'o-1' } })
    await client({ organization: () => organization })('GET /v1/patients')
    assert.deepEqual(tags(), [undefined, undefined, undefined, 'W/"a0"', undefined])
  })

  test('answers with the ETag of a version, files and writes are not kept; a refusal ends nothing', async () => {
    const api = client()
    const csv: Reply = [200, 'a,b', { 'content-type': 'text/csv', etag: 'W/"c"' }]
    replies = [
      list('Ana', '"3"'),
      list('Ana', 'W/"3"'),
      csv,
      list('Ana', 'W/"a"'),
      [403, refusal('forbidden')],
      unchanged,
    ]
    for (let count = 0; count < 4; count++) await api('GET /v1/patients')
    assert.equal((await failure(api('GET /v1/patients'))).status, 403)
    assert.deepEqual(await api('GET /v1/patients'), { data: [{ name: 'Ana' }] })
    assert.deepEqual(tags(), [undefined, undefined, undefined, undefined, 'W/"a"', 'W/"a"'])
    replies = [[201, { data: {} }, { etag: 'W/"d"' }]]
    await api('POST /v1/organizations/{id}/locations', location)
    await api('POST /v1/organizations/{id}/locations', location)
    assert.equal(tags().at(-1), undefined)
  })

  test('of the answers that are kept, the least used are forgotten', async () => {
    const api = client()
    const long = 'x'.repeat(1_500_000)
    const page = (at: number) => api('GET /v1/patients', { query: { page: at } })
    replies = [list(long, 'W/"a"'), list(long, 'W/"b"'), unchanged, list(long, 'W/"c"'), unchanged, list('', 'W/"b"')]
    for (const at of [1, 2, 1, 3, 1, 2]) await page(at)
    assert.deepEqual(tags(), [undefined, undefined, 'W/"a"', undefined, 'W/"a"', undefined])
  })

  test('without an answer the error has status 0 and the code network; aborting stays an abort', async () => {
    const error = await failure(createClient({ baseUrl: 'http://127.0.0.1:1' })('GET /v1/me'))
    assert.deepEqual([error.status, error.code], [0, 'network'])
    await assert.rejects(client()('GET /v1/me', { signal: AbortSignal.abort() }), { name: 'AbortError' })
  })

  test('lists have one shape', () => {
    const page = { items: [{ id: 'a' }], total: 9, page: 2, pageSize: 5 }
    assert.deepEqual(listOf({ data: [{ id: 'a' }], pagination: { page: 2, limit: 5, total: 9 } }), page)
    assert.deepEqual(listOf({ exercises: [{ id: 'a' }], total: 9, page: 2, limit: 5, total_pages: 2 }), page)
    assert.deepEqual(listOf({ members: [{ id: 'a' }], pagination: { page: 2, per_page: 5, total: 9 } }), page)
    assert.deepEqual(listOf({ segments: [{ id: 'a' }] }), { ...page, total: 1, page: 1, pageSize: 1 })
    assert.deepEqual(listOf([{ id: 'a' }]), { ...page, total: 1, page: 1, pageSize: 1 })
  })
})
