import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { resolveLanguage, setCookies } from '@tendon/access'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'

describe('me', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  test('GET /v1/me returns the account, memberships and permissions', async () => {
    const { id, slug, admin, roles } = await core.organization({ name: 'Clinica Mlădița', language_code: 'ro' })
    const { status, body } = await core.get('/v1/me', { as: admin })
    assert.equal(status, 200)
    const { data } = body
    const formats = { date: 'dmy', clock: '24h', week: 'monday' }
    const organization = {
      id,
      name: 'Clinica Mlădița',
      slug,
      language_code: 'ro',
      time_zone: 'Europe/Bucharest',
      formats,
    }
    assert.equal(data.principal_id, admin.id)
    assert.deepEqual([data.type, data.name, data.email, data.email_verified], ['human', admin.name, admin.email, true])
    assert.deepEqual([data.language, data.preferred_language, data.is_superadmin], ['ro', null, false])
    assert.deepEqual(data.current_organization, organization)
    assert.deepEqual(
      data.memberships.map(({ created_at: _at, ...membership }: Record<string, unknown>) => membership),
      [{ organization, role: { id: roles.admin, code: 'admin', name: 'Admin' }, specialist_id: null }],
    )
    assert.deepEqual(data.patient_records, [])
    assert.ok(data.permissions.includes('organizations.manage_members'))
  })

  test('GET /v1/me gives patients the name, slug and time zone of each clinic', async () => {
    const clinic = await core.organization({ name: 'Clinica Mlădița', time_zone: 'Europe/Lisbon' })
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const { data } = (await core.get('/v1/me', { as: person })).body
    const { organization, patient_id } = data.patient_records[0]
    assert.equal(patient_id, patient.id)
    assert.deepEqual(
      [organization.name, organization.slug, organization.time_zone],
      ['Clinica Mlădița', clinic.slug, 'Europe/Lisbon'],
    )
    assert.deepEqual(data.current_organization, organization)
  })

  test('GET /v1/me names the caller’s own specialist at each clinic, until that specialist is deleted', async () => {
    const [first, second, third] = [await core.organization(), await core.organization(), await core.organization()]
    const person = await core.signIn()
    const specialistOf: Record<string, string | null> = {}
    for (const clinic of [first, second, third]) {
      await core.database.query(
        'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
        [clinic.id, person.id, clinic.roles.specialist],
      )
      const human_id = clinic === third ? clinic.admin.id : person.id
      const body = { name: 'Ana Ionescu', slug: `ana-${clinic.slug}`.slice(0, 60), human_id }
      const created = await core.post('/v1/specialists', { as: clinic.admin, body })
      assert.equal(created.status, 201, created.text)
      specialistOf[clinic.id] = clinic === third ? null : created.body.data.id
    }
    const listed = async () => {
      const { memberships } = (await core.get('/v1/me', { as: person })).body.data
      return Object.fromEntries(memberships.map((one: Json) => [one.organization.id, one.specialist_id]))
    }
    assert.deepEqual(await listed(), specialistOf)
    const gone = await core.delete(`/v1/specialists/${specialistOf[second.id]}`, { as: second.admin })
    assert.equal(gone.status, 200, gone.text)
    assert.deepEqual(await listed(), { ...specialistOf, [second.id]: null })
  })

  test('a superadmin has every permission, no membership and no current organization', async () => {
    const { data } = (await core.get('/v1/me', { as: await core.superadmin() })).body
    assert.deepEqual(
      [data.is_superadmin, data.permissions, data.memberships, data.current_organization],
      [true, ['*'], [], null],
    )
  })

  test('the four cookies follow the account; three of them are hidden from scripts', async () => {
    const { id, slug, admin } = await core.organization({ name: 'Clinica Mlădița', language_code: 'ro' })
    const cookies = (await core.get('/v1/me', { as: admin })).headers.getSetCookie()
    const byName = Object.fromEntries(cookies.map((cookie) => [cookie.split('=')[0], cookie]))
    assert.deepEqual(Object.keys(byName), ['language', 'org-id', 'org-slug', 'org-name'])
    assert.match(byName.language ?? '', /^language=ro;.*SameSite=Lax/)
    assert.doesNotMatch(byName.language ?? '', /HttpOnly/)
    assert.match(byName['org-id'] ?? '', new RegExp(`^org-id=${id};.*HttpOnly`))
    assert.match(byName['org-slug'] ?? '', new RegExp(`^org-slug=${slug};.*HttpOnly`))
    assert.match(byName['org-name'] ?? '', new RegExp(`^org-name=${encodeURIComponent('Clinica Mlădița')};.*HttpOnly`))
  })

  test('without an organization the org cookies are removed', async () => {
    const cookies = (await core.get('/v1/me', { as: await core.signIn() })).headers.getSetCookie()
    assert.equal(cookies.filter((cookie) => /^org-\w+=;.*Max-Age=0/.test(cookie)).length, 3)
  })

  test('PATCH /v1/me changes name and language; null inherits again; the cookie follows', async () => {
    const { admin } = await core.organization({ language_code: 'ro' })
    const english = await core.patch('/v1/me', { as: admin, body: { preferred_language: 'en', name: 'Ana I.' } })
    assert.equal(english.status, 200, english.text)
    assert.deepEqual([english.body.data.language, english.body.data.name], ['en', 'Ana I.'])
    assert.match(english.headers.getSetCookie()[0] ?? '', /^language=en/)
    const inherited = await core.patch('/v1/me', { as: admin, body: { preferred_language: null } })
    assert.deepEqual([inherited.body.data.language, inherited.body.data.preferred_language], ['ro', null])
    assert.equal(
      (await core.get('/v1/me', { as: admin })).body.data.name,
      'Ana I.',
      'the next sign-in does not undo it',
    )
  })

  test('PATCH /v1/me refuses other languages, unknown fields and an empty change (422), and changes nothing', async () => {
    const person = await core.signIn()
    for (const body of [{ preferred_language: 'de' }, { is_superadmin: true }, {}, { name: ' ' }, [], 'x', null]) {
      const answer = await core.patch('/v1/me', { as: person, body })
      assert.equal(answer.status, 422, JSON.stringify(body))
      assert.equal(answer.body.error.code, 'validation_failed')
    }
    assert.equal((await core.get('/v1/me', { as: person })).body.data.name, person.name)
  })

  test('switching to an organization of others is refused, whether or not it exists', async () => {
    const { admin } = await core.organization()
    const other = await core.organization()
    for (const organization_id of [other.id, '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17']) {
      const answer = await core.put('/v1/me/switch-organization', { as: admin, body: { organization_id } })
      assert.deepEqual([answer.status, answer.body.error.code], [403, 'forbidden'])
    }
  })

  test('after a switch the answer shows the role and permissions there', async () => {
    const first = await core.organization({ name: 'First' })
    const second = await core.organization({ name: 'Second' })
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [second.id, first.admin.id, second.roles.specialist],
    )
    const { body } = await core.put('/v1/me/switch-organization', {
      as: first.admin,
      body: { organization_id: second.id },
    })
    assert.equal(body.data.current_organization.name, 'Second')
    assert.ok(body.data.permissions.includes('organizations.view_directory'))
    assert.ok(!body.data.permissions.includes('organizations.update'))
  })

  test('in production the cookies are Secure', () => {
    const set: string[] = []
    const reply = { header: (_name: string, values: string[]) => set.push(...values) }
    setCookies(reply, { language: 'en', organization: null }, true)
    assert.ok(set.length === 4 && set.every((cookie) => cookie.includes('; Secure')))
  })

  test('a switch is audited at the new clinic, never at the old one', async () => {
    const left = await core.organization()
    const entered = await core.organization()
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [entered.id, left.admin.id, entered.roles.specialist],
    )
    await core.put('/v1/me/switch-organization', { as: left.admin, body: { organization_id: entered.id } })
    const entries = await core.database.query(
      `select organization_id from audit_log where action = 'me.switch_organization' and actor_principal_id = $1`,
      [left.admin.id],
    )
    assert.deepEqual(entries, [{ organization_id: entered.id }])
  })

  test('a member can leave (204) and loses access on the next request; the last manager cannot (409)', async () => {
    const clinic = await core.organization()
    const person = await core.member(clinic, 'specialist')
    const leave = (as: { token: string }) => core.delete(`/v1/me/memberships/${clinic.id}`, { as })
    assert.equal((await leave(person)).status, 204)
    assert.deepEqual((await core.get('/v1/me', { as: person })).body.data.memberships, [])
    assert.deepEqual((await leave(person)).body.error.code, 'membership_not_found')
    assert.deepEqual((await leave(clinic.admin)).body.error.code, 'last_manager')
  })

  test('an invitation by another clinic does not move a patient, shows the clinic nothing and can be declined', async () => {
    const own = await core.organization({ name: 'Own' })
    const strange = await core.organization({ name: 'Strange' })
    const person = await core.signIn()
    await core.patient(own, person)
    const invited = { email: person.email, role_id: strange.roles.admin }
    await core.post(`/v1/organizations/${strange.id}/members`, { as: strange.admin, body: invited })
    assert.equal((await core.get('/v1/me', { as: person })).body.data.current_organization.name, 'Own')
    const { body } = await core.get(`/v1/organizations/${strange.id}/members?q=${person.email}`, { as: strange.admin })
    assert.deepEqual([body.data[0].status, body.data[0].name], ['invited', null])
    assert.equal((await core.delete(`/v1/me/memberships/${strange.id}`, { as: person })).status, 204)
    const gone = await core.get(`/v1/organizations/${strange.id}/members?q=${person.email}`, { as: strange.admin })
    assert.deepEqual(gone.body.data, [])
  })

  test('declining an invitation accepts none, and the clinic sees only the e-mail address it entered', async () => {
    const [strange, other] = [await core.organization(), await core.organization()]
    const person = await core.signIn({ name: 'Ioana Marin' })
    const typed = person.email.toUpperCase()
    for (const { id, admin, roles } of [strange, other]) {
      const body = { email: typed, role_id: roles.specialist }
      assert.equal((await core.post(`/v1/organizations/${id}/members`, { as: admin, body })).status, 201)
    }
    assert.equal((await core.delete(`/v1/me/memberships/${strange.id}`, { as: person })).status, 204)
    const log = await core.get('/v1/audit-logs?action=me.leave_membership', { as: strange.admin })
    assert.deepEqual(
      log.body.data.map(({ actor, target, source_ip, user_agent }: Json) => [actor, target, source_ip, user_agent]),
      [
        [
          { principal_id: person.id, type: 'user', name: null },
          { type: 'member', id: person.id, label: typed },
          null,
          null,
        ],
      ],
    )
    const { body } = await core.get(`/v1/organizations/${other.id}/members?q=${person.email}`, { as: other.admin })
    assert.deepEqual([body.data[0].status, body.data[0].name], ['invited', null])
  })

  test('language: preference, then organization, then en; unsupported is en', () => {
    assert.equal(resolveLanguage('ro', 'en'), 'ro')
    assert.equal(resolveLanguage(null, 'ro'), 'ro')
    assert.equal(resolveLanguage(null, null), 'en')
    assert.equal(resolveLanguage('de', 'ro'), 'en')
    assert.equal(resolveLanguage(null, 'fr'), 'en')
  })
})
