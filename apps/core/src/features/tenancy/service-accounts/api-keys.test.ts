import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const IN_AN_HOUR = () => new Date(Date.now() + 3_600_000).toISOString()

describe('API keys', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithAccount(role = 'admin') {
    const clinic = await core.organization()
    const accounts = `/v1/organizations/${clinic.id}/service-accounts`
    const created = await core.post(accounts, {
      as: clinic.admin,
      body: { name: 'Import', role_id: clinic.roles[role] },
    })
    assert.equal(created.status, 201, created.text)
    const account = `${accounts}/${created.body.data.id}`
    return { ...clinic, account, accountId: created.body.data.id as string, keys: `${account}/keys` }
  }

  type Clinic = Awaited<ReturnType<typeof clinicWithAccount>>

  async function keyOf({ admin, keys }: Clinic, values: Record<string, unknown> = {}) {
    const created = await core.post(keys, { as: admin, body: { name: 'Night job', ...values } })
    assert.equal(created.status, 201, created.text)
    return created.body.data as { id: string; key: string; prefix: string }
  }

  test('keys are made by people of the clinic: not by a service account, nor by an operator (403)', async () => {
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}/service-accounts`
    const account = await core.post(path, { as: clinic.admin, body: { name: 'Robot', role_id: clinic.roles.admin } })
    const keys = `${path}/${account.body.data.id}/keys`
    const made = await core.post(keys, { as: clinic.admin, body: { name: 'First' } })
    for (const as of [{ token: made.body.data.key as string }, await core.superadmin()]) {
      const refused = await core.post(keys, { as, body: { name: 'Second' } })
      assert.deepEqual([refused.status, refused.body.error.code], [403, 'forbidden'], refused.text)
    }
  })

  test('a key is shown once, and authenticates its account with its role', async () => {
    const clinic = await clinicWithAccount()
    const expires_at = IN_AN_HOUR()
    const { key, ...rest } = await keyOf(clinic, { expires_at })
    assert.match(key, /^tk_[A-Za-z0-9_-]{43}$/)
    assert.equal(rest.prefix, key.slice(0, 11))
    const listed = await core.get(clinic.keys, { as: clinic.admin })
    assert.deepEqual(listed.body.data, [rest])
    assert.deepEqual(Object.keys(rest).sort(), [
      'created_at',
      'expires_at',
      'id',
      'last_used_at',
      'name',
      'prefix',
      'revoked_at',
    ])
    const me = await core.get('/v1/me', { as: { token: key } })
    assert.equal(me.status, 200, me.text)
    assert.equal(me.body.data.type, 'service')
    assert.equal(me.body.data.principal_id, clinic.accountId)
    assert.equal(me.body.data.current_organization.id, clinic.id)
    const members = await core.get(`/v1/organizations/${clinic.id}/members`, { as: { token: key } })
    assert.equal(members.status, 200)
    const used = await core.get(clinic.keys, { as: clinic.admin })
    assert.notEqual(used.body.data[0].last_used_at, null)
    const [entry] = await core.database.query(`select action, actor_principal_id from audit_log where target_id = $1`, [
      rest.id,
    ])
    assert.deepEqual(entry, { action: 'api_keys.create', actor_principal_id: clinic.admin.id })
  })

  test('a service account acts in its own organization only', async () => {
    const clinic = await clinicWithAccount()
    const other = await core.organization()
    const as = { token: (await keyOf(clinic)).key }
    const named = await core.get('/v1/me', { as, headers: { 'x-organization-id': other.id } })
    assert.equal(named.status, 403)
    assert.equal(named.body.error.code, 'forbidden')
    const own = await core.get('/v1/me', { as, headers: { 'x-organization-id': clinic.id } })
    assert.equal(own.status, 200)
    const addressed = await core.get(`/v1/organizations/${other.id}/members`, { as })
    assert.equal(addressed.body.error.code, 'organization_mismatch')
    assert.equal((await core.post('/v1/organizations', { as, body: { name: 'X', slug: 'xx' } })).status, 403)
  })

  test('a service account has no personal settings and cannot switch', async () => {
    const clinic = await clinicWithAccount()
    const as = { token: (await keyOf(clinic)).key }
    assert.equal((await core.patch('/v1/me', { as, body: { name: 'Me' } })).status, 403)
    const switched = await core.put('/v1/me/switch-organization', { as, body: { organization_id: clinic.id } })
    assert.equal(switched.status, 403)
  })

  test('what an account does is written under its own name', async () => {
    const clinic = await clinicWithAccount()
    const as = { token: (await keyOf(clinic)).key }
    const email = `new-${randomUUID().slice(0, 8)}@mail.example`
    const added = await core.post(`/v1/organizations/${clinic.id}/members`, {
      as,
      body: { email, role_id: clinic.roles.specialist },
    })
    assert.equal(added.status, 201, added.text)
    const [entry] = await core.database.query(
      'select actor_type, actor_principal_id from audit_log where target_id = $1',
      [added.body.data.principal_id],
    )
    assert.deepEqual(entry, { actor_type: 'service', actor_principal_id: clinic.accountId })
    const [mail] = await core.database.query<{ data: { inviter_name: string } }>(
      'select data from mail_outbox where to_address = $1',
      [email],
    )
    assert.equal(mail?.data.inviter_name, 'Import')
  })

  test('a wrong, an expired and a revoked key get the same 401', async () => {
    const clinic = await clinicWithAccount()
    const revoked = await keyOf(clinic)
    const expired = await keyOf(clinic, { expires_at: IN_AN_HOUR() })
    const living = await keyOf(clinic)
    for (const { key } of [revoked, expired, living]) {
      assert.equal((await core.get('/v1/me', { as: { token: key } })).status, 200)
    }
    const gone = await core.delete(`${clinic.keys}/${revoked.id}`, { as: clinic.admin })
    assert.equal(gone.status, 204, gone.text)
    await core.database.query(`update api_keys set expires_at = now() where id = $1`, [expired.id])
    const answers = await Promise.all(
      [revoked.key, expired.key, `tk_${randomBytes(32).toString('base64url')}`, `${living.key}x`, 'tk_'].map((token) =>
        core.get('/v1/me', { as: { token } }),
      ),
    )
    for (const answer of answers) {
      assert.equal(answer.status, 401)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      assert.deepEqual(answer.body, answers[0]?.body)
    }
    assert.equal((await core.get('/v1/me', { as: { token: living.key } })).status, 200)
  })

  test('a revoked key stays in the list; revoking it again changes nothing', async () => {
    const clinic = await clinicWithAccount()
    const { id } = await keyOf(clinic)
    const revoke = () => core.delete(`${clinic.keys}/${id}`, { as: clinic.admin })
    assert.deepEqual(
      (await Promise.all([revoke(), revoke(), revoke()])).map(({ status }) => status),
      [204, 204, 204],
    )
    const [first] = (await core.get(clinic.keys, { as: clinic.admin })).body.data
    assert.notEqual(first.revoked_at, null)
    assert.equal((await revoke()).status, 204)
    const [again] = (await core.get(clinic.keys, { as: clinic.admin })).body.data
    assert.equal(again.revoked_at, first.revoked_at)
    const entries = await core.database.query('select action from audit_log where target_id = $1 order by action', [id])
    assert.deepEqual(entries, [{ action: 'api_keys.create' }, { action: 'api_keys.revoke' }])
    const unknown = await core.delete(`${clinic.keys}/${randomUUID()}`, { as: clinic.admin })
    assert.equal(unknown.body.error.code, 'api_key_not_found')
  })

  test('the keys of a deleted account get 401 at once, and are gone', async () => {
    const clinic = await clinicWithAccount()
    const { key } = await keyOf(clinic)
    assert.equal((await core.get('/v1/me', { as: { token: key } })).status, 200)
    assert.equal((await core.delete(clinic.account, { as: clinic.admin })).status, 204)
    assert.equal((await core.get('/v1/me', { as: { token: key } })).status, 401)
    const rows = await core.database.query(
      `select id from api_keys where service_account_id = $1
       union all select principal_id from organization_memberships where principal_id = $1`,
      [clinic.accountId],
    )
    assert.deepEqual(rows, [])
  })

  test('a changed role applies from the next request on', async () => {
    const clinic = await clinicWithAccount()
    const as = { token: (await keyOf(clinic)).key }
    const members = () => core.get(`/v1/organizations/${clinic.id}/members`, { as })
    assert.equal((await members()).status, 200)
    await core.patch(clinic.account, { as: clinic.admin, body: { role_id: clinic.roles.specialist } })
    assert.equal((await members()).body.error.required, 'organizations.manage_members')
  })

  test('an expiry must be a valid time in the future', async () => {
    const clinic = await clinicWithAccount()
    for (const expires_at of [
      new Date(Date.now() - 1_000).toISOString(),
      '2020-01-01T00:00:00Z',
      '9999-12-31T23:59:59-23:59',
      '2098-12-31T23:59:60Z',
      'tomorrow',
      7,
    ]) {
      const refused = await core.post(clinic.keys, { as: clinic.admin, body: { name: 'Key', expires_at } })
      assert.equal(refused.status, 422, String(expires_at))
      assert.ok(refused.body.error.fields.expires_at)
    }
    const offset = await core.post(clinic.keys, {
      as: clinic.admin,
      body: { name: 'Key', expires_at: '2098-01-01T02:00:00.12+02:00' },
    })
    assert.equal(offset.body.data.expires_at, '2098-01-01T00:00:00.120Z')
    const without = await core.post(clinic.keys, { as: clinic.admin, body: { name: 'Key', expires_at: null } })
    assert.equal(without.body.data.expires_at, null)
  })

  test('of thirty keys requested at once an account gets twenty; revoked and expired keys do not count', async () => {
    const clinic = await clinicWithAccount()
    const create = () => core.post(clinic.keys, { as: clinic.admin, body: { name: 'Key' } })
    const answers = await Promise.all(Array.from({ length: 30 }, create))
    assert.equal(answers.filter(({ status }) => status === 201).length, 20)
    const refused = answers.filter(({ status }) => status === 409)
    assert.equal(refused.length, 10)
    assert.equal(refused[0]?.body.error.code, 'api_key_limit')
    const [one, two] = answers.filter(({ status }) => status === 201)
    assert.equal((await create()).status, 409)
    await core.delete(`${clinic.keys}/${one?.body.data.id}`, { as: clinic.admin })
    assert.equal((await create()).status, 201)
    await core.database.query('update api_keys set expires_at = now() where id = $1', [two?.body.data.id])
    assert.equal((await create()).status, 201)
    assert.equal((await create()).status, 409)
    assert.equal((await core.get(`${clinic.keys}?limit=5`, { as: clinic.admin })).body.pagination.total, 22)
  })

  test('a repeated POST shows the same key, yet the key is nowhere in the database or the log', async () => {
    const clinic = await clinicWithAccount()
    const body = { name: 'Night job', expires_at: IN_AN_HOUR() }
    const post = () => core.post(clinic.keys, { as: clinic.admin, body, headers: { 'idempotency-key': 'night-job-1' } })
    const [first, second] = await Promise.all([post(), post()])
    const third = await post()
    assert.equal(first.status, 201, first.text)
    assert.equal(first.text, second.text)
    assert.equal(first.text, third.text)
    assert.equal(third.headers.get('idempotency-replayed'), 'true')
    const { key } = first.body.data
    assert.equal((await core.get('/v1/me', { as: { token: key } })).status, 200)

    const dump = JSON.stringify(await wholeDatabase())
    assert.ok(dump.includes(first.body.data.prefix), 'the dump holds the row')
    const secret = key.slice(11)
    const forms = [secret, Buffer.from(secret), Buffer.from(key), Buffer.from(key.slice(3), 'base64url')]
    for (const form of forms) {
      assert.ok(!dump.includes(typeof form === 'string' ? form : form.toString('hex')))
      if (typeof form !== 'string') assert.ok(!dump.includes(form.toString('base64')))
    }
    assert.ok(!core.log.some((line) => line.includes(secret)))
  })

  /** Every row of every table as text; bytes show as hexadecimal. */
  async function wholeDatabase() {
    const tables = await core.database.query<{ name: string }>(
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
       where schemaname not in ('pg_catalog', 'information_schema')`,
    )
    return Promise.all(tables.map(({ name }) => core.database.query(`select t::text from ${name} t`)))
  }
})
