import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../../testing.ts'

describe('organizations', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  test('a superadmin creates an organization with clones of the three templates', async () => {
    const operator = await core.superadmin()
    const created = await core.post('/v1/organizations', {
      as: operator,
      body: { name: 'Clinica Mlădița', slug: 'mladita' },
    })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.data.language_code, 'en')
    assert.equal(created.body.data.plan, 'free')
    const roles = await core.database.query(
      'select code, is_system, customized_at from roles where organization_id = $1 order by code',
      [created.body.data.id],
    )
    assert.deepEqual(roles, [
      { code: 'admin', is_system: true, customized_at: null },
      { code: 'customer_support', is_system: true, customized_at: null },
      { code: 'specialist', is_system: true, customized_at: null },
    ])
  })

  test('a member reads their organization; a stranger is told it is not their current one', async () => {
    const one = await core.organization({ name: 'Unu' })
    const other = await core.organization({ name: 'Doi' })
    const read = await core.get(`/v1/organizations/${one.id}`, { as: one.admin })
    assert.equal(read.status, 200, read.text)
    assert.equal(read.body.data.name, 'Unu')
    const foreign = await core.get(`/v1/organizations/${other.id}`, { as: one.admin })
    assert.equal(foreign.status, 403)
    assert.equal(foreign.body.error.code, 'organization_mismatch')
  })

  test('an admin changes the organization, and the audit row stands beside the change', async () => {
    const one = await core.organization()
    const changed = await core.patch(`/v1/organizations/${one.id}`, {
      as: one.admin,
      body: { name: 'Nume nou', language_code: 'ro', address: { line1: 'Strada 1', city: 'Iași', country: 'RO' } },
    })
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.data.address.city, 'Iași')
    const [entry] = await core.database.query(
      `select action, actor_type, actor_principal_id from audit_log where organization_id = $1 and action = 'organizations.update'`,
      [one.id],
    )
    assert.deepEqual(entry, { action: 'organizations.update', actor_type: 'user', actor_principal_id: one.admin.id })
  })
})
