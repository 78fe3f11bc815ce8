import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { Person } from '../../../testing/people.ts'
import { deletePlatformMembership } from './queries.ts'

const PATH = '/v1/admin/platform-memberships'

describe('platform memberships', () => {
  let core: TestCore
  let operator: Person
  before(async () => {
    core = await startCore()
    operator = await core.superadmin()
  })
  after(() => core.close())

  const grant = (body: object, as: Person = operator) => core.post(PATH, { as, body })
  const revoke = (id: string, as: Person = operator) => core.delete(`${PATH}/${id}`, { as })
  const isSuperadmin = async (person: Person) =>
    (await core.get('/v1/me', { as: person })).body.data.is_superadmin as boolean
  const join = (organizationId: string, roleId: string | undefined, principalId: string) =>
    core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [organizationId, principalId, roleId],
    )

  test('a superadmin adds another by e-mail, effective with the next request', async () => {
    const person = await core.signIn({ name: 'Ada Byron' })
    const granted = await grant({ email: person.email.toUpperCase() })
    assert.equal(granted.status, 201, granted.text)
    const { granted_at, ...rest } = granted.body.data
    assert.deepEqual(rest, {
      principal_id: person.id,
      name: 'Ada Byron',
      email: person.email,
      role: 'superadmin',
      granted_by_principal_id: operator.id,
      granted_by: { principal_id: operator.id, name: operator.name },
    })
    assert.ok(granted_at)
    assert.equal(await isSuperadmin(person), true)
    const rows = await core.database.query(
      `select organization_id, action, actor_principal_id from audit_log where target_id = $1`,
      [person.id],
    )
    assert.deepEqual(rows, [
      { organization_id: null, action: 'platform_memberships.grant', actor_principal_id: operator.id },
    ])
  })

  test('adding an existing superadmin changes nothing (200); parallel requests create one row', async () => {
    const person = await core.signIn()
    const answers = await Promise.all(Array.from({ length: 5 }, () => grant({ principal_id: person.id })))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 200, 200, 200, 201],
    )
    const again = await grant({ email: person.email }, person)
    assert.equal(again.status, 200)
    assert.deepEqual(again.body.data.granted_by, { principal_id: operator.id, name: operator.name })
    const rows = await core.database.query(`select 1 from audit_log where target_id = $1`, [person.id])
    assert.equal(rows.length, 1)
  })

  test('the list shows superadmins and who added them, with search and sort', async () => {
    const person = await core.signIn({ name: 'Zoë Quill' })
    await grant({ principal_id: person.id })
    const found = await core.get(`${PATH}?q=zoe`, { as: operator })
    assert.equal(found.status, 200, found.text)
    assert.equal(found.body.pagination.total, 1)
    assert.equal(found.body.data[0].principal_id, person.id)
    const newest = await core.get(`${PATH}?limit=1`, { as: operator })
    assert.equal(newest.body.data[0].principal_id, person.id)
    const all = await core.get(`${PATH}?sort=granted_at`, { as: operator })
    assert.equal(all.body.data[0].granted_by, null, 'the first was made by the command line')
    assert.equal((await core.get(`${PATH}?sort=role`, { as: operator })).status, 422)
  })

  test('unknown, unverified and non-human principals are refused (404)', async () => {
    const unproven = await core.signIn({ email_verified: false })
    const clinic = await core.organization()
    const [service] = await core.database.query<{ id: string }>(
      `insert into principals (kind, organization_id) values ('service', $1) returning id`,
      [clinic.id],
    )
    await join(clinic.id, clinic.roles.specialist, service?.id ?? '')
    for (const body of [
      { email: 'nobody@mail.example' },
      { email: unproven.email },
      { principal_id: randomUUID() },
      { principal_id: service?.id },
    ]) {
      const refused = await grant(body)
      assert.equal(refused.status, 404, refused.text)
      assert.equal(refused.body.error.code, 'human_not_found')
    }
    await assert.rejects(
      core.database.query('insert into platform_memberships (principal_id) values ($1)', [service?.id]),
    )
  })

  test('exactly one of email and principal_id is given (422)', async () => {
    for (const body of [{}, { email: operator.email, principal_id: operator.id }, { email: 'x' }, { role: 'root' }]) {
      assert.equal((await grant(body)).status, 422, JSON.stringify(body))
    }
  })

  test('a member of an organization cannot become superadmin, nor a superadmin a member', async () => {
    const clinic = await core.organization()
    const refused = await grant({ email: clinic.admin.email })
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.error.code, 'has_memberships')
    await assert.rejects(join(clinic.id, clinic.roles.specialist, operator.id), {
      constraint: 'organization_memberships_superadmin_check',
    })
  })

  test('of becoming superadmin and becoming member at once, exactly one wins', async () => {
    const clinic = await core.organization()
    for (let round = 0; round < 10; round += 1) {
      const person = await core.signIn()
      const [granted, joined] = await Promise.all([
        grant({ principal_id: person.id }),
        join(clinic.id, clinic.roles.specialist, person.id).then(
          () => true,
          () => false,
        ),
      ])
      assert.equal(granted.status, joined ? 409 : 201, granted.text)
      assert.equal(await isSuperadmin(person), !joined)
    }
  })

  test('a removed superadmin has no rights from the next request on; removing them again is 404', async () => {
    const person = await core.superadmin()
    const revoked = await revoke(person.id)
    assert.equal(revoked.status, 204, revoked.text)
    assert.equal(await isSuperadmin(person), false)
    assert.equal((await core.get(PATH, { as: person })).status, 403)
    const again = await revoke(person.id)
    assert.equal(again.status, 404)
    assert.equal(again.body.error.code, 'platform_membership_not_found')
    assert.equal((await revoke('nonsense')).status, 404)
    const rows = await core.database.query(`select action from audit_log where target_id = $1`, [person.id])
    assert.deepEqual(rows, [{ action: 'platform_memberships.revoke' }])
  })

  test('only superadmins read, grant and revoke (403)', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    for (const as of [clinic.admin, person]) {
      assert.equal((await core.get(PATH, { as })).status, 403)
      assert.equal((await grant({ principal_id: as.id }, as)).status, 403)
      assert.equal((await revoke(operator.id, as)).status, 403)
    }
    assert.equal((await core.get(PATH)).status, 401)
  })

  test('the last superadmin stays (409), also when two revoke each other', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [one, two] = [await core.superadmin(), await core.superadmin()]
      await core.database.query('delete from platform_memberships where principal_id <> all($1)', [[one.id, two.id]])
      const answers = await Promise.all([revoke(two.id, one), revoke(one.id, two)])
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
      // The second is refused: either as the last superadmin, or because the caller is no longer a superadmin.
      assert.equal(statuses[0], 204)
      assert.ok(statuses[1] === 409 || statuses[1] === 403, JSON.stringify(statuses))
      const left = await core.database.query<{ principal_id: string }>('select principal_id from platform_memberships')
      assert.equal(left.length, 1)
      const last = left[0]?.principal_id === one.id ? one : two
      const refused = await revoke(last.id, last)
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.body.error.code, 'last_superadmin')
    }
    operator = await core.superadmin()
  })

  test('the second of two open transactions that empty the table is refused', async () => {
    const other = await core.superadmin()
    await core.database.query('delete from platform_memberships where principal_id <> all($1)', [
      [operator.id, other.id],
    ])
    const context = { principalId: null, organizationId: null, permissions: '' }
    const second = Promise.withResolvers<void>()
    const first = core.services.db.platform(context, async (tx) => {
      await deletePlatformMembership(tx, other.id)
      const deleted = core.services.db.platform(context, (tx) => deletePlatformMembership(tx, operator.id))
      deleted.then(() => second.resolve(), second.reject)
    })
    await first
    await assert.rejects(second.promise, { constraint: 'platform_memberships_last_check' })
  })
})
