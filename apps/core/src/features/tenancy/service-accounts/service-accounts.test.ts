import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const pathOf = (organization: { id: string }) => `/v1/organizations/${organization.id}/service-accounts`

describe('service accounts', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  type Clinic = Awaited<ReturnType<TestCore['organization']>>

  async function accountOf(clinic: Clinic, role = 'specialist', name = `Import ${randomUUID()}`) {
    const body = { name, role_id: clinic.roles[role] }
    const created = await core.post(pathOf(clinic), { as: clinic.admin, body })
    assert.equal(created.status, 201, created.text)
    return created.body.data as { id: string; name: string; updated_at: string }
  }

  const tracesOf = async (id: string) => ({
    audit: (
      await core.database.query<{ action: string }>(
        'select action from audit_log where target_id = $1 order by occurred_at',
        [id],
      )
    ).map(({ action }) => action),
    events: (
      await core.database.query<{ type: string }>(
        `select type from outbox_events where payload ->> 'service_account_id' = $1 order by id`,
        [id],
      )
    ).map(({ type }) => type),
  })

  test('an account is created, read, changed and deleted, each with an audit row', async () => {
    const clinic = await core.organization()
    const created = await core.post(pathOf(clinic), {
      as: clinic.admin,
      body: { name: 'Laborator', description: 'Rezultate', role_id: clinic.roles.specialist },
    })
    assert.equal(created.status, 201, created.text)
    const { id } = created.body.data
    assert.deepEqual(created.body.data, {
      id,
      name: 'Laborator',
      description: 'Rezultate',
      role: { id: clinic.roles.specialist, code: 'specialist', name: 'Specialist' },
      created_by_principal_id: clinic.admin.id,
      created_at: created.body.data.created_at,
      updated_at: created.body.data.updated_at,
      version: 1,
    })
    const path = `${pathOf(clinic)}/${id}`
    assert.deepEqual((await core.get(path, { as: clinic.admin })).body, created.body)
    const renamed = await core.patch(path, { as: clinic.admin, body: { name: 'Import', description: null } })
    assert.equal(renamed.status, 200, renamed.text)
    assert.equal(renamed.body.data.name, 'Import')
    assert.equal(renamed.body.data.description, null)
    const raised = await core.patch(path, { as: clinic.admin, body: { role_id: clinic.roles.admin } })
    assert.equal(raised.body.data.role.code, 'admin')
    assert.ok(raised.body.data.updated_at > renamed.body.data.updated_at)
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 204)
    assert.equal((await core.get(path, { as: clinic.admin })).body.error.code, 'service_account_not_found')
    assert.equal((await core.delete(path, { as: clinic.admin })).status, 404)
    assert.deepEqual(await tracesOf(id), {
      audit: [
        'service_accounts.create',
        'service_accounts.update',
        'service_accounts.update',
        'service_accounts.delete',
      ],
      events: [
        'service_account.created',
        'service_account.updated',
        'service_account.updated',
        'service_account.deleted',
      ],
    })
    const kept = await core.database.query('select kind from principals where id = $1', [id])
    assert.deepEqual(kept, [{ kind: 'service' }])
  })

  test('the list filters by role, searches, sorts and pages', async () => {
    const clinic = await core.organization()
    for (const name of ['Bilete', 'Ștampile', 'Arhivă']) await accountOf(clinic, 'specialist', name)
    await accountOf(clinic, 'customer_support', 'Chat')
    const names = async (query: string) =>
      (await core.get(`${pathOf(clinic)}?${query}`, { as: clinic.admin })).body.data.map(
        ({ name }: { name: string }) => name,
      )
    assert.deepEqual(await names(''), ['Chat', 'Arhivă', 'Ștampile', 'Bilete'])
    assert.deepEqual(await names(`role_id=${clinic.roles.specialist}&sort=name`), ['Arhivă', 'Bilete', 'Ștampile'])
    assert.deepEqual(await names('q=stamp'), ['Ștampile'])
    assert.deepEqual(await names('sort=-name&limit=1&page=2'), ['Chat'])
  })

  test('two accounts of one organization cannot share a name (409), also at the same moment', async () => {
    const clinic = await core.organization()
    const body = { name: 'Import', role_id: clinic.roles.specialist }
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => core.post(pathOf(clinic), { as: clinic.admin, body })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409, 409, 409],
    )
    assert.equal(answers.find(({ status }) => status === 409)?.body.error.code, 'service_account_name_taken')
    const other = await accountOf(clinic)
    const renamed = await core.patch(`${pathOf(clinic)}/${other.id}`, { as: clinic.admin, body: { name: 'Import' } })
    assert.equal(renamed.body.error.code, 'service_account_name_taken')
    assert.equal((await accountOf(await core.organization(), 'specialist', 'Import')).name, 'Import')
  })

  test('every route needs organizations.manage_members', async () => {
    const clinic = await core.organization()
    const account = await accountOf(clinic)
    const specialist = await core.member(clinic, 'specialist')
    const one = `${pathOf(clinic)}/${account.id}`
    for (const [method, path, body] of [
      ['GET', pathOf(clinic)],
      ['POST', pathOf(clinic), { name: 'Other', role_id: clinic.roles.specialist }],
      ['GET', one],
      ['PATCH', one, { name: 'Other' }],
      ['DELETE', one],
      ['GET', `${one}/keys`],
      ['POST', `${one}/keys`, { name: 'Key' }],
      ['DELETE', `${one}/keys/${randomUUID()}`],
    ] as const) {
      const refused = await core.call(method, path, { as: specialist, body })
      assert.equal(refused.status, 403, `${method} ${path}`)
      assert.equal(refused.body.error.required, 'organizations.manage_members')
    }
  })

  test('another organization’s account, role or key is not found, like one that does not exist', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const own = await accountOf(clinic)
    const foreign = await accountOf(other)
    const foreignKey = await core.post(`${pathOf(other)}/${foreign.id}/keys`, { as: other.admin, body: { name: 'K' } })
    for (const id of [foreign.id, clinic.admin.id, randomUUID()]) {
      const path = `${pathOf(clinic)}/${id}`
      for (const answer of [
        await core.get(path, { as: clinic.admin }),
        await core.patch(path, { as: clinic.admin, body: { name: 'Mine' } }),
        await core.delete(path, { as: clinic.admin }),
        await core.get(`${path}/keys`, { as: clinic.admin }),
        await core.post(`${path}/keys`, { as: clinic.admin, body: { name: 'Key' } }),
      ]) {
        assert.equal(answer.status, 404, answer.text)
        assert.equal(answer.body.error.code, 'service_account_not_found')
      }
    }
    for (const path of [`${own.id}/keys/${foreignKey.body.data.id}`, `${foreign.id}/keys/${foreignKey.body.data.id}`]) {
      const answer = await core.delete(`${pathOf(clinic)}/${path}`, { as: clinic.admin })
      assert.equal(answer.body.error.code, 'api_key_not_found')
    }
    for (const role_id of [other.roles.specialist, randomUUID()]) {
      const created = await core.post(pathOf(clinic), { as: clinic.admin, body: { name: 'Import', role_id } })
      const changed = await core.patch(`${pathOf(clinic)}/${own.id}`, { as: clinic.admin, body: { role_id } })
      for (const answer of [created, changed]) {
        assert.equal(answer.status, 422)
        assert.deepEqual(Object.keys(answer.body.error.fields), ['role_id'])
      }
    }
    assert.equal((await core.get(`${pathOf(clinic)}/nonsense`, { as: clinic.admin })).status, 404)
    const elsewhere = await core.get(pathOf(other), { as: clinic.admin })
    assert.equal(elsewhere.body.error.code, 'organization_mismatch')
  })

  test('nobody can create an account, or a key of an account, with more permissions than they hold', async () => {
    const clinic = await core.organization()
    const codesOf = async (role: string | undefined) =>
      (
        await core.database.query<{ permission_code: string }>(
          'select permission_code from role_permissions where role_id = $1',
          [role],
        )
      ).map((row) => row.permission_code)
    const held = ['organizations.manage_members', ...(await codesOf(clinic.roles.specialist))]
    const clerk = await core.memberWith(clinic, held)
    const admins = await accountOf(clinic, 'admin')
    const modest = await accountOf(clinic)
    const missing = (await codesOf(clinic.roles.admin)).filter((code) => !held.includes(code))
    for (const refused of [
      await core.post(pathOf(clinic), { as: clerk, body: { name: 'Mine', role_id: clinic.roles.admin } }),
      await core.patch(`${pathOf(clinic)}/${modest.id}`, { as: clerk, body: { role_id: clinic.roles.admin } }),
      await core.post(`${pathOf(clinic)}/${admins.id}/keys`, { as: clerk, body: { name: 'Mine' } }),
    ]) {
      assert.equal(refused.status, 403, refused.text)
      assert.equal(refused.body.error.code, 'forbidden')
      assert.deepEqual(refused.body.error.required.split(', ').sort(), missing.sort())
    }
    const allowed = await core.post(`${pathOf(clinic)}/${modest.id}/keys`, { as: clerk, body: { name: 'Mine' } })
    assert.equal(allowed.status, 201, allowed.text)
  })

  test('a service account that manages members cannot raise itself', async () => {
    const clinic = await core.organization()
    const [role] = await core.database.query<{ id: string }>(
      `insert into roles (organization_id, code, name) values ($1, 'clerk', 'Clerk') returning id`,
      [clinic.id],
    )
    await core.database.query(
      `insert into role_permissions (role_id, organization_id, permission_code) values ($1, $2, 'organizations.manage_members')`,
      [role?.id, clinic.id],
    )
    const account = await accountOf({ ...clinic, roles: { clerk: role?.id ?? '' } }, 'clerk')
    const key = await core.post(`${pathOf(clinic)}/${account.id}/keys`, { as: clinic.admin, body: { name: 'Key' } })
    const as = { token: key.body.data.key }
    assert.equal((await core.get(pathOf(clinic), { as })).status, 200)
    const raised = await core.patch(`${pathOf(clinic)}/${account.id}`, { as, body: { role_id: clinic.roles.admin } })
    assert.equal(raised.status, 403)
    const [entry] = await core.database.query(
      `select count(*)::int as writes from audit_log where actor_principal_id = $1`,
      [account.id],
    )
    assert.deepEqual(entry, { writes: 0 })
  })

  test('the database lets a service account belong to its own organization only', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const account = await accountOf(clinic)
    await assert.rejects(
      core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
        [other.id, account.id, other.roles.specialist],
      ),
      { constraint: 'organization_memberships_service_check' },
    )
    await assert.rejects(
      core.database.query(
        'update organization_memberships set organization_id = $1, role_id = $2 where principal_id = $3',
        [other.id, other.roles.specialist, account.id],
      ),
      { constraint: 'organization_memberships_service_check' },
    )
    await assert.rejects(
      core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
        [clinic.id, account.id, clinic.roles.admin],
      ),
      { constraint: 'organization_memberships_pkey' },
    )
  })
})
