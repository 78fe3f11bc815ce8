import assert from 'node:assert/strict'
import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { AuditLog, SYSTEM } from '@tendon/access'
import { csvLine } from '@tendon/http'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import { type Page, streamCsv } from './export.ts'
import { EXPORT_PAGE_ROWS } from './routes.ts'

const FIRST_TIMEOUT_MS = 3_000

describe('audit log export', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  /** Writes `count` entries in one transaction: they share their time, so only ids order them. */
  async function write(organizationId: string, count: number, label = (n: number) => `entry ${n}`): Promise<void> {
    const auditLog = new AuditLog(core.services.box)
    const context = { principalId: null, organizationId, permissions: '*' }
    await core.services.db.tenant(context, async (tx) => {
      const writeOne = (n: number) => {
        const target = { type: 'test', id: String(n), label: label(n) }
        return auditLog.write(tx, { ...SYSTEM, organizationId }, { action: 'tests.write', crud: 'C', target })
      }
      await writeOne(0) // makes the key for the others, which travel together
      await Promise.all(Array.from({ length: count - 1 }, (_, n) => writeOne(n + 1)))
    })
  }

  const spoil = (organizationId: string) =>
    core.database.query(
      `update audit_log set personal = '\\x00' where id = (
         select id from audit_log where organization_id = $1 and action = 'tests.write' order by id limit 1)`,
      [organizationId],
    )

  function open(url: string, token: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(url, { headers: { authorization: `Bearer ${token}` } }, resolve).on('error', reject)
    })
  }

  test('audit log export contains every entry once, over any number of pages, newest first, and is itself recorded', async () => {
    const clinic = await core.organization()
    await write(clinic.id, 2 * EXPORT_PAGE_ROWS + 3)
    const exported = await core.get('/v1/audit-logs/export?action=tests.write', { as: clinic.admin })
    assert.equal(exported.status, 200)
    assert.equal(exported.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.equal(exported.headers.get('content-disposition'), 'attachment; filename="audit-log.csv"')
    const lines = exported.text.split('\r\n')
    assert.match(lines[0] ?? '', /^id,organization_id,occurred_at,actor_principal_id,actor_type,actor_name,/)
    assert.equal(lines.at(-1), '')
    assert.equal(new Set(lines.slice(1, -1).map((line) => line.split(',')[0])).size, 2 * EXPORT_PAGE_ROWS + 3)
    assert.equal(lines.length, 2 * EXPORT_PAGE_ROWS + 5)
    const { body } = await core.get('/v1/audit-logs?limit=1', { as: clinic.admin })
    assert.equal(body.data[0].action, 'audit_logs.export')
    assert.equal(body.data[0].crud, 'E')
    assert.deepEqual(body.data[0].changes[0].after, { action: ['tests.write'] })
  })

  test('audit log export accepts the filters and the range of the list; sort, page and limit are ignored', async () => {
    const clinic = await core.organization()
    await write(clinic.id, 3)
    const count = async (query: string) =>
      (await core.get(`/v1/audit-logs/export${query}`, { as: clinic.admin })).text.split('\r\n').length - 2
    assert.equal(await count('?target_id=1&target_type=test'), 1)
    assert.equal(await count('?action=tests.write&sort=x&limit=1&page=7'), 3)
    assert.equal(await count('?action=tests.write&occurred_at_before=2020-01-01'), 0)
    const refused = await core.get('/v1/audit-logs/export?occurred_at_after=soon', { as: clinic.admin })
    assert.equal(refused.status, 422)
    assert.equal((await core.call('HEAD', '/v1/audit-logs/export', { as: clinic.admin })).status, 405)
  })

  test('cells are quoted, and none starts a formula', async () => {
    const clinic = await core.organization()
    const labels = ['=1+1', '+40 21', '-2', '@sum', '\ttab', '\rcr', 'say "hi", then\r\nleave', 'ĂÎȘȚÂ', "'='"]
    await write(clinic.id, labels.length, (n) => labels[n] ?? '')
    const { text } = await core.get('/v1/audit-logs/export?action=tests.write', { as: clinic.admin })
    for (const cell of ["'=1+1", "'+40 21", "'-2", "'@sum", "'\ttab", `"'\rcr"`, 'ĂÎȘȚÂ', "'='"]) {
      assert.ok(text.includes(`,${cell},`), cell)
    }
    assert.ok(text.includes(',"say ""hi"", then\r\nleave",'))
    assert.equal(csvLine(['a', '', '"']), 'a,,""""\r\n')
  })

  test('an error midway breaks the connection, so that no truncated file looks complete', async () => {
    const clinic = await core.organization()
    await write(clinic.id, EXPORT_PAGE_ROWS + 1)
    await spoil(clinic.id)
    await assert.rejects(core.get('/v1/audit-logs/export', { as: clinic.admin }), /ECONNRESET|aborted/)
    // HTTP/1.0 knows no chunks: there only a reset tells a cut from the end.
    const reset = await new Promise<NodeJS.ErrnoException | undefined>((resolve) => {
      const socket = connect(Number(new URL(core.url).port), '127.0.0.1')
      socket.on('error', resolve).on('close', () => resolve(undefined))
      socket.resume()
      socket.write(
        `GET /v1/audit-logs/export HTTP/1.0\r\nHost: x\r\nAuthorization: Bearer ${clinic.admin.token}\r\n\r\n`,
      )
    })
    assert.equal(reset?.code, 'ECONNRESET')
  })

  test('an error before the first byte is an ordinary answer', async () => {
    const clinic = await core.organization()
    await write(clinic.id, 2)
    await spoil(clinic.id)
    const failed = await core.get('/v1/audit-logs/export', { as: clinic.admin })
    assert.equal(failed.status, 500)
    assert.equal(failed.body.error.code, 'internal_error')
  })

  /** An export that begins before its time is over: a busy machine needs a longer one. */
  async function begun(token: string, timeoutMs = FIRST_TIMEOUT_MS) {
    const server = await sharedCore({ env: { LONG_REQUEST_TIMEOUT_MS: String(timeoutMs) } })
    const connected = once(server.app.server, 'connection')
    const response = await open(`${server.url}/v1/audit-logs/export`, token)
    if (response.statusCode !== 503) return { server, response, socket: ((await connected) as [Socket])[0] }
    response.resume()
    await server.close()
    return begun(token, 2 * timeoutMs)
  }

  test('a client that does not read is disconnected', async (t) => {
    const clinic = await core.organization()
    await write(clinic.id, 500, () => 'x'.repeat(24_000))
    const { server, response, socket } = await begun(clinic.admin.token)
    t.after(() => server.close())
    assert.equal(response.statusCode, 200)
    if (!socket.destroyed) await once(socket, 'close')
    const error = await new Promise<Json>((resolve) => {
      response.on('error', resolve).on('end', () => resolve(undefined))
      response.resume()
    })
    assert.equal(error?.code, 'ECONNRESET')
  })

  test('pages are read only as fast as the client receives them', async () => {
    let read = 0
    const page = async (): Promise<Page> => {
      read += 1
      return { entries: [], next: page }
    }
    const entry: Json = { actor: {}, target: {} }
    const full = async (): Promise<Page> => ({ ...(await page()), entries: [entry], next: full })
    const stream = streamCsv(await full())
    const chunks = stream[Symbol.asyncIterator]()
    await chunks.next()
    await chunks.next()
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(read <= 4, `${read} pages read for 2 chunks`)
    await chunks.return?.()
  })
})
