import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const reason = 'The patient asked why the plan is empty'

describe('impersonation', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const ask = (as: Person | { token: string }, patientId: string, body: object = { reason }) =>
    core.post(`/v1/patients/${patientId}/impersonate`, { as, body })

  async function eyesOf(clinic: TestOrganization, patientId: string, as: Person = clinic.admin) {
    const answer = await ask(as, patientId)
    assert.equal(answer.status, 201, answer.text)
    return { token: answer.body.data.token as string, expires_at: answer.body.data.expires_at as string }
  }

  const isOver = async (eyes: { token: string }) => (await core.get('/v1/me', { as: eyes })).status === 401

  test('impersonation returns a token for 15 minutes, stored only as a hash', async () => {
    const clinic = await core.organization()
    const patient = await core.patient(clinic)
    const { token, expires_at } = await eyesOf(clinic, patient.id)
    assert.match(token, /^ti_[\w-]{43}$/)
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    assert.ok(minutes > 14 && minutes <= 15, String(minutes))
    const [row] = await core.database.query<{ text: string }>('select i::text as text from impersonations i')
    assert.ok(row && !row.text.includes(token.slice(3)))
    assert.ok(!core.log.join('\n').includes(token))
  })

  test('impersonation shows that patient at that clinic and nothing of the person elsewhere, before any consent', async () => {
    const clinic = await core.organization({ name: 'Aici' })
    const other = await core.organization({ name: 'Dincolo' })
    await core.publishNotice(clinic)
    const person = await core.member(other, 'specialist')
    const here = await core.patient(clinic, person, { first_name: 'Ioana' })
    const there = await core.patient(other, person)
    const eyes = await eyesOf(clinic, here.id)
    const me = await core.get('/v1/me', { as: eyes })
    const { data } = me.body
    assert.deepEqual(
      [data.name, data.current_organization.name, data.permissions, data.memberships, data.is_superadmin],
      ['Ioana Stan', 'Aici', [], [], false],
    )
    assert.deepEqual(data.patient_records, [
      { organization_id: clinic.id, patient_id: here.id, organization: data.current_organization },
    ])
    const records = await core.get('/v1/me/patient-records', { as: eyes })
    assert.equal(records.status, 200, 'outside the consent gate')
    assert.deepEqual(
      records.body.data.map((row: { id: string }) => row.id),
      [here.id],
    )
    const organizations = await core.get('/v1/organizations', { as: eyes })
    assert.deepEqual(organizations.body.data, [])
    for (const { text } of [me, records, organizations])
      for (const hidden of [other.id, there.id, there.profile_id, person.id, person.email, 'Dincolo'])
        assert.ok(!text.includes(hidden), hidden)
    assert.equal((await core.get('/v1/me/patient-records', { as: person })).status, 412, 'the patient is bound by it')
  })

  test('impersonation allows neither the patient’s other clinic nor routes of staff', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const person = await core.signIn()
    const here = await core.patient(clinic, person)
    const there = await core.patient(other, person)
    const eyes = await eyesOf(clinic, here.id)
    for (const path of ['/v1/me', '/v1/me/patient-records']) {
      const answer = await core.get(path, { as: eyes, headers: { 'x-organization-id': other.id } })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden'], path)
    }
    for (const [path, status] of [
      ['/v1/patients', 403],
      [`/v1/patients/${here.id}`, 403],
      [`/v1/patients/${there.id}`, 403],
      [`/v1/patients/${here.id}/profile`, 200],
      [`/v1/patients/${there.id}/profile`, 404],
      ['/v1/patients/picker', 403],
      ['/v1/audit-logs', 403],
      [`/v1/organizations/${clinic.id}`, 403],
      [`/v1/organizations/${clinic.id}/members`, 403],
      [`/v1/organizations/${other.id}`, 403],
    ] as const)
      assert.equal((await core.get(path, { as: eyes })).status, status, path)
  })

  test('impersonation only reads', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const { id } = await core.patient(clinic, person)
    const eyes = await eyesOf(clinic, id)
    for (const [method, path, body] of [
      ['PATCH', '/v1/me', { name: 'Other' }],
      ['PUT', '/v1/me/switch-organization', { organization_id: clinic.id }],
      ['POST', '/v1/patients', { first_name: 'A', last_name: 'B' }],
      ['PUT', `/v1/patients/${id}`, { first_name: 'A', last_name: 'B' }],
      ['POST', `/v1/patients/${id}/impersonate`, { reason }],
    ] as const) {
      const answer = await core.call(method, path, { as: eyes, body })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden'], `${method} ${path}`)
    }
    assert.equal((await core.get('/v1/me', { as: person })).body.data.name, person.name)
  })

  test('impersonation is audited with its reason, and each read with the staff member and on_behalf_of', async () => {
    const clinic = await core.organization()
    const { id, profile_id } = await core.patient(clinic, await core.signIn())
    const eyes = await eyesOf(clinic, id)
    await core.get('/v1/me', { as: eyes })
    await core.get('/v1/me/patient-records', { as: eyes })
    const asked = (await core.get('/v1/audit-logs?action=patients.impersonate', { as: clinic.admin })).body.data
    assert.deepEqual(
      asked.map((entry: Record<string, unknown>) => [entry.reason, entry.patient_profile_id]),
      [[reason, profile_id]],
    )
    const entries = await core.database.query(
      `select actor_principal_id, actor_type, on_behalf_of, patient_profile_id, crud from audit_log
       where organization_id = $1 and on_behalf_of is not null`,
      [clinic.id],
    )
    const seen = { actor_principal_id: clinic.admin.id, actor_type: 'user', on_behalf_of: profile_id }
    assert.deepEqual(entries, [
      { ...seen, patient_profile_id: profile_id, crud: 'R' },
      { ...seen, patient_profile_id: profile_id, crud: 'R' },
    ])
  })

  test('impersonation works for a patient who has no account yet', async () => {
    const clinic = await core.organization()
    const { id } = await core.patient(clinic)
    const { data } = (await core.get('/v1/me', { as: await eyesOf(clinic, id) })).body
    assert.deepEqual(data.patient_records, [
      { organization_id: clinic.id, patient_id: id, organization: data.current_organization },
    ])
  })

  test('impersonation ends when a permission, the membership, the record or the time ends', async () => {
    const clinic = await core.organization()
    const lookers = ['patients.view_org', 'patients.impersonate']
    const { id } = await core.patient(clinic)

    for (const code of lookers) {
      const lowered = await core.memberWith(clinic, lookers)
      const first = await eyesOf(clinic, id, lowered)
      assert.equal(await isOver(first), false)
      await core.database.query(
        `delete from role_permissions r using organization_memberships m
         where m.principal_id = $1 and r.role_id = m.role_id and r.permission_code = $2`,
        [lowered.id, code],
      )
      assert.equal(await isOver(first), true, `${code} is gone`)
    }

    const removed = await core.memberWith(clinic, lookers)
    const second = await eyesOf(clinic, id, removed)
    await core.database.query('delete from organization_memberships where principal_id = $1', [removed.id])
    assert.equal(await isOver(second), true, 'the member is gone')

    const third = await eyesOf(clinic, id)
    await core.database.query(
      `update impersonations set created_at = created_at - interval '15 minutes', expires_at = expires_at - interval '15 minutes'`,
    )
    assert.equal(await isOver(third), true, 'the time is over')

    const fourth = await eyesOf(clinic, id)
    await core.delete(`/v1/patients/${id}`, { as: clinic.admin })
    assert.equal(await isOver(fourth), true, 'the record is gone')
    assert.equal((await ask(clinic.admin, id)).status, 404)
  })

  test('impersonation needs the permission, a reason of ten characters, and a human caller', async () => {
    const clinic = await core.organization()
    const { id } = await core.patient(clinic)
    const refused = await ask(await core.member(clinic, 'specialist'), id)
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'patients.impersonate'])
    for (const body of [{}, { reason: 'too short' }, { reason: ' '.repeat(20) }])
      assert.deepEqual(Object.keys((await ask(clinic.admin, id, body)).body.error.fields), ['reason'])
    const accounts = `/v1/organizations/${clinic.id}/service-accounts`
    const account = await core.post(accounts, {
      as: clinic.admin,
      body: { name: 'Robot', role_id: clinic.roles.admin },
    })
    const key = await core.post(`${accounts}/${account.body.data.id}/keys`, { as: clinic.admin, body: { name: 'K' } })
    const robot = await ask({ token: key.body.data.key }, id)
    assert.deepEqual([robot.status, robot.body.error.code], [403, 'forbidden'])
  })

  test('impersonation with a forged token is 401', async () => {
    for (const token of ['ti_', `ti_${'A'.repeat(43)}`])
      assert.equal((await core.get('/v1/me', { as: { token } })).status, 401)
  })
})
