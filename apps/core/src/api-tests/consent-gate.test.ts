import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { hashApiKey } from '@tendon/access'
import { isOrganizationRoute, patient, permission } from '@tendon/http'
import type { Routes } from '../feature.ts'
import { type Json, type Person, startCore, type TestCore } from '../testing/core.ts'
import type { TestOrganization } from '../testing/people.ts'

/** The only routes outside the universal gate, so that nobody is locked out. */
const OPEN = [
  'GET /v1/me',
  'PATCH /v1/me',
  'PUT /v1/me/switch-organization',
  'GET /v1/me/consents',
  'GET /v1/me/consents/:id/receipt',
  'POST /v1/me/consents',
  'POST /v1/me/consents/:id/withdraw',
  'POST /v1/me/organizations/:id/leave',
  'POST /v1/me/erase',
  'GET /v1/me/access-log',
  'GET /v1/me/sessions',
  'DELETE /v1/me/sessions',
  'DELETE /v1/me/sessions/:id',
  'DELETE /v1/me/memberships/:organizationId',
  'GET /v1/consent-purposes',
  'GET /v1/consent-purposes/:code/versions',
  'GET /v1/organizations/:id/privacy-notice',
  'GET /v1/privacy-notice-templates',
  'GET /v1/privacy-notice-templates/:version',
]

/** A patient's own rows, a route of staff, and a feature that needs a consent of its own. */
const probe: Routes = (app) => {
  const own = { access: patient(), summary: 'Probe' }
  app.get('/v1/probe/mine', { config: own }, (request) =>
    request.tenant((tx) => tx.selectFrom('patients').select('organization_id').orderBy('id').execute()),
  )
  app.get(
    '/v1/probe/staff',
    { config: { access: permission('patients.view_org'), summary: 'Probe' } },
    async () => ({}),
  )
  app.get('/v1/probe/exercise', { config: { ...own, consent: 'telerehab' } }, async () => ({}))
}

const pathOf = (url: string, organizationId: string) =>
  url
    .replace(/:(id|org_id)\b/, isOrganizationRoute(url) ? organizationId : randomUUID())
    .replace(/:\w+/g, randomUUID())
    .replace('*', 'x')

describe('the consent gates', () => {
  let core: TestCore
  before(async () => {
    core = await startCore({ routes: [probe] })
  })
  after(() => core.close())

  /** A clinic with a published notice, and a patient of it who has not agreed to anything. */
  async function closedGate(language_code = 'en') {
    const clinic = await core.organization({ language_code })
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    return { clinic, person, record }
  }
  const missing = async (as: Person, headers = {}): Promise<Json[]> => {
    const answer = await core.get('/v1/probe/mine', { as, headers })
    return answer.status === 412 ? answer.body.error.missing_purposes : []
  }
  const grant = (as: Person, wanted: Json[]) => {
    const grants = wanted.map(({ organization_id, purpose_code, required_version }: Json) => ({
      organization_id,
      purpose_code,
      purpose_version: required_version,
      source: 'signup_checkbox',
    }))
    return core.post('/v1/me/consents', { as, body: { grants } })
  }
  const codes = (wanted: Json[]) => wanted.map(({ purpose_code }) => purpose_code)
  const at = ({ id }: { id: string }) => ({ 'x-organization-id': id })
  const newText = (as: Person, code: string, text: string) =>
    core.post(`/v1/consent-purposes/${code}/versions`, { as, body: { body_translations: { en: text, ro: text } } })

  test('the routes outside the gate are these and no others', () => {
    const open = core.app.routes
      .filter((route) => route.config?.gate === 'open')
      .map((route) => `${String(route.method)} ${route.url}`)
    assert.deepEqual(open.sort(), OPEN.toSorted())
  })

  test('every other route returns 412 with the same texts while the gate is closed, also for HEAD', async () => {
    const { clinic, person } = await closedGate('ro')
    const wanted = await missing(person)
    assert.deepEqual(
      wanted.map(({ organization_id, purpose_code, required_version }) => [
        organization_id,
        purpose_code,
        required_version,
      ]),
      [
        [null, 'platform_privacy_notice', 1],
        [null, 'platform_terms', 1],
        [clinic.id, 'org_privacy_notice', 1],
        [clinic.id, 'org_terms', 1],
      ],
    )
    assert.deepEqual(
      wanted.map(({ organization_name, purpose_name }) => [organization_name, purpose_name]),
      [
        [null, 'Nota de informare a platformei'],
        [null, 'Termenii platformei'],
        ['Clinica Test', 'Nota de informare a clinicii'],
        ['Clinica Test', 'Termenii clinicii'],
      ],
    )
    assert.ok(wanted.every((text) => Object.keys(text).length === 6))
    assert.equal(wanted[2].body, 'Notă')
    let walked = 0
    for (const { method, url, config } of core.app.routes) {
      if (config?.access?.kind === 'public' || config?.gate === 'open') continue
      walked += 1
      const path = pathOf(url, clinic.id)
      const answer = await core.call(String(method), path, { as: person })
      assert.deepEqual([answer.status, answer.body.error.code], [412, 'consent_required'], `${String(method)} ${url}`)
      assert.deepEqual(answer.body.error.missing_purposes, wanted, url)
      if (method === 'GET' && core.app.hasRoute({ method: 'HEAD', url }))
        assert.equal((await core.call('HEAD', path, { as: person })).status, 412, `HEAD ${url}`)
    }
    assert.ok(walked > 40, `${walked} routes`)
    await core.patch('/v1/me', { as: person, body: { preferred_language: 'en' } })
    assert.equal((await missing(person))[2].body, 'Notice')
  })

  test('routes outside the gate answer, and accepting what the 412 lists opens the rest: nobody is locked out', async () => {
    const { person, record } = await closedGate()
    for (const path of ['/v1/me', '/v1/me/consents', '/v1/me/access-log', '/v1/consent-purposes'])
      assert.equal((await core.get(path, { as: person })).status, 200, path)
    const wanted = await missing(person)
    const [last] = wanted.slice(-1)
    assert.equal((await grant(person, wanted.slice(0, -1))).status, 201)
    assert.deepEqual(await missing(person), [last], 'a part is not enough')
    assert.equal((await grant(person, [last])).status, 201)
    const answer = await core.get('/v1/probe/mine', { as: person })
    assert.deepEqual([answer.status, answer.body], [200, [{ organization_id: record.organization_id }]])
    assert.equal((await core.get('/v1/probe/staff', { as: person })).status, 403, 'and rights are asked for as ever')
  })

  test('a header, another URL or a switch of organization does not bypass the gate', async () => {
    const { clinic, person } = await closedGate()
    const other = await core.organization()
    const via = async (path: string, headers: Record<string, string> = {}) =>
      (await core.get(path, { as: person, headers })).status
    assert.equal(await via('/v1/probe/mine', at(clinic)), 412)
    assert.equal(await via('/v1/probe/mine', { 'x-organization-id': clinic.id.toUpperCase() }), 412)
    assert.equal(await via('/v1/probe/mine', at(other)), 403)
    assert.equal(await via(`/v1/organizations/${clinic.id}`), 412)
    assert.equal(await via(`/v1/organizations/${other.id}`), 403)
    const move = (organization_id: string) =>
      core.put('/v1/me/switch-organization', { as: person, body: { organization_id } })
    assert.equal((await move(clinic.id)).status, 200)
    assert.equal(await via('/v1/probe/mine'), 412)
    assert.equal((await move(other.id)).status, 403)
  })

  test('each clinic has its own gate: one that is closed closes no other, and its rows cannot be seen from there', async () => {
    const { clinic: open, person } = await closedGate()
    const closed = await core.organization()
    await core.publishNotice(closed)
    await core.patient(closed, person)
    await grant(person, await missing(person, at(open)))
    const places = async () => (await core.get('/v1/probe/mine', { as: person, headers: at(open) })).body
    assert.deepEqual(await places(), [{ organization_id: open.id }])
    const wanted = await missing(person, at(closed))
    assert.deepEqual(codes(wanted), ['org_privacy_notice', 'org_terms'], 'the platform is agreed to once')
    assert.ok(wanted.every(({ organization_id }) => organization_id === closed.id))
    await grant(person, wanted)
    assert.deepEqual(await places(), [{ organization_id: open.id }, { organization_id: closed.id }])
  })

  test('staff who are patients too: their work stays open, their own data is closed', async () => {
    const { clinic, person } = await closedGate()
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [clinic.id, person.id, clinic.roles.specialist],
    )
    assert.equal((await core.get('/v1/probe/staff', { as: person })).status, 200)
    assert.equal((await core.get(`/v1/organizations/${clinic.id}`, { as: person })).status, 200)
    assert.equal((await missing(person)).length, 4)

    const work = await core.organization()
    const elsewhere = await closedGate()
    await core.database.query(
      'insert into organization_memberships (organization_id, principal_id, role_id) values ($1, $2, $3)',
      [work.id, elsewhere.person.id, work.roles.specialist],
    )
    assert.equal((await core.get('/v1/probe/staff', { as: elsewhere.person, headers: at(work) })).status, 200)
    const wanted = await missing(elsewhere.person, at(work))
    assert.equal(wanted.length, 4, 'of the clinic where they are a patient, though they work elsewhere')
    await grant(elsewhere.person, wanted)
    assert.deepEqual(await missing(elsewhere.person, at(work)), [])
  })

  test('operators, service accounts and those who impersonate are exempt', async () => {
    const { clinic, record } = await closedGate()
    const operator = await core.superadmin()
    await core.patient(clinic, operator)
    assert.equal((await core.get(`/v1/organizations/${clinic.id}`, { as: operator })).status, 200)

    const account = await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Robot', role_id: clinic.roles.specialist },
    })
    const key = await core.post(`/v1/organizations/${clinic.id}/service-accounts/${account.body.data.id}/keys`, {
      as: clinic.admin,
      body: { name: 'Key' },
    })
    assert.equal(key.status, 201, key.text)
    assert.equal((await core.get('/v1/probe/staff', { as: { token: key.body.data.key } })).status, 200)

    const token = `ti_${randomBytes(24).toString('base64url')}`
    await core.database.query(
      `insert into impersonations (organization_id, patient_id, principal_id, hash, expires_at)
       values ($1, $2, $3, $4, now() + interval '5 minutes')`,
      [clinic.id, record.id, clinic.admin.id, hashApiKey(token)],
    )
    assert.equal((await core.get('/v1/probe/mine', { as: { token } })).status, 200)
  })

  test('a new version of a text closes the gate again, of the clinic for its patients, of the platform for all', async () => {
    const { clinic, person, record } = await closedGate()
    await core.acceptAll(record)
    assert.deepEqual(await missing(person), [])
    const ofClinic = await newText(clinic.admin, 'org_terms', 'Our own terms')
    assert.equal(ofClinic.status, 201, ofClinic.text)
    const [own] = await missing(person)
    assert.deepEqual(own, {
      organization_id: clinic.id,
      organization_name: 'Clinica Test',
      purpose_code: 'org_terms',
      purpose_name: 'Terms of the clinic',
      required_version: ofClinic.body.data.version,
      body: 'Our own terms',
    })
    assert.equal((await grant(person, [{ ...own, required_version: 1 }])).status, 409, 'the old text is not enough')
    await grant(person, [own])
    assert.deepEqual(await missing(person), [])
    const ofPlatform = await newText(await core.superadmin(), 'platform_terms', 'New terms')
    assert.equal(ofPlatform.status, 201, ofPlatform.text)
    assert.deepEqual(codes(await missing(person)), ['platform_terms'])
    const neighbour = await core.signIn()
    await core.acceptAll(await core.patient(clinic, neighbour))
    assert.deepEqual(await missing(neighbour), [])
  })

  test('a feature that needs a consent is refused (403) without it, open with it, and closed once it is withdrawn', async () => {
    const { clinic, person, record } = await closedGate()
    const exercise = () => core.get('/v1/probe/exercise', { as: person })
    assert.equal((await exercise()).status, 412, 'the universal gate comes first')
    await core.acceptAll(record)
    const { status, body } = await exercise()
    assert.deepEqual([status, body.error.code, body.error.missing_purpose], [403, 'consent_required', 'telerehab'])
    const given = await core.post('/v1/me/consents', {
      as: person,
      body: {
        grants: [{ organization_id: clinic.id, purpose_code: 'telerehab', purpose_version: 1, source: 'self_toggle' }],
      },
    })
    assert.equal(given.status, 201, given.text)
    assert.equal((await exercise()).status, 200)
    const [{ id }] = given.body.data
    assert.equal((await core.post(`/v1/me/consents/${id}/withdraw`, { as: person, body: {} })).status, 200)
    assert.equal((await exercise()).status, 403)
  })

  test('a consent given at one clinic opens no feature at another', async () => {
    const { clinic, person, record } = await closedGate()
    const second: TestOrganization = await core.organization()
    const there = await core.patient(second, person)
    for (const one of [record, there]) await core.acceptAll(one)
    await core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source)
       values ($1, $2, 'telerehab', 1, 'self_toggle')`,
      [clinic.id, record.profile_id],
    )
    assert.equal((await core.get('/v1/probe/exercise', { as: person, headers: at(clinic) })).status, 200)
    assert.equal((await core.get('/v1/probe/exercise', { as: person, headers: at(second) })).status, 403)
  })
})
