import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { urlFor } from '@tendon/db'
import { TEST_ROLE_SECRET } from '@tendon/testing'
import { Client } from 'pg'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { Person, TestOrganization } from '../../../testing/people.ts'

const MEMBERS = 'organizations.manage_members'
const ROLES = 'organizations.manage_roles'
const DIRECTORY = 'organizations.view_directory'

describe('permissions of roles', () => {
  let core: TestCore
  before(async () => {
    core = await startCore()
  })
  after(() => core.close())

  const put = (
    clinic: TestOrganization,
    roleId: string | undefined,
    permissions: string[],
    as: Person = clinic.admin,
  ) => core.put(`/v1/organizations/${clinic.id}/roles/${roleId}/permissions`, { as, body: { permissions } })
  const read = async (clinic: TestOrganization, roleId: string | undefined) =>
    (await core.get(`/v1/organizations/${clinic.id}/roles/${roleId}`, { as: clinic.admin })).body.data
  const custom = async (clinic: TestOrganization, name: string, permissions: string[]) =>
    (await core.post(`/v1/organizations/${clinic.id}/roles`, { as: clinic.admin, body: { name, permissions } })).body
      .data.id as string
  const held = async (person: Person) => (await core.get('/v1/me', { as: person })).body.data.permissions as string[]

  test('the first change of a clone sets customized_at; the same grants again change nothing', async () => {
    const clinic = await core.organization()
    const { specialist } = clinic.roles
    const before = (await read(clinic, specialist)).permissions as string[]
    const same = await put(clinic, specialist, [...before, DIRECTORY])
    assert.equal(same.status, 200, same.text)
    assert.equal(same.body.data.customized_at, null)
    const changed = await put(clinic, specialist, [...before, 'locations.manage'])
    assert.ok(changed.body.data.customized_at)
    assert.deepEqual(changed.body.data.permissions, [...before, 'locations.manage'].sort())
    const later = await put(clinic, specialist, [])
    assert.deepEqual(later.body.data.permissions, [])
    assert.equal(later.body.data.customized_at, changed.body.data.customized_at, 'the first change is remembered')
    const rows = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and target_id = $2 and action = 'roles.update_permissions'`,
      [clinic.id, specialist],
    )
    assert.equal(rows.length, 2, 'one row per real change')
    const events = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'role.permissions_changed' order by id`,
      [clinic.id],
    )
    assert.deepEqual(events[0]?.payload, { role_id: specialist, added: ['locations.manage'], removed: [] })
  })

  test('new grants and revocations apply from the members’ next request', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'customer_support')
    await put(clinic, clinic.roles.customer_support, ['locations.manage'])
    assert.deepEqual(await held(person), ['locations.manage'])
    await put(clinic, clinic.roles.customer_support, [])
    assert.deepEqual(await held(person), [])
  })

  test('nobody can grant permissions they do not hold (403 names them); existing ones may stay', async () => {
    const clinic = await core.organization()
    const id = await custom(clinic, 'Keeper', ['audit_log.view_org'])
    const editor = await core.memberWith(clinic, [ROLES, DIRECTORY])
    const refused = await put(clinic, id, ['audit_log.view_org', 'locations.manage', DIRECTORY, MEMBERS], editor)
    assert.equal(refused.status, 403, refused.text)
    assert.equal(refused.body.error.code, 'forbidden')
    assert.equal(refused.body.error.required, `locations.manage, ${MEMBERS}`)
    const kept = await put(clinic, id, ['audit_log.view_org', DIRECTORY], editor)
    assert.equal(kept.status, 200, kept.text)
    const created = await core.post(`/v1/organizations/${clinic.id}/roles`, {
      as: editor,
      body: { name: 'Sneaky', permissions: [MEMBERS] },
    })
    assert.equal(created.body.error.required, MEMBERS)
    const removed = await put(clinic, id, [], editor)
    assert.equal(removed.status, 200, 'taking away needs no more than manage_roles')
    const back = await put(clinic, id, ['audit_log.view_org'], editor)
    assert.equal(back.status, 403, 'and what was taken away is a new grant')
  })

  test('the row policy refuses the same grant without the API', async () => {
    const clinic = await core.organization()
    const id = await custom(clinic, 'Target', [])
    const client = new Client({ connectionString: urlFor('tendon_app', core.database.url, TEST_ROLE_SECRET) })
    await client.connect()
    const grant = async (
      code: string,
      permissions: string,
      values: { role?: string; organization?: string | null },
    ) => {
      await client.query('begin')
      try {
        await client.query(
          `select set_config('app.org_id', $1, true), set_config('app.principal_id', $2, true),
            set_config('app.permissions', $3, true)`,
          [clinic.id, clinic.admin.id, permissions],
        )
        await client.query(
          'insert into role_permissions (role_id, organization_id, permission_code) values ($1, $2, $3)',
          [values.role ?? id, values.organization === undefined ? clinic.id : values.organization, code],
        )
        return 'granted'
      } catch (error) {
        return (error as { code: string }).code
      } finally {
        await client.query('rollback')
      }
    }
    const [template] = await core.database.query<{ id: string }>('select id from roles where organization_id is null')
    const other = await core.organization()
    assert.equal(await grant(DIRECTORY, `,${ROLES},${DIRECTORY},`, {}), 'granted')
    assert.equal(await grant(MEMBERS, `,${ROLES},${DIRECTORY},`, {}), '42501')
    assert.equal(await grant(DIRECTORY, `,${DIRECTORY},`, {}), '42501', 'nor without manage_roles')
    assert.equal(await grant(DIRECTORY, '', {}), '42501')
    assert.equal(await grant(DIRECTORY, '*', { role: template?.id ?? '', organization: null }), '42501')
    assert.equal(await grant(DIRECTORY, '*', { role: other.roles.admin ?? '', organization: other.id }), '42501')
    assert.equal(await grant('locations.manage', '*', { role: other.roles.specialist ?? '' }), '23503')
    await client.end()
  })

  test('unknown codes are refused (422), all of them named', async () => {
    const clinic = await core.organization()
    const refused = await put(clinic, clinic.roles.specialist, [DIRECTORY, 'no.such', 'nor.this', '*'])
    assert.equal(refused.status, 422, refused.text)
    assert.match(refused.body.error.fields.permissions, /no\.such, nor\.this, \*/)
    assert.equal((await read(clinic, clinic.roles.specialist)).customized_at, null)
  })

  test('the role of the last manager keeps manage_members (409)', async () => {
    const clinic = await core.organization()
    const refused = await put(clinic, clinic.roles.admin, [ROLES])
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.error.code, 'last_manager')
    const { permissions, customized_at } = await read(clinic, clinic.roles.admin)
    assert.ok(permissions.includes(MEMBERS))
    assert.equal(customized_at, null, 'nothing of a refused change stays')
    await core.memberWith(clinic, [MEMBERS])
    assert.equal((await put(clinic, clinic.roles.admin, [ROLES])).status, 200)
  })

  test('two roles that lose manage_members at once: one manager stays', async () => {
    for (let round = 0; round < 5; round += 1) {
      const clinic = await core.organization()
      const second = await custom(clinic, 'Second', [MEMBERS])
      await core.member(clinic, second)
      const answers = await Promise.all([put(clinic, clinic.roles.admin, [ROLES]), put(clinic, second, [])])
      assert.deepEqual(
        answers.map(({ status }) => status).sort((a, b) => a - b),
        [200, 409],
      )
    }
  })

  test('parallel replacements are serialized: the result is exactly one of the bodies', async () => {
    const clinic = await core.organization()
    const bodies = [[DIRECTORY], ['locations.manage', MEMBERS], ['audit_log.view_org'], []]
    const answers = await Promise.all(bodies.map((body) => put(clinic, clinic.roles.customer_support, body)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    const { permissions } = await read(clinic, clinic.roles.customer_support)
    assert.ok(bodies.some((body) => JSON.stringify([...body].sort()) === JSON.stringify(permissions)))
  })

  test('a role cannot gain permissions while it is assigned: nobody gets more than the assigner holds', async () => {
    const clinic = await core.organization()
    const giver = await core.memberWith(clinic, [MEMBERS])
    for (let round = 0; round < 6; round += 1) {
      const id = await custom(clinic, `Empty ${round}`, [])
      const invited = `round-${round}@mail.example`
      const [given, filled] = await Promise.all([
        core.post(`/v1/organizations/${clinic.id}/members`, { as: giver, body: { email: invited, role_id: id } }),
        put(clinic, id, [ROLES]),
      ])
      assert.equal(filled.status, 200, filled.text)
      assert.ok([201, 403].includes(given.status), given.text)
    }
  })

  test('the catalogue says what the caller holds and what a role has', async () => {
    const clinic = await core.organization()
    const editor = await core.memberWith(clinic, [ROLES, DIRECTORY])
    const path = `/v1/organizations/${clinic.id}/permissions`
    const all = await core.get(`${path}?limit=500`, { as: editor })
    assert.equal(all.status, 200, all.text)
    const codes: string[] = all.body.data.map(({ code }: { code: string }) => code)
    assert.deepEqual(codes, [...codes].sort(), 'by code')
    assert.equal(all.body.pagination.total, codes.length)
    const directory = all.body.data.find(({ code }: { code: string }) => code === DIRECTORY)
    assert.deepEqual(directory, {
      code: DIRECTORY,
      resource: 'organizations',
      action: 'view_directory',
      description: 'See who works at the clinic',
      held: true,
    })
    const admin = await core.get(`${path}?role_id=${clinic.roles.specialist}&q=directory`, { as: clinic.admin })
    assert.deepEqual(
      admin.body.data.map((one: Record<string, unknown>) => [one.code, one.held, one.granted]),
      [[DIRECTORY, true, true]],
    )
    const unheld = await core.get(`${path}?role_id=${clinic.roles.specialist}&resource=locations&sort=-code`, {
      as: editor,
    })
    assert.deepEqual(
      unheld.body.data.map((one: Record<string, unknown>) => [one.code, one.held, one.granted]),
      [['locations.manage', false, false]],
    )
    assert.equal((await core.get(`${path}?limit=2`, { as: editor })).body.data.length, 2)
    assert.equal((await core.get(`${path}?sort=action`, { as: editor })).status, 422)
    const reader = await core.memberWith(clinic, [MEMBERS])
    assert.equal((await core.get(path, { as: reader })).body.error.required, ROLES)
    const other = await core.organization()
    for (const id of [other.roles.admin, 'nonsense']) {
      const refused = await core.get(`${path}?role_id=${id}`, { as: editor })
      assert.equal(refused.body.error.code, 'role_not_found')
    }
  })

  test('a newly shipped permission reaches untouched clones; in a customized role it waits unchecked', async () => {
    const untouched = await core.organization()
    const customized = await core.organization()
    await put(customized, customized.roles.specialist, [DIRECTORY, 'locations.manage'])
    const own = await custom(untouched, 'Own', [])
    const here = await core.member(untouched, 'specialist')
    const there = await core.member(customized, 'specialist')
    const ship = () =>
      core.database.query(`select ship_permission('stars.count', 'Count the stars', '{specialist,admin}')`)
    await ship()
    assert.ok((await held(here)).includes('stars.count'))
    assert.deepEqual(await held(there), ['locations.manage', DIRECTORY])
    assert.deepEqual((await read(untouched, own)).permissions, [])
    const editor = await core.get(
      `/v1/organizations/${customized.id}/permissions?role_id=${customized.roles.specialist}&resource=stars`,
      { as: customized.admin },
    )
    assert.deepEqual(editor.body.data, [
      {
        code: 'stars.count',
        resource: 'stars',
        action: 'count',
        description: 'Count the stars',
        held: true,
        granted: false,
      },
    ])
    await put(untouched, untouched.roles.specialist, [DIRECTORY])
    await ship()
    assert.deepEqual(await held(here), [DIRECTORY], 'the next deployment does not bring it back')
  })
})
