import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'

type Clinic = Awaited<ReturnType<TestCore['organization']>>

describe('audit logs', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const rename = (clinic: Clinic, name: string, headers: Record<string, string> = {}) =>
    core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { name }, headers })
  const entries = async (clinic: Clinic, query = ''): Promise<Json[]> =>
    (await core.get(`/v1/audit-logs${query}`, { as: clinic.admin })).body.data
  /** Everything: other files may have left more entries than fit into one seal. */
  const seal = async () => {
    const sealed = () => core.database.query<{ count: number }>('select seal_audit_log(1000) as count')
    while (((await sealed())[0]?.count ?? 0) > 0);
  }

  test('an entry contains who changed what, from where, and its sealed hashes', async () => {
    const clinic = await core.organization({ name: 'Vechi' })
    const changed = await rename(clinic, 'Nou', { 'user-agent': 'Test/1.0', 'x-request-id': 'request-0001' })
    assert.equal(changed.status, 200, changed.text)
    const [entry] = await entries(clinic, '?action=organizations.update')
    assert.deepEqual(
      { ...entry, id: null, occurred_at: null },
      {
        id: null,
        organization_id: clinic.id,
        occurred_at: null,
        actor: { principal_id: clinic.admin.id, type: 'user', name: clinic.admin.name },
        on_behalf_of: null,
        action: 'organizations.update',
        crud: 'U',
        target: { type: 'organization', id: clinic.id, label: 'Nou' },
        patient_profile_id: null,
        outcome: 'success',
        reason: null,
        source_ip: '127.0.0.1',
        user_agent: 'Test/1.0',
        request_id: 'request-0001',
        changes: [{ field: 'name', before: 'Vechi', after: 'Nou' }],
        erased: false,
        prev_hash: null,
        hash: null,
      },
    )
    await seal()
    await rename(clinic, 'Mai nou')
    await seal()
    const [newest, older] = await entries(clinic, '?action=organizations.update')
    const [kept] = await core.database.query<{ digest: string; seal: string; before: string }>(
      `select encode(e.digest, 'hex') as digest, encode(p.hash, 'hex') as before from audit_seal_entries e
       join audit_seals p on p.id = e.seal_id - 1 where e.entry_id = $1`,
      [newest.id],
    )
    assert.equal(newest.hash, kept?.digest)
    assert.equal(newest.prev_hash, kept?.before)
    assert.match(older.hash, /^[0-9a-f]{64}$/)
    const one = await core.get(`/v1/audit-logs/${newest.id}`, { as: clinic.admin })
    assert.deepEqual(one.body, { data: newest })
  })

  test('lists are newest first, filtered, in a range, sorted and paged', async () => {
    const clinic = await core.organization()
    const other = await core.memberWith(clinic, ['organizations.update', 'audit_log.view_org'])
    for (const name of ['A', 'B', 'C']) await rename(clinic, name)
    await core.patch(`/v1/organizations/${clinic.id}`, { as: other, body: { name: 'D' } })
    const names = async (query: string) =>
      (await entries(clinic, query)).map((entry) => entry.changes.find((c: Json) => c.field === 'name')?.after)
    assert.deepEqual(await names('?crud=U'), ['D', 'C', 'B', 'A'])
    assert.deepEqual(await names('?crud=U&sort=occurred_at'), ['A', 'B', 'C', 'D'])
    assert.deepEqual(await names(`?actor_principal_id=${other.id}`), ['D'])
    assert.deepEqual(await names(`?actor_principal_id=${other.id},${clinic.admin.id}&limit=2&page=2`), ['B', 'A'])
    assert.deepEqual(await names('?crud=X,U&outcome=success&actor_type=user,service'), ['D', 'C', 'B', 'A'])
    assert.deepEqual(await names('?outcome=failure'), [])
    assert.deepEqual(await names(`?target_type=organization&target_id=${clinic.id}&actor_type=user`), [
      'D',
      'C',
      'B',
      'A',
    ])
    assert.deepEqual(await names(`?patient_profile_id=${randomUUID()}`), [])
    assert.deepEqual(await names(`?on_behalf_of=${randomUUID()}`), [])
    assert.deepEqual(await names('?occurred_at_before=2020-01-01'), [])
    assert.deepEqual(await names('?crud=U&occurred_at_after=2020-01-01T00:00:00Z&limit=1'), ['D'])
    const bySort = (await entries(clinic, '?sort=action')).map((entry) => entry.action)
    assert.deepEqual(bySort, ['organizations.create', ...Array(4).fill('organizations.update')])
    const { body } = await core.get('/v1/audit-logs?crud=U&limit=1', { as: clinic.admin })
    assert.deepEqual(body.pagination, { page: 1, limit: 1, total: 4 })
    const refused = await core.get('/v1/audit-logs?sort=personal&occurred_at_after=soon', { as: clinic.admin })
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.body.error.fields), ['sort', 'occurred_at_after'])
  })

  test('another clinic sees nothing of it, by list, id, header or export', async () => {
    const [mine, theirs] = [await core.organization(), await core.organization()]
    await rename(mine, 'Secret')
    const [entry] = await entries(mine, '?crud=U')
    assert.equal((await entries(theirs)).filter((one) => one.organization_id !== theirs.id).length, 0)
    const read = await core.get(`/v1/audit-logs/${entry.id}`, { as: theirs.admin })
    assert.equal(read.status, 404)
    assert.equal(read.body.error.code, 'audit_log_not_found')
    const withHeader = { as: theirs.admin, headers: { 'x-organization-id': mine.id } }
    assert.equal((await core.get('/v1/audit-logs', withHeader)).status, 403)
    assert.equal((await core.get('/v1/audit-logs/export', withHeader)).status, 403)
    const exported = await core.get('/v1/audit-logs/export', { as: theirs.admin })
    assert.ok(!exported.text.includes(mine.id))
    assert.equal((await core.get('/v1/audit-logs/nonsense', { as: mine.admin })).status, 404)
    assert.equal((await core.get(`/v1/audit-logs/${randomUUID()}`, { as: mine.admin })).status, 404)
  })

  test('without audit_log.view_org all three URLs are refused', async () => {
    const clinic = await core.organization()
    const [entry] = await entries(clinic)
    for (const as of [await core.member(clinic, 'specialist'), await core.signIn()]) {
      for (const path of ['', `/${entry.id}`, '/export']) {
        const refused = await core.get(`/v1/audit-logs${path}`, { as })
        assert.equal(refused.status, 403, path)
        assert.equal(refused.body.error.required, 'audit_log.view_org')
      }
    }
    assert.equal((await core.get('/v1/audit-logs')).status, 401)
  })

  test('a superadmin sees the rows of the platform, not those of clinics', async () => {
    const clinic = await core.organization()
    const operator = await core.superadmin()
    const patched = await core.patch('/v1/me', { as: operator, body: { name: 'Olivia Stein' } })
    assert.equal(patched.status, 200, patched.text)
    const listed = await core.get('/v1/audit-logs?limit=500', { as: operator })
    assert.equal(listed.status, 200, listed.text)
    assert.ok(listed.body.data.every((entry: Json) => entry.organization_id === null))
    const own = listed.body.data.find((entry: Json) => entry.actor.principal_id === operator.id)
    assert.equal(own.actor.type, 'superadmin')
    assert.equal(own.changes[0].after, 'Olivia Stein')
    assert.equal((await core.get(`/v1/audit-logs/${own.id}`, { as: operator })).body.data.id, own.id)
    const [theirs] = await entries(clinic)
    assert.equal((await core.get(`/v1/audit-logs/${theirs.id}`, { as: operator })).status, 404)
    const exported = await core.get('/v1/audit-logs/export', { as: operator })
    assert.match(exported.text, /Olivia Stein/)
    assert.ok(!exported.text.includes(clinic.id))
    const [row] = await core.database.query(
      `select organization_id, crud from audit_log where action = 'audit_logs.export' and actor_principal_id = $1`,
      [operator.id],
    )
    assert.deepEqual(row, { organization_id: null, crud: 'E' })
  })

  test('personal text is not readable in the table, as text or as hexadecimal digits', async () => {
    const clinic = await core.organization()
    const canary = `Ștefania ${randomUUID()}`
    await core.patch('/v1/me', { as: clinic.admin, body: { name: canary }, headers: { 'user-agent': canary.slice(9) } })
    await rename(clinic, canary)
    const [entry] = await entries(clinic, '?action=organizations.update')
    assert.equal(entry.actor.name, canary)
    const rows = await core.database.query<{ text: string }>('select l::text from audit_log l')
    const dump = rows.map((row) => row.text).join('\n')
    for (const secret of [canary, canary.slice(9), clinic.admin.email, clinic.admin.name, '127.0.0.1']) {
      assert.ok(!dump.includes(secret), secret)
      assert.ok(!dump.includes(Buffer.from(secret).toString('hex')), secret)
    }
  })

  test('destroying the key erases the text and nothing else', async () => {
    const clinic = await core.organization()
    await rename(clinic, 'Gone')
    await seal()
    const [before] = await entries(clinic, '?crud=U')
    await core.database.query(
      'update audit_keys set wrapped_key = null, destroyed_at = now() where organization_id = $1',
      [clinic.id],
    )
    const [erased] = await entries(clinic, '?crud=U')
    assert.deepEqual(erased, {
      ...before,
      actor: { ...before.actor, name: null },
      target: { ...before.target, label: null },
      reason: null,
      source_ip: null,
      user_agent: null,
      changes: null,
      erased: true,
    })
    // The clinic goes on under a new key.
    assert.equal((await rename(clinic, 'Kept')).status, 200)
    const [next] = await entries(clinic, '?crud=U')
    assert.equal(next.changes[0].after, 'Kept')
  })

  test('when a key is destroyed, all running requests continue with one new key', async () => {
    const clinic = await core.organization()
    const add = (name: string) =>
      core.post(`/v1/organizations/${clinic.id}/locations`, { as: clinic.admin, body: { name } })
    const crowd = (name: string) => Promise.all(Array.from({ length: 10 }, (_, n) => add(`${name} ${n}`)))
    await crowd('Before')
    for (const round of ['One', 'Two', 'Three']) {
      await core.database.query(
        'update audit_keys set wrapped_key = null, destroyed_at = now() where organization_id = $1 and destroyed_at is null',
        [clinic.id],
      )
      for (const { status, text } of await crowd(round)) assert.equal(status, 201, text)
    }
    const keys = await core.database.query('select 1 from audit_keys where organization_id = $1', [clinic.id])
    assert.equal(keys.length, 4)
  })

  test('nobody can change, delete or back-date entries, nor write into another clinic', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const { db } = core.services
    const context = { principalId: null, organizationId: clinic.id, permissions: '*' }
    const statements = [
      sql`update audit_log set action = 'x'`,
      sql`delete from audit_log`,
      sql`truncate audit_log`,
      sql`insert into audit_log (id, occurred_at, actor_type, action, crud, target_type, key_id, personal)
        select ${randomUUID()}, now() - interval '1 day', 'user', 'x', 'C', 'x', id, '' from audit_keys limit 1`,
      sql`update audit_seals set hash = ''`,
      sql`delete from audit_seal_entries`,
      sql`update audit_keys set wrapped_key = null, destroyed_at = now()`,
    ]
    for (const statement of statements) {
      const denied = { code: '42501' }
      await assert.rejects(
        db.tenant(context, (tx) => statement.execute(tx)),
        denied,
      )
      await assert.rejects(
        db.platform(context, (tx) => statement.execute(tx)),
        denied,
      )
    }
    const foreign = sql`insert into audit_log (id, organization_id, actor_type, action, crud, target_type, key_id, personal)
      select ${randomUUID()}, ${other.id}, 'user', 'x', 'C', 'x', id, '' from audit_keys limit 1`
    await assert.rejects(
      db.tenant(context, (tx) => foreign.execute(tx)),
      { code: '42501' },
    )
  })
})
