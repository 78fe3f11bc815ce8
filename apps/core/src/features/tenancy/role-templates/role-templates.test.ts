import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { Person, TestOrganization } from '../../../testing/people.ts'

const PATH = '/v1/admin/role-templates'

describe('role templates', () => {
  let core: TestCore
  let operator: Person
  before(async () => {
    core = await startCore()
    operator = await core.superadmin()
  })
  after(() => core.close())

  interface Template {
    id: string
    permissions: string[]
  }
  const find = async (code: string): Promise<Template> =>
    (await core.get(`${PATH}?q=${code}`, { as: operator })).body.data[0]
  const put = (template: Template, permissions: string[]) =>
    core.put(`${PATH}/${template.id}/permissions`, { as: operator, body: { permissions } })
  const grantsOf = async (clinic: TestOrganization, code: string) =>
    (
      await core.database.query<{ permission_code: string }>(
        'select permission_code from role_permissions where role_id = $1 order by 1',
        [clinic.roles[code]],
      )
    ).map(({ permission_code }) => permission_code)
  /** A permission of no role yet. */
  const ship = async () => {
    const code = `test.code_${randomUUID().slice(0, 8)}`
    await core.database.query(`select ship_permission($1, 'For a test', '{}')`, [code])
    return code
  }

  test('a superadmin lists and reads the three templates with their permissions', async () => {
    const listed = await core.get(`${PATH}?sort=code`, { as: operator })
    assert.equal(listed.status, 200, listed.text)
    assert.deepEqual(
      listed.body.data.map(({ code }: { code: string }) => code),
      ['admin', 'customer_support', 'specialist'],
    )
    assert.equal(listed.body.pagination.total, 3)
    assert.ok(listed.body.data[2].permissions.includes('organizations.view_directory'))
    const read = await core.get(`${PATH}/${listed.body.data[0].id}`, { as: operator })
    assert.deepEqual(read.body.data, listed.body.data[0])
  })

  test('a grant reaches untouched clones and new organizations; a revocation only new organizations', async () => {
    const untouched = await core.organization()
    const customized = await core.organization()
    await core.put(`/v1/organizations/${customized.id}/roles/${customized.roles.customer_support}/permissions`, {
      as: customized.admin,
      body: { permissions: [] },
    })
    const code = await ship()
    const template = await find('customer_support')
    const granted = await put(template, [...template.permissions, code])
    assert.equal(granted.status, 200, granted.text)
    assert.ok(granted.body.data.permissions.includes(code))
    assert.ok((await grantsOf(untouched, 'customer_support')).includes(code))
    assert.deepEqual(await grantsOf(customized, 'customer_support'), [])
    assert.ok(!(await grantsOf(untouched, 'specialist')).includes(code))
    assert.ok((await grantsOf(await core.organization(), 'customer_support')).includes(code))

    const revoked = await put(template, template.permissions)
    assert.deepEqual(revoked.body.data.permissions, template.permissions)
    assert.ok((await grantsOf(untouched, 'customer_support')).includes(code), 'existing clones keep it')
    assert.ok(!(await grantsOf(await core.organization(), 'customer_support')).includes(code))
    const again = await put(template, [...template.permissions, code])
    assert.equal(again.status, 200, 'a clone that has it already is no obstacle')
    await put(template, template.permissions)

    const [clone] = await core.database.query('select customized_at from roles where id = $1', [
      untouched.roles.customer_support,
    ])
    assert.equal(clone?.customized_at, null, 'the platform’s change is not the clinic’s')
  })

  test('every change leaves an audit row above all organizations; an unchanged PUT leaves none', async () => {
    const template = await find('specialist')
    const code = await ship()
    await put(template, [...template.permissions, code])
    await put(template, template.permissions)
    await put(template, template.permissions)
    const renamed = await core.patch(`${PATH}/${template.id}`, {
      as: operator,
      body: { description: 'Treats people.' },
    })
    assert.equal(renamed.status, 200, renamed.text)
    const rows = await core.database.query(
      `select action, actor_type, actor_principal_id from audit_log
       where organization_id is null and target_type = 'role_template' and target_id = $1 order by occurred_at, id`,
      [template.id],
    )
    const actor = { actor_type: 'superadmin', actor_principal_id: operator.id }
    assert.deepEqual(rows, [
      { action: 'role_templates.update_permissions', ...actor },
      { action: 'role_templates.update_permissions', ...actor },
      { action: 'role_templates.update', ...actor },
    ])
    const [event] = await core.database.query(
      `select organization_id, payload from outbox_events where type = 'role_template.permissions_changed'
       and payload -> 'added' ? $1`,
      [code],
    )
    assert.deepEqual(event, {
      organization_id: null,
      payload: { role_template_id: template.id, added: [code], removed: [] },
    })
  })

  test('a new name applies to organizations created later; the code never changes', async () => {
    const before = await core.organization()
    const template = await find('customer_support')
    const renamed = await core.patch(`${PATH}/${template.id}`, {
      as: operator,
      body: { name: 'Front office', description: null },
    })
    assert.equal(renamed.body.data.name, 'Front office')
    const names = await core.database.query(`select name from roles where id = any($1) order by created_at`, [
      [before.roles.customer_support, (await core.organization()).roles.customer_support],
    ])
    assert.deepEqual(names, [{ name: 'Customer support' }, { name: 'Front office' }])
    const refused = await core.patch(`${PATH}/${template.id}`, { as: operator, body: { code: 'desk' } })
    assert.equal(refused.status, 422)
    assert.ok(refused.body.error.fields.code)
  })

  test('unknown codes are refused (422); a clinic’s role and unknown ids are 404', async () => {
    const clinic = await core.organization()
    const template = await find('admin')
    const refused = await put(template, ['no.such_code'])
    assert.equal(refused.status, 422)
    assert.match(refused.body.error.fields.permissions, /no\.such_code/)
    assert.deepEqual((await find('admin')).permissions, template.permissions)
    for (const id of [clinic.roles.admin, randomUUID()]) {
      for (const answer of [
        await core.get(`${PATH}/${id}`, { as: operator }),
        await core.patch(`${PATH}/${id}`, { as: operator, body: { name: 'X' } }),
        await put({ id: id ?? '', permissions: [] }, []),
      ]) {
        assert.equal(answer.status, 404, answer.text)
        assert.equal(answer.body.error.code, 'role_template_not_found')
      }
    }
    assert.equal((await core.get(`${PATH}/nonsense`, { as: operator })).status, 404)
  })

  test('only superadmins have access to the templates (403)', async () => {
    const clinic = await core.organization()
    const template = await find('specialist')
    for (const answer of [
      await core.get(PATH, { as: clinic.admin }),
      await core.get(`${PATH}/${template.id}`, { as: clinic.admin }),
      await core.patch(`${PATH}/${template.id}`, { as: clinic.admin, body: { name: 'X' } }),
      await core.put(`${PATH}/${template.id}/permissions`, { as: clinic.admin, body: { permissions: [] } }),
    ]) {
      assert.equal(answer.status, 403, answer.text)
    }
    assert.equal((await core.get(PATH)).status, 401)
  })

  test('a grant and the creation of an organization at once: the clone has the grant', async () => {
    const template = await find('specialist')
    for (let round = 0; round < 10; round += 1) {
      const code = await ship()
      const [granted, clinic] = await Promise.all([
        put(template, [...template.permissions, code]),
        createOrganization(round),
      ])
      assert.equal(granted.status, 200, granted.text)
      const rows = await core.database.query(
        `select 1 from role_permissions p join roles r on r.id = p.role_id
         where r.organization_id = $1 and r.code = 'specialist' and p.permission_code = $2`,
        [clinic, code],
      )
      assert.equal(rows.length, 1, `round ${round}`)
    }
    await put(template, template.permissions)
  })

  test('when a grant and a change of the clone by its clinic happen at once, the clinic’s choice wins', async () => {
    const template = await find('specialist')
    for (let round = 0; round < 10; round += 1) {
      const clinic = await core.organization()
      const code = await ship()
      const [granted, chosen] = await Promise.all([
        put(template, [...template.permissions, code]),
        core.put(`/v1/organizations/${clinic.id}/roles/${clinic.roles.specialist}/permissions`, {
          as: clinic.admin,
          body: { permissions: ['locations.manage'] },
        }),
      ])
      assert.equal(granted.status, 200, granted.text)
      assert.equal(chosen.status, 200, chosen.text)
      assert.deepEqual(await grantsOf(clinic, 'specialist'), ['locations.manage'], `round ${round}`)
    }
    await put(template, template.permissions)
  })

  test('parallel grants to one template do not block each other out', async () => {
    const template = await find('specialist')
    const codes = await Promise.all(Array.from({ length: 4 }, ship))
    const answers = await Promise.all(codes.map((code) => put(template, [...template.permissions, code])))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal((await find('specialist')).permissions.length, template.permissions.length + 1, 'the last PUT stands')
    await put(template, template.permissions)
  })

  async function createOrganization(round: number): Promise<string> {
    const created = await core.post('/v1/organizations', {
      as: operator,
      body: { name: 'Race', slug: `race-${round}-${randomUUID().slice(0, 8)}` },
    })
    assert.equal(created.status, 201, created.text)
    return created.body.data.id
  }
})
