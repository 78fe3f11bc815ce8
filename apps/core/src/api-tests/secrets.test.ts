import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startSmtpServer } from '@tendon/testing'
import { startReceiver } from '../features/connections/webhooks/webhooks.testing.ts'
import { startCore, type TestCore } from '../testing/core.ts'
import { dumpDatabase, isIn } from '../testing/dump.ts'

// Sends secrets and personal text through every route, then searches for them where they must not be.

describe('secrets', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ env: { LOG_LEVEL: 'trace', OUTBOUND_ALLOW_PRIVATE: 'true' } })
  })
  after(() => core.close())

  const canary = (name: string) => `canary-${name}-${randomBytes(6).toString('hex')}`

  const dump = () => dumpDatabase(core.database)

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

  test('credentials of integrations, providers and webhooks appear in no log, row or later answer', async () => {
    const password = canary('password')
    const smtp = await startSmtpServer({ auth: { user: 'clinic', pass: password } })
    const receiver = await startReceiver()
    const clinic = await core.organization()
    const operator = await core.superadmin()
    const integrations = `/v1/organizations/${clinic.id}/integrations`
    const send = async (method: string, path: string, body: object, as = clinic.admin) => {
      const answer = await core.call(method, path, { as, body, headers: { 'idempotency-key': canary('request') } })
      assert.ok(answer.status < 300, `${path} ${answer.text}`)
      return answer.body?.data
    }
    const config = { host: '127.0.0.1', port: smtp.port, security: 'none', from_address: 'clinic@mail.example' }
    const credentials = { username: 'clinic', password }
    const server = await send('POST', integrations, { service_slug: 'smtp', title: 'Mail', config, credentials })
    await send('PUT', `${integrations}/${server.id}/credentials`, { credentials })
    const inbound = await send('POST', integrations, { service_slug: 'inbound_webhook', title: 'In', config: {} })
    const rotated = await send('PUT', `${integrations}/${inbound.id}/credentials`, {})
    const hook = await send('POST', '/v1/webhook-subscriptions', { url: receiver.url, events: ['*'] })
    await send('POST', `/v1/webhook-subscriptions/${hook.uid}/test`, {})
    const renewed = await send('POST', `/v1/webhook-subscriptions/${hook.uid}/rotate-secret`, {})
    const clientSecret = canary('client-secret')
    const provider = await send(
      'POST',
      '/v1/admin/platform-service-providers',
      {
        capability: 'oauth_client_google',
        provider: 'oauth2',
        credentials: { client_id: 'tendon', client_secret: canary('first-secret') },
        config: { issuer: receiver.url },
      },
      operator,
    )
    const changes = { credentials: { client_id: 'tendon', client_secret: clientSecret } }
    await send('PATCH', `/v1/admin/platform-service-providers/${provider.id}`, changes, operator)
    const later = await Promise.all(
      [integrations, '/v1/webhook-subscriptions', '/v1/audit-logs', '/v1/audit-logs/export'].map((path) =>
        core.get(path, { as: clinic.admin }),
      ),
    )
    later.push(await core.get('/v1/admin/platform-service-providers', { as: operator }))
    const secrets = {
      password,
      clientSecret,
      'inbound token': new URL(inbound.inbound.url).pathname.split('/').at(-1) ?? '',
      'inbound secret': inbound.inbound.signing_secret as string,
      'new inbound secret': rotated.inbound.signing_secret as string,
      'webhook secret': hook.secret as string,
      'new webhook secret': renewed.secret as string,
    }
    const places = {
      log: core.log.join('\n'),
      database: await dump(),
      answers: later.map(({ text }) => text).join('\n'),
    }
    for (const [secretName, secret] of Object.entries(secrets)) {
      assert.ok(secret.length > 12, secretName)
      for (const [place, text] of Object.entries(places))
        assert.ok(!isIn(text, secret), `${secretName} in the ${place}`)
    }
    await smtp.close()
    await receiver.close()
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
