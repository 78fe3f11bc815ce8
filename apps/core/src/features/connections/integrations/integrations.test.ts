import assert from 'node:assert/strict'
import { createHmac, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { onServer, startSmtpServer, type TestSmtpServer, until } from '@tendon/testing'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

interface Clinic {
  id: string
  admin: Person
}

const PASSWORD = 'canary-smtp-password'
const auth = { user: 'clinic', pass: PASSWORD }
const path = (clinic: Clinic, rest = '') => `/v1/organizations/${clinic.id}/integrations${rest}`
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('integrations', () => {
  let core: TestCore
  let smtp: TestSmtpServer
  before(async () => {
    smtp = await startSmtpServer({ auth })
    core = await sharedCore({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
  })
  after(async () => {
    await core.close()
    await smtp.close()
  })

  const config = () => ({
    host: '127.0.0.1',
    port: smtp.port,
    security: 'none',
    from_address: 'clinic@mladita.example',
  })
  const mailServer = (values: Record<string, unknown> = {}) => ({
    service_slug: 'smtp',
    title: 'Mail',
    config: config(),
    credentials: { username: auth.user, password: PASSWORD },
    ...values,
  })
  const connect = (clinic: Clinic, values = {}) =>
    core.post(path(clinic), { as: clinic.admin, body: mailServer(values) })
  async function connected(clinic: Clinic, values = {}) {
    const { status, body, text } = await connect(clinic, values)
    assert.equal(status, 201, text)
    return body.data
  }

  test('the catalogue is public and names no secret in a config schema', async () => {
    const { status, body } = await core.get('/v1/integration-services')
    assert.equal(status, 200)
    const slugs = body.data.map(({ slug, is_available }: { slug: string; is_available: boolean }) => [
      slug,
      is_available,
    ])
    assert.deepEqual(slugs, [['google_calendar', true], ['inbound_webhook', true], ['smtp', true]]) // biome-ignore format: rows
    for (const service of body.data) {
      const names = Object.keys(service.config_schema.properties)
      assert.deepEqual(
        names.filter((name) => /secret|password|token|key|credential/i.test(name)),
        [],
        service.slug,
      )
      for (const property of Object.values(service.credentials_schema.properties)) {
        assert.equal((property as { writeOnly?: boolean }).writeOnly, true)
      }
    }
  })

  test('a service is connected after its credentials were tried; they are never returned', async () => {
    const clinic = await core.organization()
    const created = await connected(clinic)
    assert.deepEqual([created.status, created.auth_type, created.has_credentials], ['connected', 'api_key', true])
    assert.deepEqual(created.config, config())
    const read = await core.get(path(clinic, `/${created.id}`), { as: clinic.admin })
    const list = await core.get(path(clinic), { as: clinic.admin })
    assert.deepEqual(read.body.data, created)
    assert.ok(!`${read.text}${list.text}`.includes(PASSWORD))
    assert.ok(!Object.keys(created).some((name) => name.startsWith('credentials')))
  })

  test('what does not fit or does not work is refused, and nothing is stored (400, 404)', async () => {
    const clinic = await core.organization()
    for (const [values, refusal] of [
      [{ service_slug: 'fax' }, [404, 'service_not_found']],
      [{ service_slug: 'google_calendar' }, [400, 'oauth_requires_callback_flow']],
      [{ config: { ...config(), port: 'x' } }, [400, 'invalid_config']],
      [{ config: { ...config(), password: 'x' } }, [400, 'invalid_config']],
      [{ config: {} }, [400, 'invalid_config']],
      [{ credentials: {} }, [400, 'invalid_credentials']],
      [{ credentials: { username: 'clinic', password: 'wrong' } }, [400, 'invalid_credentials']],
      [{ config: { ...config(), port: 1 } }, [400, 'invalid_credentials']],
    ] as const) {
      const answer = await connect(clinic, values)
      assert.deepEqual(codeOf(answer), refusal, JSON.stringify(values))
      assert.ok(!answer.text.includes(PASSWORD) && !answer.text.includes('wrong'))
    }
    assert.match(
      (await connect(clinic, { config: { ...config(), port: 'x' } })).body.error.message,
      /port must be integer/,
    )
    assert.equal((await core.get(path(clinic), { as: clinic.admin })).body.pagination.total, 0)
  })

  test('a mail server at a private address, or without encryption, is refused in production', async () => {
    const strict = await sharedCore()
    const clinic = await strict.organization()
    const body = mailServer({ config: { ...config(), security: 'starttls' } })
    const answer = await strict.post(path(clinic), { as: clinic.admin, body })
    assert.deepEqual(codeOf(answer), [400, 'invalid_credentials'])
    assert.match(answer.body.error.message, /address_refused/)
    const open = await strict.post(path(clinic), { as: clinic.admin, body: mailServer() })
    assert.deepEqual(codeOf(open), [400, 'invalid_config'])
    await strict.close()
  })

  test('a mail server at a host of the platform is refused, however it is spelt (400)', async () => {
    const { port } = new URL(core.config.publicUrl)
    const clinic = await core.organization()
    const domain = `d${randomUUID().slice(0, 8)}.clinic.example`
    const domains = `/v1/organizations/${clinic.id}/domains`
    assert.equal((await core.post(domains, { as: clinic.admin, body: { domain } })).status, 201)
    for (const place of [
      { host: '::1', port: Number(port) },
      { host: 'LOCALHOST.', port: Number(port) },
      { host: '0x7f000001', port: Number(port) },
      { host: `${domain.toUpperCase()}.` },
    ]) {
      const answer = await connect(clinic, { config: { ...config(), ...place } })
      assert.deepEqual(codeOf(answer), [400, 'invalid_config'], JSON.stringify(place))
      assert.match(answer.body.error.message, /host of this platform/)
    }
    const { id } = await connected(clinic)
    const moved = await core.put(path(clinic, `/${id}/credentials`), {
      as: clinic.admin,
      body: { credentials: { username: auth.user, password: PASSWORD }, config: { ...config(), host: domain } },
    })
    assert.deepEqual(codeOf(moved), [400, 'invalid_config'])
  })

  test('a service of the catalogue without connector is 502', async () => {
    const clinic = await core.organization()
    await core.database.query(
      `insert into integration_services (slug, name, description, auth_type, config_schema, credentials_schema)
       values ('of_tomorrow', 'Of tomorrow', 'x', 'api_key', '{}', '{}')`,
    )
    const answer = await connect(clinic, { service_slug: 'of_tomorrow' })
    await core.database.query(`delete from integration_services where slug = 'of_tomorrow'`)
    assert.deepEqual(codeOf(answer), [502, 'connector_not_registered'])
  })

  test('a title is unique among the connected ones; a removed one frees it', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    assert.deepEqual(codeOf(await connect(clinic, { title: ' MAIL ' })), [409, 'title_taken'])
    const other = await connected(clinic, { title: 'Other' })
    const rename = await core.patch(path(clinic, `/${other.id}`), { as: clinic.admin, body: { title: 'mail' } })
    assert.deepEqual(codeOf(rename), [409, 'title_taken'])
    assert.equal((await core.delete(path(clinic, `/${id}`), { as: clinic.admin })).status, 204)
    await connected(clinic)
  })

  test('a repeated Idempotency-Key connects once', async () => {
    const clinic = await core.organization()
    const send = () =>
      core.post(path(clinic), { as: clinic.admin, body: mailServer(), headers: { 'idempotency-key': 'once' } })
    const [first, second] = [await send(), await send()]
    assert.deepEqual([first.status, second.status], [201, 201])
    assert.equal(first.text, second.text)
    assert.equal((await core.get(path(clinic), { as: clinic.admin })).body.pagination.total, 1)
  })

  test('the list takes limit and offset, and filters', async () => {
    const clinic = await core.organization()
    for (const title of ['A', 'B', 'C']) await connected(clinic, { title })
    const titles = async (query: string) => {
      const { body } = await core.get(path(clinic, `?${query}`), { as: clinic.admin })
      return [body.data.map(({ title }: { title: string }) => title).join(''), body.pagination]
    }
    assert.deepEqual(await titles('limit=2&offset=1'), ['BA', { page: 1, limit: 2, offset: 1, total: 3 }])
    assert.deepEqual(await titles('limit=2&page=2'), ['A', { page: 2, limit: 2, offset: 2, total: 3 }])
    assert.equal((await titles('status=error'))[0], '')
    assert.equal((await titles('status=connected,nonsense&service_slug=smtp'))[0], 'CBA')
    assert.equal((await titles('offset=99'))[0], '')
  })

  test('a change replaces title and config; a removed integration is final', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    const change = (body: unknown) => core.patch(path(clinic, `/${id}`), { as: clinic.admin, body })
    const changed = await change({ title: 'Post', config: { ...config(), from_address: 'new@mladita.example' } })
    assert.equal(changed.body.data.config.from_address, 'new@mladita.example')
    assert.deepEqual(codeOf(await change({ config: { host: 1 } })), [400, 'invalid_config'])
    assert.equal((await change({})).status, 422)
    assert.equal((await core.delete(path(clinic, `/${id}`), { as: clinic.admin })).status, 204)
    const [row] = await core.database.query(
      'select status, credentials_encrypted from organization_integrations where id = $1',
      [id],
    )
    assert.deepEqual(row, { status: 'revoked', credentials_encrypted: null })
    for (const answer of [
      await change({ title: 'Back' }),
      await core.delete(path(clinic, `/${id}`), { as: clinic.admin }),
      await core.post(path(clinic, `/${id}/test`), { as: clinic.admin }),
    ]) {
      assert.deepEqual(codeOf(answer), [409, 'integration_revoked'])
    }
  })

  test('credentials are never sent to another server: host, port and security need them again (400)', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    const elsewhere = { ...config(), host: 'localhost' }
    for (const [field, value] of [
      ['host', 'localhost'],
      ['port', smtp.port + 1],
      ['security', 'starttls'],
    ] as const) {
      const body = { config: { ...config(), [field]: value } }
      const patched = await core.patch(path(clinic, `/${id}`), { as: clinic.admin, body })
      assert.deepEqual(codeOf(patched), [400, 'invalid_config'], field)
      assert.match(patched.body.error.message, new RegExp(`${field}.*credentials`))
      const { body: read } = await core.get(path(clinic, `/${id}`), { as: clinic.admin })
      assert.deepEqual(read.data.config, config())
    }
    const replace = (credentials: object) =>
      core.put(path(clinic, `/${id}/credentials`), { as: clinic.admin, body: { credentials, config: elsewhere } })
    assert.deepEqual(codeOf(await replace({ username: 'clinic', password: 'wrong' })), [400, 'invalid_credentials'])
    const moved = await replace({ username: auth.user, password: PASSWORD })
    assert.deepEqual([moved.status, moved.body.data.config.host], [200, 'localhost'])
  })

  test('credentials never reach another server through changes at the same time (400)', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    const credentials = { username: auth.user, password: PASSWORD }
    const move = (body: object) => core.put(path(clinic, `/${id}/credentials`), { as: clinic.admin, body })
    const change = () => core.patch(path(clinic, `/${id}`), { as: clinic.admin, body: { config: config() } })
    const WAITING = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
      and query like '%organization_integrations%'`
    const waiting = async () => (await core.database.query(WAITING)).length
    const otherPort = await startSmtpServer({ auth })
    try {
      for (const elsewhere of [
        { ...config(), host: 'localhost' },
        { ...config(), port: otherPort.port },
      ]) {
        for (const late of [change, () => move({ credentials })]) {
          assert.equal((await move({ credentials, config: config() })).status, 200)
          // Both have checked their config when they wait for the row. The first one then moves the credentials.
          const [first, second] = await onServer(new URL(core.database.url).pathname.slice(1), async (holder) => {
            await holder.query('begin')
            await holder.query('select 1 from organization_integrations where id = $1 for update', [id])
            const moved = move({ credentials, config: elsewhere })
            await until(async () => (await waiting()) === 1)
            const refused = late()
            await until(async () => (await waiting()) === 2)
            await holder.query('commit')
            return Promise.all([moved, refused])
          })
          assert.equal(first.status, 200)
          assert.deepEqual(codeOf(second), [400, 'invalid_config'])
          const { body } = await core.get(path(clinic, `/${id}`), { as: clinic.admin })
          assert.deepEqual(body.data.config, elsewhere)
        }
      }
    } finally {
      await otherPort.close()
    }
  })

  test('a test is a result; three refusals in a row make it an error, a success ends that', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    const check = async () => (await core.post(path(clinic, `/${id}/test`), { as: clinic.admin })).body.data
    const status = async () => (await core.get(path(clinic, `/${id}`), { as: clinic.admin })).body.data.status
    assert.deepEqual([(await check()).ok, await status()], [true, 'connected'])
    smtp.mood = 'refuses_sign_in'
    for (const expected of ['connected', 'connected', 'error']) {
      const { ok, error_code } = await check()
      assert.deepEqual([ok, error_code, await status()], [false, 'authentication', expected])
    }
    smtp.mood = 'accepts'
    assert.deepEqual([(await check()).ok, await status()], [true, 'connected'])
    const { body } = await core.get(path(clinic, `/${id}/events`), { as: clinic.admin })
    const history = body.data.map(
      (event: Record<string, string>) => `${event.from_status} ${event.to_status} ${event.reason}`,
    )
    assert.deepEqual(history, [
      'error connected recovered',
      'connected error refused_repeatedly',
      'null connected created',
    ])
  })

  test('new credentials are tried before they replace the old ones', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    const replace = (credentials: unknown) =>
      core.put(path(clinic, `/${id}/credentials`), { as: clinic.admin, body: { credentials } })
    assert.deepEqual(codeOf(await replace({ username: 'clinic', password: 'wrong' })), [400, 'invalid_credentials'])
    assert.equal((await core.post(path(clinic, `/${id}/test`), { as: clinic.admin })).body.data.ok, true)
    assert.equal((await replace({ username: auth.user, password: PASSWORD })).status, 200)
  })

  test('another clinic sees nothing of it, and a member needs the permission', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await connected(other)
    for (const answer of [
      await core.get(path(clinic, `/${id}`), { as: clinic.admin }),
      await core.patch(path(clinic, `/${id}`), { as: clinic.admin, body: { title: 'Mine' } }),
      await core.delete(path(clinic, `/${id}`), { as: clinic.admin }),
      await core.post(path(clinic, `/${id}/test`), { as: clinic.admin }),
      await core.get(path(clinic, `/${id}/events`), { as: clinic.admin }),
      await core.put(path(clinic, `/${id}/credentials`), { as: clinic.admin, body: {} }),
    ]) {
      assert.deepEqual(codeOf(answer), [404, 'integration_not_found'])
    }
    assert.equal((await core.get(path(other), { as: clinic.admin })).status, 403)
    assert.equal((await core.get(path(clinic), { as: await core.memberWith(clinic, ['mails.manage']) })).status, 403)
  })

  test('every write leaves an audit row; no secret is in the log, the audit or the database in clear', async () => {
    const clinic = await core.organization()
    const { id } = await connected(clinic)
    await core.put(path(clinic, `/${id}/credentials`), {
      as: clinic.admin,
      body: { credentials: { username: auth.user, password: PASSWORD } },
    })
    await core.delete(path(clinic, `/${id}`), { as: clinic.admin })
    const entries = await core.database.query<{ action: string }>(
      `select action from audit_log where organization_id = $1 and target_type = 'integration' order by occurred_at`,
      [clinic.id],
    )
    assert.deepEqual(
      entries.map(({ action }) => action),
      ['integrations.create', 'integrations.replace_credentials', 'integrations.delete'],
    )
    const shown = await core.get('/v1/audit-logs?limit=500', { as: clinic.admin })
    assert.ok(shown.text.includes('"changed"'))
    assert.ok(!shown.text.includes(PASSWORD))
    assert.ok(!core.log.join('').includes(PASSWORD))
    for (const table of [
      'organization_integrations',
      'integration_events',
      'idempotency_keys',
      'outbox_events',
      'audit_log',
    ]) {
      const rows = await core.database.query(`select t::text as row from ${table} t`)
      assert.ok(!JSON.stringify(rows).includes(PASSWORD), table)
      assert.ok(!JSON.stringify(rows).includes(Buffer.from(PASSWORD).toString('hex')), table)
    }
  })

  describe('inbound webhooks', () => {
    const inbound = async (clinic: Clinic, config = {}) => {
      const body = { service_slug: 'inbound_webhook', title: `Inbound ${randomUUID()}`, config }
      const answer = await core.post(path(clinic), { as: clinic.admin, body })
      assert.equal(answer.status, 201, answer.text)
      const { url, signing_secret } = answer.body.data.inbound
      return { id: answer.body.data.id as string, path: new URL(url).pathname, secret: signing_secret as string }
    }
    const send = (to: string, body: string, secret?: string) =>
      core.rawCall(
        'POST',
        to,
        {
          'content-type': 'application/vnd.lab+json',
          ...(secret === undefined
            ? {}
            : { 'x-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}` }),
        },
        body,
      )

    test('a signed message is sealed, and its event carries ids only', async () => {
      const clinic = await core.organization()
      const to = await inbound(clinic)
      const answer = await send(to.path, '{"patient": "canary-patient"}', to.secret)
      assert.equal(answer.status, 202, answer.text)
      const events = await core.database.query<{ payload: unknown }>(
        `select payload from outbox_events where organization_id = $1 and type = 'integration.received'`,
        [clinic.id],
      )
      assert.deepEqual(events, [{ payload: { integration_id: to.id, message_id: answer.body.data.id } }])
      const [row] = await core.database.query<{ body_encrypted: Buffer }>(
        'select body_encrypted from integration_messages where id = $1',
        [answer.body.data.id],
      )
      assert.ok(row && !row.body_encrypted.includes('canary-patient'))
      const place = {
        table: 'integration_messages',
        column: 'body_encrypted',
        organization_id: clinic.id,
        row: answer.body.data.id,
      }
      assert.equal(core.services.box.open(row.body_encrypted, place).toString(), '{"patient": "canary-patient"}')
    })

    test('a wrong signature is 401, an unknown, rotated or removed URL 404, too large 413', async () => {
      const clinic = await core.organization()
      const to = await inbound(clinic)
      assert.deepEqual(codeOf(await send(to.path, 'x')), [401, 'signature_invalid'])
      assert.deepEqual(codeOf(await send(to.path, 'x', 'other')), [401, 'signature_invalid'])
      assert.equal((await send(to.path, 'x'.repeat(256 * 1024 + 1), to.secret)).status, 413)
      assert.deepEqual(codeOf(await send('/v1/public/inbound/unknown', 'x', to.secret)), [404, 'inbound_not_found'])
      const rotated = await core.put(path(clinic, `/${to.id}/credentials`), { as: clinic.admin, body: {} })
      const fresh = rotated.body.data.inbound
      assert.deepEqual(codeOf(await send(to.path, 'x', to.secret)), [404, 'inbound_not_found'])
      assert.equal((await send(new URL(fresh.url).pathname, 'x', fresh.signing_secret)).status, 202)
      await core.delete(path(clinic, `/${to.id}`), { as: clinic.admin })
      assert.equal((await send(new URL(fresh.url).pathname, 'x', fresh.signing_secret)).status, 404)
    })

    test('one URL accepts 60 messages a minute from all IP addresses together (429); other URLs are not affected', async () => {
      const clinic = await core.organization()
      const [busy, other] = [await inbound(clinic), await inbound(clinic)]
      const limited = await sharedCore({
        env: { RATE_LIMIT_INBOUND_PER_MINUTE: '60', TRUSTED_PROXIES: '127.0.0.1' },
        services: { db: core.services.db, box: core.services.box },
      })
      const from = (address: string, to: { path: string; secret: string }) =>
        limited.rawCall(
          'POST',
          to.path,
          {
            'x-forwarded-for': address,
            'x-signature': `sha256=${createHmac('sha256', to.secret).update('x').digest('hex')}`,
          },
          'x',
        )
      for (let sent = 0; sent < 60; sent += 1) assert.equal((await from(`192.0.2.${sent}`, busy)).status, 202)
      const refused = await from('192.0.2.200', busy)
      assert.deepEqual(codeOf(refused), [429, 'rate_limited'])
      assert.ok(Number(refused.headers.get('retry-after')) >= 1)
      assert.equal((await from('192.0.2.200', other)).status, 202)
      await limited.close()
    })

    test('a clinic may do without signatures', async () => {
      const to = await inbound(await core.organization(), { verify_signature: false })
      assert.equal((await send(to.path, 'x')).status, 202)
    })
  })
})
