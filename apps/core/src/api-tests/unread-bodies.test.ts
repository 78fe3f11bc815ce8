import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { isOrganizationRoute } from '@tendon/http'
import { assertSettled, bytesOf, openConnection } from '@tendon/testing'
import { bodyOf, MULTIPART, partOf } from '../platform/uploads.testing.ts'
import { sharedCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'

// A request is often refused before its body has arrived. Whatever the route, the connection must then answer the next
// request, or be closed.

/** Longer than any body that is not a file, and than what is read for the sake of a connection. */
const LONG = Buffer.alloc(300 * 1024, 'a')
const JSON_TYPE = { 'content-type': 'application/json' }
const WAYS = ['length', 'chunked', 'expect'] as const

describe('a refused body', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  const asAdmin = () => ({ authorization: `Bearer ${clinic.admin.token}` })
  const writes = () =>
    core.app.routes
      .filter(({ method, config }) => !['GET', 'HEAD'].includes(String(method)) && config?.forwarded !== true)
      .map(({ method, url, config }) => {
        const first = isOrganizationRoute(url) ? clinic.id : randomUUID()
        const path = url
          .replace(/:(id|org_id)\b/, first)
          .replace(/:\w+/g, randomUUID())
          .replace('*', 'x')
        return { line: `${String(method)} ${path}`, upload: config?.upload === true }
      })

  test('a refused body of any route leaves a connection that answers, or closes it', async () => {
    const uploaded = bodyOf(partOf(LONG, 'application/x-msdownload', 'virus.exe'))
    const check = async ({ line, upload }: { line: string; upload: boolean }, as: (typeof WAYS)[number]) => {
      const request = { line, body: upload ? uploaded : LONG, as }
      const type = upload ? { 'content-type': MULTIPART } : JSON_TYPE
      for (const headers of upload ? [type, { ...type, ...asAdmin() }] : [type]) {
        const { status } = await assertSettled(core.url, { ...request, headers })
        assert.ok(status >= 400 && status < 500, `${line}: ${status}`)
      }
    }
    const routes = writes()
    assert.ok(routes.some(({ upload }) => upload))
    for (const as of WAYS) {
      const some = routes.filter((_, index) => WAYS[index % WAYS.length] === as || routes[index]?.upload)
      await Promise.all(some.map((route) => check(route, as)))
    }
  })

  for (const as of WAYS)
    test(`a refused body leaves a connection that answers, or closes it, whatever refuses it (${as})`, async () => {
      const segments = 'POST /v1/segments'
      const images = `POST /v1/organizations/${clinic.id}/images`
      const file = bodyOf(partOf(LONG, 'image/png', 'logo.png'))
      for (const [request, status] of [
        [{ line: 'POST /v1/nothing-here', headers: JSON_TYPE, body: LONG }, 404],
        [{ line: 'DELETE /v1/segments', headers: JSON_TYPE, body: LONG }, 405],
        [{ line: 'GET /v1/segments', headers: asAdmin(), body: LONG }, 200],
        [{ line: segments, headers: JSON_TYPE, body: LONG }, 401],
        [{ line: segments, headers: { ...JSON_TYPE, ...asAdmin() }, body: LONG }, 413],
        [{ line: segments, headers: { 'content-type': 'text/plain', ...asAdmin() }, body: LONG }, 415],
        [{ line: segments, headers: { ...JSON_TYPE, ...asAdmin(), 'content-encoding': 'gzip' }, body: LONG }, 415],
        [{ line: segments, headers: { ...JSON_TYPE, ...asAdmin() }, body: Buffer.from('{') }, 400],
        [{ line: images, headers: { 'content-type': MULTIPART }, body: file }, 401],
        [{ line: images, headers: { 'content-type': MULTIPART, ...asAdmin() }, body: file }, 400],
        [{ line: images, headers: { 'content-type': MULTIPART, ...asAdmin() }, body: LONG }, 422],
        [{ line: images, headers: { 'content-type': 'multipart/form-data', ...asAdmin() }, body: file }, 422],
      ] as const) {
        const answer = await assertSettled(core.url, { ...request, as })
        assert.equal(answer.status, status, `${request.line}: ${answer.text}`)
      }
    })

  test('that is short costs no connection', async () => {
    const body = Buffer.alloc(100 * 1024, 'a')
    for (const headers of [JSON_TYPE, { 'content-type': 'text/plain', ...asAdmin() }]) {
      const answer = await assertSettled(core.url, { line: 'POST /v1/segments', headers, body })
      assert.equal(answer.headers.get('connection'), 'keep-alive')
    }
  })

  test('a refused body of a client that sends everything before it reads is still answered', async () => {
    const connection = openConnection(core.url)
    const whole = bytesOf({ line: 'POST /v1/segments', headers: JSON_TYPE, body: LONG })
    for (let at = 0; at < whole.length; at += 64 * 1024) {
      connection.write(whole.subarray(at, at + 64 * 1024))
      await new Promise((resolve) => setImmediate(resolve))
    }
    const answer = await connection.receive()
    assert.equal(answer !== 'closed' && answer.status, 401)
    assert.equal(await connection.receive(), 'closed')
  })
})
