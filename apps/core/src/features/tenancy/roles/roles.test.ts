import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { Person, TestOrganization } from '../../../testing/people.ts'
import { codeFromName } from './rules.ts'

const at = (clinic: { id: string }, rest = '') => `/v1/organizations/${clinic.id}/roles${rest}`

describe('roles', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const create = (clinic: TestOrganization, body: object, as: Person = clinic.admin) =>
    core.post(at(clinic), { as, body })
  const actionsOf = async (clinic: { id: string }, targetId: string) =>
    (
      await core.database.query<{ action: string }>(
        'select action from audit_log where organization_id = $1 and target_id = $2 order by occurred_at, id',
        [clinic.id, targetId],
      )
    ).map(({ action }) => action)

  test('the list shows clones and custom roles with their permissions and member counts', async () => {
    const clinic = await core.organization()
    await core.member(clinic, 'specialist')
    const custom = await create(clinic, { name: 'Recepție', permissions: ['organizations.view_directory'] })
    assert.equal(custom.status, 201, custom.text)
    const listed = await core.get(at(clinic, '?sort=code'), { as: clinic.admin })
    assert.equal(listed.status, 200, listed.text)
    assert.deepEqual(listed.body.pagination, { page: 1, limit: 50, total: 4 })
    assert.deepEqual(
      listed.body.data.map((role: Record<string, unknown>) => [role.code, role.is_system, role.member_count]),
      [
        ['admin', true, 1],
        ['customer_support', true, 0],
        ['receptie', false, 0],
        ['specialist', true, 1],
      ],
    )
    assert.ok(listed.body.data[2].permissions.includes('organizations.view_directory'))
    assert.equal(listed.body.data[2].organization_id, clinic.id)
    assert.equal(listed.body.data[0].customized_at, null)
  })

  test('the list filters by is_system, searches and sorts; an unknown sort is refused', async () => {
    const clinic = await core.organization()
    await create(clinic, { name: 'Kinetoterapeut șef' })
    const codes = async (query: string) =>
      (await core.get(at(clinic, query), { as: clinic.admin })).body.data.map((role: { code: string }) => role.code)
    assert.deepEqual(await codes('?is_system=false'), ['kinetoterapeut_sef'])
    assert.deepEqual(await codes('?is_system=true&sort=-name'), ['specialist', 'customer_support', 'admin'])
    assert.deepEqual(await codes('?q=SEF'), ['kinetoterapeut_sef'])
    assert.deepEqual(await codes('?limit=1&page=2&sort=code'), ['customer_support'])
    const refused = await core.get(at(clinic, '?sort=rank'), { as: clinic.admin })
    assert.equal(refused.status, 422)
    assert.ok(refused.body.error.fields.sort)
  })

  test('the picker offers roles by name, or those named by ids', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const found = await core.get(at(clinic, '/picker?q=supp'), { as: clinic.admin })
    assert.deepEqual(found.body, {
      data: [
        { id: clinic.roles.customer_support, code: 'customer_support', name: 'Customer support', is_system: true },
      ],
    })
    const ids = [clinic.roles.admin, other.roles.admin, 'nonsense'].join(',')
    const named = await core.get(at(clinic, `/picker?ids=${ids}`), { as: clinic.admin })
    assert.deepEqual(
      named.body.data.map((role: { id: string }) => role.id),
      [clinic.roles.admin],
    )
  })

  test('a custom role is created with its grants, customized from the start, audited and announced', async () => {
    const clinic = await core.organization()
    const created = await create(clinic, {
      name: 'Front desk',
      description: 'Answers the telephone.',
      permissions: ['organizations.view_directory', 'organizations.view_directory', 'locations.manage'],
    })
    assert.equal(created.status, 201, created.text)
    const role = created.body.data
    assert.equal(role.code, 'front_desk')
    assert.equal(role.is_system, false)
    assert.ok(role.customized_at)
    assert.deepEqual(role.permissions, ['locations.manage', 'organizations.view_directory'])
    const read = await core.get(at(clinic, `/${role.id}`), { as: clinic.admin })
    assert.deepEqual(read.body.data, role)
    assert.deepEqual(await actionsOf(clinic, role.id), ['roles.create'])
    const [event] = await core.database.query(
      `select organization_id, payload from outbox_events where type = 'role.created' and organization_id = $1`,
      [clinic.id],
    )
    assert.deepEqual(event, { organization_id: clinic.id, payload: { role_id: role.id } })
  })

  test('a role code is unique in its organization (409), also in a race; another organization may use it', async () => {
    const clinic = await core.organization()
    const answers = await Promise.all(Array.from({ length: 6 }, () => create(clinic, { name: 'Front desk' })))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, 409, 409, 409, 409, 409],
    )
    assert.equal(answers.find(({ status }) => status === 409)?.body.error.code, 'role_code_taken')
    const clone = await create(clinic, { name: 'Boss', code: 'admin' })
    assert.equal(clone.body.error.code, 'role_code_taken')
    const other = await core.organization()
    assert.equal((await create(other, { name: 'Front desk' })).status, 201)
  })

  test('a repeated Idempotency-Key returns the same role', async () => {
    const clinic = await core.organization()
    const post = () =>
      core.post(at(clinic), { as: clinic.admin, body: { name: 'Once' }, headers: { 'idempotency-key': 'role-once' } })
    const first = await post()
    const second = await post()
    assert.equal(second.status, 201, second.text)
    assert.equal(second.headers.get('idempotency-replayed'), 'true')
    assert.equal(second.text, first.text)
  })

  test('a code, a name or a permission that is not valid is refused (422)', async () => {
    const clinic = await core.organization()
    const cases: [object, string][] = [
      [{ name: 'X', code: 'Front-desk' }, 'code'],
      [{ name: 'X', code: 'a' }, 'code'],
      [{ name: 'X', code: '1st' }, 'code'],
      [{ name: '照护' }, 'code'],
      [{ name: '  ' }, 'name'],
      [{ name: 'X y', permissions: ['no.such_code'] }, 'permissions'],
      [{ name: 'X y', permissions: ['*'] }, 'permissions'],
      [{ name: 'X y', is_system: true }, 'is_system'],
      [{ name: 'X y', organization_id: randomUUID() }, 'organization_id'],
    ]
    for (const [body, field] of cases) {
      const refused = await create(clinic, body)
      assert.equal(refused.status, 422, JSON.stringify(body))
      assert.ok(refused.body.error.fields[field], refused.text)
    }
  })

  test('a code is made from the name in plain letters', () => {
    assert.equal(codeFromName('Recepție și telefon!'), 'receptie_si_telefon')
    assert.equal(codeFromName(' 2nd Shift '), 'role_2nd_shift')
    assert.equal(codeFromName('x'), undefined)
    assert.equal(codeFromName('Ж'), undefined)
    assert.equal(codeFromName('a'.repeat(62) + ' b')?.length, 62)
  })

  test('a custom role can be renamed; the audit row contains the change', async () => {
    const clinic = await core.organization()
    const { id } = (await create(clinic, { name: 'Front desk' })).body.data
    const renamed = await core.patch(at(clinic, `/${id}`), {
      as: clinic.admin,
      body: { name: 'Reception', code: 'reception', description: null },
    })
    assert.equal(renamed.status, 200, renamed.text)
    assert.equal(renamed.body.data.code, 'reception')
    assert.deepEqual(await actionsOf(clinic, id), ['roles.create', 'roles.update'])
    const taken = await core.patch(at(clinic, `/${id}`), { as: clinic.admin, body: { code: 'specialist' } })
    assert.equal(taken.body.error.code, 'role_code_taken')
  })

  test('a clone of a template cannot be renamed or deleted (409), not even to the name it has', async () => {
    const clinic = await core.organization()
    const path = at(clinic, `/${clinic.roles.specialist}`)
    for (const body of [{ name: 'Doctor' }, { name: 'Specialist' }, { code: 'doctor' }, { description: 'x' }]) {
      const refused = await core.patch(path, { as: clinic.admin, body })
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.body.error.code, 'system_role')
    }
    const kept = await core.delete(path, { as: clinic.admin })
    assert.equal(kept.body.error.code, 'system_role')
    await assert.rejects(
      core.database.query(`update roles set name = 'Doctor' where id = $1`, [clinic.roles.specialist]),
      { constraint: 'roles_clone_check' },
    )
  })

  test('a custom role is deleted with its grants; the second time it is gone (404)', async () => {
    const clinic = await core.organization()
    const { id } = (await create(clinic, { name: 'Short', permissions: ['locations.manage'] })).body.data
    const deleted = await core.delete(at(clinic, `/${id}`), { as: clinic.admin })
    assert.equal(deleted.status, 204, deleted.text)
    assert.equal(deleted.text, '')
    const again = await core.delete(at(clinic, `/${id}`), { as: clinic.admin })
    assert.equal(again.body.error.code, 'role_not_found')
    assert.deepEqual(await actionsOf(clinic, id), ['roles.create', 'roles.delete'])
  })

  test('a role that somebody has cannot be deleted (409), also that of the last manager', async () => {
    const clinic = await core.organization()
    const { id } = (await create(clinic, { name: 'Manager', permissions: ['organizations.manage_members'] })).body.data
    const manager = await core.member(clinic, id)
    const refused = await core.delete(at(clinic, `/${id}`), { as: clinic.admin })
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.error.code, 'role_in_use')
    await core.database.query('delete from organization_memberships where organization_id = $1 and principal_id = $2', [
      clinic.id,
      clinic.admin.id,
    ])
    const operator = await core.superadmin()
    const last = await core.delete(at(clinic, `/${id}`), { as: operator })
    assert.equal(last.body.error.code, 'role_in_use')
    assert.equal((await core.get(at(clinic), { as: manager })).body.pagination.total, 4)
  })

  test('when a role is assigned and deleted at once, it is either assigned or deleted', async () => {
    const clinic = await core.organization()
    for (let round = 0; round < 8; round += 1) {
      const { id } = (await create(clinic, { name: `Round ${round}` })).body.data
      const person = await core.signIn()
      const [deleted, given] = await Promise.all([
        core.delete(at(clinic, `/${id}`), { as: clinic.admin }),
        core.database
          .query('insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)', [
            clinic.id,
            person.id,
            id,
          ])
          .then(
            () => true,
            () => false,
          ),
      ])
      assert.equal(deleted.status, given ? 409 : 204, deleted.text)
    }
  })

  test('reading needs manage_members, writing manage_roles (403 names the permission)', async () => {
    const clinic = await core.organization()
    const reader = await core.memberWith(clinic, ['organizations.manage_members'])
    const writer = await core.memberWith(clinic, ['organizations.manage_roles'])
    assert.equal((await core.get(at(clinic), { as: reader })).status, 200)
    const unread = await core.get(at(clinic), { as: writer })
    assert.equal(unread.status, 403)
    assert.equal(unread.body.error.required, 'organizations.manage_members')
    const unwritten = await create(clinic, { name: 'Front desk' }, reader)
    assert.equal(unwritten.body.error.required, 'organizations.manage_roles')
    const created = await create(clinic, { name: 'Front desk' }, writer)
    assert.equal(created.status, 201, created.text)
    await core.member(clinic, created.body.data.id)
    const path = at(clinic, `/${created.body.data.id}`)
    assert.equal((await core.delete(path, { as: reader })).status, 403)
    const renamed = await core.patch(path, { as: writer, body: { name: 'Desk' } })
    assert.equal(renamed.body.data.member_count, 1, 'counted although this caller may not see the members')
  })

  test('roles of another organization, templates and unknown ids are the same 404', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const [template] = await core.database.query<{ id: string }>('select id from roles where organization_id is null')
    for (const id of [other.roles.admin, template?.id, randomUUID()]) {
      const answers = await Promise.all([
        core.get(at(clinic, `/${id}`), { as: clinic.admin }),
        core.patch(at(clinic, `/${id}`), { as: clinic.admin, body: { name: 'Mine' } }),
        core.delete(at(clinic, `/${id}`), { as: clinic.admin }),
        core.put(at(clinic, `/${id}/permissions`), { as: clinic.admin, body: { permissions: [] } }),
      ])
      for (const answer of answers) {
        assert.equal(answer.status, 404, answer.text)
        assert.equal(answer.body.error.code, 'role_not_found')
      }
    }
    assert.equal((await core.get(at(clinic, '/nonsense'), { as: clinic.admin })).status, 404)
    const foreign = await core.get(at(other), { as: clinic.admin })
    assert.equal(foreign.body.error.code, 'organization_mismatch')
    const headed = await core.get(at(other), { as: clinic.admin, headers: { 'x-organization-id': other.id } })
    assert.equal(headed.status, 403)
  })
})
