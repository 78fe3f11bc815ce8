import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from './testing.ts'

// Sends secrets and personal text through every route, then searches for them where they must not be.

describe('secrets', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ env: { LOG_LEVEL: 'trace' } })
  })
  after(() => core.close())

  const canary = (name: string) => `canary-${name}-${randomBytes(6).toString('hex')}`

  /** Every row of every table, as text; bytes as hexadecimal and as text. */
  async function dump(): Promise<string> {
    const tables = await core.database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'graphile_worker')`,
    )
    const rows = await Promise.all(
      tables.map(({ name }) => core.database.query<{ row: string }>(`select t::text as row from ${name} t`)),
    )
    return rows
      .flat()
      .map(({ row }) => row)
      .join('\n')
  }
  const isIn = (text: string, secret: string) =>
    text.includes(secret) || text.includes(Buffer.from(secret).toString('hex'))

  test('tokens and API keys appear in no log, row or later answer', async () => {
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}/service-accounts`
    const account = await core.post(path, {
      as: clinic.admin,
      body: { name: 'Robot', role_id: clinic.roles.specialist },
    })
    const made = await core.post(`${path}/${account.body.data.id}/keys`, {
      as: clinic.admin,
      body: { name: 'First' },
      headers: { 'idempotency-key': 'make-the-key-once' },
    })
    assert.equal(made.status, 201, made.text)
    const secrets = { token: clinic.admin.token, key: made.body.data.key as string }
    await core.get('/v1/me', { as: { token: secrets.key } })
    const later = [
      await core.get(`${path}/${account.body.data.id}/keys`, { as: clinic.admin }),
      await core.get('/v1/audit-logs', { as: clinic.admin }),
      await core.get('/v1/audit-logs/export', { as: clinic.admin }),
    ]
    const places = {
      log: core.log.join('\n'),
      database: await dump(),
      answers: later.map(({ text }) => text).join('\n'),
    }
    for (const [secretName, secret] of Object.entries(secrets)) {
      for (const [place, text] of Object.entries(places))
        assert.ok(!isIn(text, secret), `${secretName} in the ${place}`)
    }
  })

  test('request content appears in no log, not even after an internal error', async () => {
    const clinic = await core.organization()
    const said = { body: canary('body'), query: canary('query'), header: canary('header'), refused: canary('refused') }
    const path = `/v1/organizations/${clinic.id}/locations`
    await core.get(`/v1/organizations?q=${said.query}`, {
      as: clinic.admin,
      headers: { 'x-note': said.header, cookie: `a=${said.header}` },
    })
    await core.post(path, { as: clinic.admin, body: { name: said.refused, unknown: said.refused } })
    await core.database.query('alter table outbox_events rename to outbox_events_away')
    const failed = await core.post(path, { as: clinic.admin, body: { name: said.body } })
    await core.database.query('alter table outbox_events_away rename to outbox_events')
    assert.equal(failed.status, 500)
    assert.deepEqual(Object.keys(failed.body.error), ['code', 'message', 'request_id'])
    assert.doesNotMatch(failed.text, /outbox|relation|select|insert/i)
    const log = core.log.join('\n')
    assert.match(log, /request failed/)
    for (const [door, text] of Object.entries(said)) assert.ok(!log.includes(text), `${door} in the log`)
    assert.ok(!isIn(await dump(), said.body), 'nothing half-written')
  })

  test('the configuration is never shown', async () => {
    const { KEYRING, DATABASE_ROLE_SECRET, OBJECT_SIGNING_KEY, BLIND_INDEX_KEY } = core.config
    const shown = await Promise.all(
      ['/health', '/health/ready', '/v1/public/system-info', '/v1/openapi.json'].map((path) => core.get(path)),
    )
    for (const secret of [KEYRING, DATABASE_ROLE_SECRET, OBJECT_SIGNING_KEY, BLIND_INDEX_KEY]) {
      assert.ok(!shown.some(({ text }) => text.includes(secret)))
      assert.ok(!core.log.some((line) => line.includes(secret)))
    }
  })
})
