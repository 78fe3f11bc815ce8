import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

describe('organizations', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
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

  test('a member reads their organization; for others it is not their current one (403)', async () => {
    const one = await core.organization({ name: 'Unu' })
    const other = await core.organization({ name: 'Doi' })
    const read = await core.get(`/v1/organizations/${one.id}`, { as: one.admin })
    assert.equal(read.status, 200, read.text)
    assert.equal(read.body.data.name, 'Unu')
    const foreign = await core.get(`/v1/organizations/${other.id}`, { as: one.admin })
    assert.equal(foreign.status, 403)
    assert.equal(foreign.body.error.code, 'organization_mismatch')
  })

  test('an admin changes the organization, with an audit row', async () => {
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

  test('anybody resolves an organization by slug, and sees four columns only', async () => {
    const { id, slug } = await core.organization({ name: 'Vizibilă', contact_email: 'secret@clinic.example' })
    const found = await core.get(`/v1/public/organizations/resolve?slug=${slug}`)
    assert.deepEqual([found.status, found.body], [200, { data: { id, name: 'Vizibilă', slug, language_code: 'en' } }])
    assert.equal((await core.get('/v1/public/organizations/resolve?slug=nobody')).status, 404)
    for (const query of ['', '?slug=a&domain=b.example', '?slug=', `?slug=${'x'.repeat(64)}`, '?slug=a&slug=b']) {
      assert.equal((await core.get(`/v1/public/organizations/resolve${query}`)).status, 422, query)
    }
  })

  test('a slug belongs to one organization: 409 slug_taken on create and on change', async () => {
    const one = await core.organization()
    const other = await core.organization()
    const again = await core.post('/v1/organizations', {
      as: await core.superadmin(),
      body: { name: 'X', slug: one.slug },
    })
    const changed = await core.patch(`/v1/organizations/${other.id}`, { as: other.admin, body: { slug: one.slug } })
    for (const answer of [again, changed])
      assert.deepEqual([answer.status, answer.body.error.code], [409, 'slug_taken'])
  })

  test('a slug cannot be a path of the web apps (422)', async () => {
    const clinic = await core.organization()
    const as = await core.superadmin()
    for (const slug of ['assets', 'bookings', 'pose', 'signed-in', 'waitlist-offers']) {
      const created = await core.post('/v1/organizations', { as, body: { name: 'X', slug } })
      const changed = await core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { slug } })
      for (const answer of [created, changed]) {
        assert.deepEqual([answer.status, answer.body.error.code], [422, 'validation_failed'], slug)
        assert.ok(answer.body.error.fields.slug, answer.text)
      }
    }
  })

  test('a superadmin lists all organizations, a member their own; a superadmin’s header is ignored', async () => {
    const one = await core.organization({ name: 'Alfa Lista' })
    const other = await core.organization({ name: 'Beta Lista' })
    const operator = await core.superadmin()
    const names = async (as: { token: string }, headers = {}) =>
      (await core.get('/v1/organizations?q=lista&sort=name', { as, headers })).body.data.map(
        (row: { name: string }) => row.name,
      )
    assert.deepEqual(await names(operator), ['Alfa Lista', 'Beta Lista'])
    assert.deepEqual(await names(operator, { 'x-organization-id': one.id }), ['Alfa Lista', 'Beta Lista'])
    assert.deepEqual(await names(other.admin), ['Beta Lista'])
  })

  test('a time copied from an answer includes its own row in a range', async () => {
    const { id, admin } = await core.organization()
    const { created_at } = (await core.get(`/v1/organizations/${id}`, { as: admin })).body.data
    const within = await core.get(`/v1/organizations?created_at_after=${created_at}&created_at_before=${created_at}`, {
      as: admin,
    })
    assert.equal(within.body.pagination.total, 1)
  })

  test('a change that changes nothing leaves no audit entry', async () => {
    const { id, admin } = await core.organization({ name: 'Same' })
    await core.patch(`/v1/organizations/${id}`, { as: admin, body: { name: 'Same' } })
    const entries = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'organizations.update'`,
      [id],
    )
    assert.equal(entries.length, 0)
  })

  test('all bad fields are named with a message', async () => {
    const { id, admin } = await core.organization()
    const path = `/v1/organizations/${id}`
    const refused = await core.patch(path, {
      as: admin,
      body: {
        name: ' ',
        slug: 'No Good',
        language_code: '!',
        time_zone: 'Mars/Olympus',
        website: 'ftp://x.example',
        plan: 'pro',
        address: { city: 'X' },
      },
    })
    assert.equal(refused.status, 422)
    assert.deepEqual(refused.body.error.fields, {
      name: 'must not be blank',
      slug: 'must be lower-case letters and digits, with single hyphens between them',
      language_code: 'must be a language code such as en or ro',
      time_zone: 'must be an IANA time zone such as Europe/Bucharest',
      website: 'must begin with https:// or http://',
      plan: 'is not a field of this request',
      'address.line1': 'is required',
      'address.country': 'is required',
    })
    assert.deepEqual((await core.patch(path, { as: admin, body: {} })).body.error.fields, {
      body: 'must contain at least one field to change',
    })
  })
})
