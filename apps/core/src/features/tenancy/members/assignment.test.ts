import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { onServer, until } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const MANAGE = 'organizations.manage_members'
const newAddress = () => `new-${randomUUID().slice(0, 8)}@mail.example`
const pathOf = (organization: { id: string }) => `/v1/organizations/${organization.id}/members`

describe('assigning roles', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function roleWith(organization: { id: string }, codes: string[]): Promise<string> {
    const [role] = await core.database.query<{ id: string }>(
      `insert into roles (organization_id, code, name) values ($1, $2, 'Custom') returning id`,
      [organization.id, `custom-${randomUUID().slice(0, 8)}`],
    )
    assert.ok(role)
    await core.database.query(
      'insert into role_permissions (role_id, organization_id, permission_code) select $1, $2, unnest($3::text[])',
      [role.id, organization.id, codes],
    )
    return role.id
  }

  const managersOf = async (organization: { id: string }) => {
    const [row] = await core.database.query<{ count: number }>(
      `select count(*)::int from organization_memberships m join role_permissions p on p.role_id = m.role_id
       where m.organization_id = $1 and p.permission_code = $2`,
      [organization.id, MANAGE],
    )
    return row?.count
  }

  test('nobody can assign a role with more permissions than they hold (403 names them), and nothing is written', async () => {
    const clinic = await core.organization()
    const clerk = await core.memberWith(clinic, [MANAGE, 'organizations.view_directory', 'locations.manage'])
    const role_id = await roleWith(clinic, ['locations.manage', 'organizations.update', 'audit_log.view_org'])
    const email = newAddress()
    const refused = await core.post(pathOf(clinic), { as: clerk, body: { email, role_id } })
    assert.equal(refused.status, 403, refused.text)
    assert.equal(refused.body.error.code, 'forbidden')
    assert.equal(refused.body.error.required, 'audit_log.view_org, organizations.update')
    assert.deepEqual(await core.database.query('select id from humans where email = $1', [email]), [])
    const allowed = { email, role_id: await roleWith(clinic, ['locations.manage']) }
    assert.equal((await core.post(pathOf(clinic), { as: clerk, body: allowed })).status, 201)
  })

  test('nobody can raise their own role by their e-mail address, nor that of a colleague', async () => {
    const clinic = await core.organization()
    const clerk = await core.memberWith(clinic, [MANAGE, 'organizations.view_directory'])
    const colleague = await core.member(clinic, 'specialist')
    for (const { email } of [clerk, colleague, { email: clerk.email.toUpperCase() }]) {
      const refused = await core.post(pathOf(clinic), { as: clerk, body: { email, role_id: clinic.roles.admin } })
      assert.equal(refused.status, 403)
    }
    const me = await core.get('/v1/me', { as: clerk })
    assert.deepEqual(me.body.data.permissions, [MANAGE, 'organizations.view_directory'])
  })

  test('nobody can demote or remove a person with more permissions, except themselves', async () => {
    const clinic = await core.organization()
    const clerk = await core.memberWith(clinic, [MANAGE])
    const role_id = await roleWith(clinic, [])
    const lowered = await core.post(pathOf(clinic), { as: clerk, body: { email: clinic.admin.email, role_id } })
    const removed = await core.delete(`${pathOf(clinic)}/${clinic.admin.id}`, { as: clerk })
    for (const refused of [lowered, removed]) {
      assert.equal(refused.status, 403, refused.text)
      assert.match(refused.body.error.required, /organizations.update/)
    }
    assert.equal((await core.delete(`${pathOf(clinic)}/${clerk.id}`, { as: clerk })).status, 204)
  })

  test('an unknown role, one of another organization and a template get the same 422', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const [template] = await core.database.query<{ id: string }>(
      `select id from roles where organization_id is null and code = 'specialist'`,
    )
    const answers = await Promise.all(
      [randomUUID(), other.roles.specialist, template?.id].map((role_id) =>
        core.post(pathOf(clinic), { as: clinic.admin, body: { email: newAddress(), role_id } }),
      ),
    )
    for (const answer of answers) {
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.error.code, 'validation_failed')
      assert.deepEqual(answer.body, answers[0]?.body)
      assert.deepEqual(Object.keys(answer.body.error.fields), ['role_id'])
    }
  })

  test('a role that gains a permission meanwhile cannot be assigned by somebody who lacks it', async () => {
    const clinic = await core.organization()
    const clerk = await core.memberWith(clinic, [MANAGE])
    const role_id = await roleWith(clinic, [])
    const email = newAddress()
    const name = new URL(core.database.url).pathname.slice(1)
    const answer = await onServer(name, async (client) => {
      await client.query('begin')
      await client.query(
        `insert into role_permissions (role_id, organization_id, permission_code) values ($1, $2, 'organizations.update')`,
        [role_id, clinic.id],
      )
      const posted = core.post(pathOf(clinic), { as: clerk, body: { email, role_id } })
      await Promise.race([until(async () => (await core.database.countWaiting()) > 0), posted])
      await client.query('commit')
      return posted
    })
    assert.equal(answer.status, 403, answer.text)
    assert.equal(answer.body.error.required, 'organizations.update')
    assert.deepEqual(await core.database.query('select id from humans where email = $1', [email]), [])
  })

  test('row-level security itself refuses a role beyond the caller', async () => {
    const clinic = await core.organization()
    const clerk = await core.memberWith(clinic, [MANAGE])
    const context = { principalId: clerk.id, organizationId: clinic.id, permissions: `,${MANAGE},` }
    const own = (roleId: string | undefined) =>
      core.services.db.tenant(context, (tx) =>
        tx
          .updateTable('organization_memberships')
          .set({ role_id: roleId ?? '' })
          .where('principal_id', '=', clerk.id)
          .execute(),
      )
    await assert.rejects(own(clinic.roles.admin), { code: '42501' })
    await assert.doesNotReject(own(await roleWith(clinic, [MANAGE])))
  })

  test('the last person who manages members can be neither removed nor demoted (409)', async () => {
    const clinic = await core.organization()
    await core.member(clinic, 'specialist')
    await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Import', role_id: clinic.roles.admin },
    })
    const operator = await core.superadmin()
    const { id, email } = clinic.admin
    for (const as of [clinic.admin, operator]) {
      for (const refused of [
        await core.delete(`${pathOf(clinic)}/${id}`, { as }),
        await core.post(pathOf(clinic), { as, body: { email, role_id: clinic.roles.specialist } }),
      ]) {
        assert.equal(refused.status, 409, refused.text)
        assert.equal(refused.body.error.code, 'last_manager')
      }
    }
    const second = await core.member(clinic, 'admin')
    assert.equal((await core.delete(`${pathOf(clinic)}/${id}`, { as: second })).status, 204)
  })

  test('of managers who remove or demote each other at the same time, one remains', async () => {
    for (let round = 0; round < 10; round += 1) {
      const clinic = await core.organization()
      const managers = [clinic.admin, await core.member(clinic, 'admin'), await core.member(clinic, 'admin')]
      const answers = await Promise.all(
        managers.map((as, position) => {
          const target = managers[(position + 1) % managers.length]
          if (round % 2 === 0) return core.delete(`${pathOf(clinic)}/${target?.id}`, { as })
          const body = { email: target?.email, role_id: clinic.roles.specialist }
          return core.post(pathOf(clinic), { as, body })
        }),
      )
      for (const { status, text } of answers) assert.ok([200, 204, 403, 409].includes(status), text)
      const lost = answers.filter(({ status }) => status === 200 || status === 204).length
      assert.equal(await managersOf(clinic), managers.length - lost)
      assert.ok(lost < managers.length)
    }
  })

  test('a person who becomes superadmin and member at the same time becomes only one of them', async () => {
    const clinic = await core.organization()
    for (let round = 0; round < 5; round += 1) {
      const person = await core.signIn()
      const body = { email: person.email, role_id: clinic.roles.specialist }
      const [added, granted] = await Promise.all([
        core.post(pathOf(clinic), { as: clinic.admin, body }),
        core.database
          .query('insert into platform_memberships (principal_id) values ($1) returning role', [person.id])
          .then(() => true)
          .catch((error: { constraint?: string }) => error.constraint !== 'platform_memberships_member_check'),
      ])
      assert.ok(added.status === 201 || added.status === 409, added.text)
      assert.equal(added.status === 201, !granted)
    }
  })
})
