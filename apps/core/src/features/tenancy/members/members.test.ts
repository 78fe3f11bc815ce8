import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const newAddress = () => `new-${randomUUID().slice(0, 8)}@mail.example`
const pathOf = (organization: { id: string }) => `/v1/organizations/${organization.id}/members`

describe('members', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const mailsTo = (address: string) =>
    core.database.query<{ template: string; language: string; data: unknown; organization_id: string }>(
      'select template, language, data, organization_id from mail_outbox where to_address = $1 order by id',
      [address],
    )

  const traces = async (organization: { id: string }, id: string) => ({
    audit: (
      await core.database.query<{ action: string }>(
        'select action from audit_log where organization_id = $1 and target_id = $2 order by occurred_at',
        [organization.id, id],
      )
    ).map(({ action }) => action),
    events: (
      await core.database.query<{ type: string }>(
        `select type from outbox_events where organization_id = $1 and payload ->> 'principal_id' = $2 order by id`,
        [organization.id, id],
      )
    ).map(({ type }) => type),
  })

  test('a person who never signed in is invited: 201, status invited, a mail in the language of the clinic', async () => {
    const clinic = await core.organization({ name: 'Clinica Mlădița', language_code: 'ro' })
    const email = newAddress()
    const added = await core.post(pathOf(clinic), {
      as: clinic.admin,
      body: { email, role_id: clinic.roles.specialist, name: 'Ana Ionescu' },
    })
    assert.equal(added.status, 201, added.text)
    const member = added.body.data
    assert.deepEqual(
      { ...member, principal_id: '', user_id: '', created_at: '', updated_at: '' },
      {
        principal_id: '',
        user_id: '',
        type: 'human',
        name: 'Ana Ionescu',
        email,
        email_verified: false,
        status: 'invited',
        role: { id: clinic.roles.specialist, code: 'specialist', name: 'Specialist' },
        created_at: '',
        updated_at: '',
      },
    )
    assert.equal(member.user_id, member.principal_id)
    assert.deepEqual(await mailsTo(email), [
      {
        template: 'member_invited',
        language: 'ro',
        organization_id: clinic.id,
        data: { organization_name: 'Clinica Mlădița', role_name: 'Specialist', inviter_name: clinic.admin.name },
      },
    ])
    assert.deepEqual(await traces(clinic, member.principal_id), { audit: ['members.add'], events: ['member.added'] })
  })

  test('a person with an account, found by e-mail in any case, is shown as invited until their first request there', async () => {
    const clinic = await core.organization()
    const person = await core.signIn({ email: `Maria.${randomUUID().slice(0, 8)}@Mail.example` })
    const added = await core.post(pathOf(clinic), {
      as: clinic.admin,
      body: { email: person.email.toUpperCase(), name: 'As typed', role_id: clinic.roles.customer_support },
    })
    assert.equal(added.status, 201, added.text)
    assert.equal(added.body.data.principal_id, person.id)
    const [typed] = (await core.get(`${pathOf(clinic)}?q=as+typed`, { as: clinic.admin })).body.data
    assert.deepEqual([typed.name, typed.status, typed.email_verified], ['As typed', 'invited', false])
    assert.equal((await mailsTo(person.email.toUpperCase())).length, 1)

    const me = await core.get('/v1/me', { as: person })
    assert.ok(me.body.data.permissions.includes('organizations.view_directory'))
    const [joined] = (await core.get(`${pathOf(clinic)}?status=active&q=${person.email}`, { as: clinic.admin })).body
      .data
    assert.deepEqual([joined.name, joined.status, joined.email_verified], [person.name, 'active', true])
  })

  test('a second POST of the e-mail address changes the role (200), and with the same role nothing', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'specialist')
    const upsert = (code: string) =>
      core.post(pathOf(clinic), { as: clinic.admin, body: { email: person.email, role_id: clinic.roles[code] } })
    const changed = await upsert('admin')
    assert.equal(changed.status, 200, changed.text)
    assert.equal(changed.body.data.role.code, 'admin')
    const same = await upsert('admin')
    assert.equal(same.status, 200)
    assert.equal(same.body.data.updated_at, changed.body.data.updated_at)
    assert.deepEqual(await traces(clinic, person.id), { audit: ['members.update'], events: ['member.updated'] })
    assert.deepEqual(await mailsTo(person.email), [])
  })

  test('twenty parallel POSTs of one e-mail address add one member and queue one mail', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const body = { email, role_id: clinic.roles.specialist }
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => core.post(pathOf(clinic), { as: clinic.admin, body })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [...Array.from({ length: 19 }, () => 200), 201],
    )
    assert.equal(new Set(answers.map((answer) => answer.body.data.principal_id)).size, 1)
    assert.equal((await mailsTo(email)).length, 1)
  })

  test('an Idempotency-Key repeats the answer, its status and its bytes', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const post = (role: string, key: string) =>
      core.post(pathOf(clinic), {
        as: clinic.admin,
        body: { email, role_id: clinic.roles[role] },
        headers: { 'idempotency-key': key },
      })
    const added = await post('specialist', 'add-1')
    const changed = await post('admin', 'change-1')
    for (const [first, again] of [
      [added, await post('specialist', 'add-1')],
      [changed, await post('admin', 'change-1')],
    ] as const) {
      assert.equal(again.headers.get('idempotency-replayed'), 'true')
      assert.equal(again.text, first.text)
      assert.equal(again.status, first.status)
    }
    assert.deepEqual([added.status, changed.status], [201, 200])
    assert.equal((await mailsTo(email)).length, 1)
  })

  test('a removed member has no access on the very next request', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'admin')
    assert.equal((await core.get(pathOf(clinic), { as: person })).status, 200)
    const removed = await core.delete(`${pathOf(clinic)}/${person.id}`, { as: clinic.admin })
    assert.equal(removed.status, 204, removed.text)
    assert.equal(removed.text, '')
    assert.equal((await core.get(pathOf(clinic), { as: person })).status, 403)
    assert.deepEqual(await traces(clinic, person.id), { audit: ['members.remove'], events: ['member.removed'] })
    const again = await core.delete(`${pathOf(clinic)}/${person.id}`, { as: clinic.admin })
    assert.equal(again.status, 404)
    assert.equal(again.body.error.code, 'member_not_found')
  })

  test('a member may remove themself', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'admin')
    assert.equal((await core.delete(`${pathOf(clinic)}/${person.id}`, { as: person })).status, 204)
  })

  test('another organization’s member, a service account, an unknown and a malformed id are all 404', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const foreigner = await core.member(other, 'specialist')
    const account = await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Import', role_id: clinic.roles.specialist },
    })
    for (const id of [foreigner.id, account.body.data.id, randomUUID()]) {
      const answer = await core.delete(`${pathOf(clinic)}/${id}`, { as: clinic.admin })
      assert.equal(answer.status, 404)
      assert.equal(answer.body.error.code, 'member_not_found')
    }
    assert.equal((await core.delete(`${pathOf(clinic)}/not-an-id`, { as: clinic.admin })).status, 404)
    assert.equal((await core.get('/v1/me', { as: foreigner })).body.data.memberships.length, 1)
  })

  test('the list shows people; service accounts only when asked for', async () => {
    const clinic = await core.organization()
    await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Import', role_id: clinic.roles.specialist },
    })
    const types = async (query: string) => {
      const { body } = await core.get(`${pathOf(clinic)}${query}`, { as: clinic.admin })
      assert.equal(body.pagination.total, body.data.length)
      return body.data.map((member: { type: string }) => member.type).sort()
    }
    assert.deepEqual(await types(''), ['human'])
    assert.deepEqual(await types('?type=dragon'), ['human'])
    assert.deepEqual(await types('?type=service'), ['service'])
    assert.deepEqual(await types('?type=human,service'), ['human', 'service'])
  })

  test('the list filters, searches without accents, sorts and pages', async () => {
    const clinic = await core.organization()
    for (const [name, role] of [
      ['Ștefan Țurcanu', 'specialist'],
      ['Bogdan', 'specialist'],
      ['Cornelia', 'customer_support'],
    ] as const) {
      const body = { email: newAddress(), role_id: clinic.roles[role], name }
      assert.equal((await core.post(pathOf(clinic), { as: clinic.admin, body })).status, 201)
    }
    const names = async (query: string) =>
      (await core.get(`${pathOf(clinic)}?${query}`, { as: clinic.admin })).body.data.map(
        ({ name }: { name: string }) => name,
      )
    assert.deepEqual(await names('q=stefan%20turc'), ['Ștefan Țurcanu'])
    assert.deepEqual(await names(`role_id=${clinic.roles.customer_support}`), ['Cornelia'])
    assert.deepEqual(await names('status=active'), [clinic.admin.name])
    assert.deepEqual(await names('status=invited&sort=name&limit=2'), ['Bogdan', 'Cornelia'])
    assert.deepEqual(await names('status=invited&sort=name&limit=2&page=2'), ['Ștefan Țurcanu'])
    assert.deepEqual(await names('status=invited'), ['Cornelia', 'Bogdan', 'Ștefan Țurcanu'])
    assert.deepEqual(await names(`q=${encodeURIComponent(clinic.admin.email)}`), [clinic.admin.name])
    const refused = await core.get(`${pathOf(clinic)}?sort=role`, { as: clinic.admin })
    assert.equal(refused.status, 422)
    assert.ok(refused.body.error.fields.sort)
  })

  test('the picker shows a specialist only people of the same clinic', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const specialist = await core.member(clinic, 'specialist')
    await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Import', role_id: clinic.roles.specialist },
    })
    const pick = (query: string) => core.get(`${pathOf(clinic)}/picker?${query}`, { as: specialist })
    const all = await pick('')
    assert.equal(all.status, 200, all.text)
    assert.deepEqual(all.body.data.map(({ id }: { id: string }) => id).sort(), [clinic.admin.id, specialist.id].sort())
    const named = await pick(`ids=${clinic.admin.id},${other.admin.id},nonsense`)
    assert.deepEqual(named.body, {
      data: [{ id: clinic.admin.id, name: clinic.admin.name, email: clinic.admin.email, role_name: 'Admin' }],
    })
    assert.equal(
      (await core.get(pathOf(clinic), { as: specialist })).body.error.required,
      'organizations.manage_members',
    )
    const clerk = await core.memberWith(clinic, ['organizations.manage_members'])
    const refused = await core.get(`${pathOf(clinic)}/picker`, { as: clerk })
    assert.equal(refused.body.error.required, 'organizations.view_directory')
  })

  test('writing needs organizations.manage_members, in the organization of the URL', async () => {
    const clinic = await core.organization()
    const other = await core.organization()
    const specialist = await core.member(clinic, 'specialist')
    const body = { email: newAddress(), role_id: clinic.roles.specialist }
    for (const refused of [
      await core.post(pathOf(clinic), { as: specialist, body }),
      await core.delete(`${pathOf(clinic)}/${clinic.admin.id}`, { as: specialist }),
    ]) {
      assert.equal(refused.status, 403)
      assert.equal(refused.body.error.required, 'organizations.manage_members')
    }
    const attempts: Record<string, string>[] = [{}, { 'x-organization-id': other.id }]
    for (const headers of attempts) {
      const foreign = await core.post(pathOf(clinic), { as: other.admin, body, headers })
      assert.equal(foreign.status, 403)
      assert.equal(foreign.body.error.code, 'organization_mismatch')
    }
    const named = await core.post(pathOf(clinic), {
      as: other.admin,
      body,
      headers: { 'x-organization-id': clinic.id },
    })
    assert.equal(named.status, 403)
    assert.equal(named.body.error.code, 'forbidden')
    assert.equal((await core.post(pathOf(clinic), { body })).status, 401)
  })

  test('every bad field is named', async () => {
    const clinic = await core.organization()
    const answer = await core.post(pathOf(clinic), {
      as: clinic.admin,
      body: { email: 'nobody', role_id: 'admin', name: ' ', role: 'admin' },
    })
    assert.equal(answer.status, 422)
    assert.deepEqual(Object.keys(answer.body.error.fields).sort(), ['email', 'name', 'role', 'role_id'])
  })

  test('a superadmin gives a new clinic its first admin, but belongs to no clinic', async () => {
    const operator = await core.superadmin()
    const colleague = await core.superadmin()
    const created = await core.post('/v1/organizations', {
      as: operator,
      body: { name: 'Nouă', slug: `noua-${randomUUID().slice(0, 8)}` },
    })
    const clinic = created.body.data
    const [role] = await core.database.query<{ id: string }>(
      `select id from roles where organization_id = $1 and code = 'admin'`,
      [clinic.id],
    )
    const first = await core.signIn()
    const added = await core.post(pathOf(clinic), { as: operator, body: { email: first.email, role_id: role?.id } })
    assert.equal(added.status, 201, added.text)
    assert.equal((await core.get(pathOf(clinic), { as: first })).body.pagination.total, 1)
    for (const { email } of [operator, colleague]) {
      const refused = await core.post(pathOf(clinic), { as: first, body: { email, role_id: role?.id } })
      assert.equal(refused.status, 409)
      assert.equal(refused.body.error.code, 'superadmin_membership')
    }
  })
})
