import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'

describe('consents viewed and recorded by staff', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithPatient(person?: Person) {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const patient = await core.patient(clinic, person)
    return { clinic, patient, path: `/v1/organizations/${clinic.id}/patients/${patient.id}/consents` }
  }
  const version = (purpose_code: string, purpose_version = 1) => ({ purpose_code, purpose_version })
  const grant = (path: string, as: Person, ...grants: object[]) => core.post(`${path}/grant`, { as, body: { grants } })
  const activeOf = async (path: string, as: Person) =>
    (await core.get(path, { as })).body.data
      .filter(({ current }: Json) => current)
      .map((state: Json) => state.purpose_code)

  test('staff record consents of a patient; the grantor is the staff member', async () => {
    const { clinic, patient, path } = await clinicWithPatient()
    const answer = await grant(path, clinic.admin, version('org_terms'), version('marketing_sms'))
    assert.equal(answer.status, 201, answer.text)
    for (const row of answer.body.data) {
      assert.deepEqual(
        [row.source, row.granted_by_principal_id, row.organization_id, row.patient_profile_id, row.granted_via_ip],
        ['staff_action', clinic.admin.id, clinic.id, patient.profile_id, '127.0.0.1'],
      )
    }
    const { body } = await core.get(path, { as: clinic.admin })
    assert.equal(body.data.length, 10)
    assert.ok(body.data.every((state: Json) => state.organization_id === clinic.id && state.scope === 'org'))
    assert.deepEqual(Object.keys(body.data[0]), ['organization_id', 'purpose_code', 'scope', 'legal_basis', 'withdrawable', 'current', 'history']) // biome-ignore format: one line
    assert.deepEqual(await activeOf(path, clinic.admin), ['marketing_sms', 'org_terms'])
  })

  test('staff can withdraw a consent only if its legal basis is consent (409)', async () => {
    const { clinic, path } = await clinicWithPatient()
    const [terms, sms] = (await grant(path, clinic.admin, version('org_terms'), version('marketing_sms'))).body.data
    const withdraw = (id: string) =>
      core.post(`${path}/${id}/withdraw`, { as: clinic.admin, body: { withdrawal_reason: 'By phone' } })
    const ended = await withdraw(sms.id)
    assert.deepEqual(
      [ended.status, ended.body.data.withdrawn_by_principal_id, ended.body.data.withdrawal_reason],
      [200, clinic.admin.id, 'By phone'],
    )
    const kept = await withdraw(terms.id)
    assert.deepEqual([kept.status, kept.body.error.code], [409, 'not_withdrawable'])
    for (const id of [sms.id, UNKNOWN, 'x']) assert.equal((await withdraw(id)).status, 404, id)
    assert.deepEqual(await activeOf(path, clinic.admin), ['org_terms'])
  })

  test('reading, granting and withdrawing are audited with the full diff, under the patient’s key', async () => {
    const { clinic, patient, path } = await clinicWithPatient()
    const [row] = (await grant(path, clinic.admin, version('analytics'))).body.data
    await grant(path, clinic.admin, version('analytics'))
    await core.post(`${path}/${row.id}/withdraw`, { as: clinic.admin, body: { withdrawal_reason: 'By phone' } })
    await core.get(path, { as: clinic.admin })
    const { data } = (await core.get(`/v1/audit-logs?patient_profile_id=${patient.profile_id}`, { as: clinic.admin }))
      .body
    assert.deepEqual(
      data.map(({ action, crud, actor }: Json) => [action, crud, actor.principal_id]),
      [
        ['consents.read', 'R', clinic.admin.id],
        ['consents.withdraw', 'U', clinic.admin.id],
        ['consents.grant', 'C', clinic.admin.id],
      ],
      'what changed nothing is not logged',
    )
    const changed = (entry: Json) => entry.changes.map(({ field }: Json) => field)
    assert.deepEqual(changed(data[1]), ['withdrawn_at', 'withdrawn_by_principal_id', 'withdrawal_reason'])
    const granted = Object.fromEntries(data[2].changes.map(({ field, after }: Json) => [field, after]))
    assert.deepEqual([granted.purpose_code, granted.source, granted.granted_by_principal_id], ['analytics', 'staff_action', clinic.admin.id]) // biome-ignore format: one line
  })

  test('staff cannot view, record (422) or withdraw (404) consents of the platform’s purposes', async () => {
    const me = await core.signIn()
    const { clinic, patient, path } = await clinicWithPatient(me)
    await core.acceptAll({ organization_id: clinic.id, profile_id: patient.profile_id })
    const answer = await grant(path, clinic.admin, version('org_terms'), version('platform_terms'))
    assert.deepEqual([answer.status, Object.keys(answer.body.error.fields)], [422, ['grants.1.purpose_code']])
    assert.deepEqual(await activeOf(path, clinic.admin), ['org_privacy_notice', 'org_terms'])
    const [row] = await core.database.query<{ id: string }>(
      'select id from consents where organization_id is null and patient_profile_id = $1 limit 1',
      [patient.profile_id],
    )
    assert.equal((await core.post(`${path}/${row?.id}/withdraw`, { as: clinic.admin })).status, 404)
  })

  test('staff cannot set source, grantor or clinic (422); stale versions and unpublished notices are 409', async () => {
    const { clinic, path } = await clinicWithPatient()
    for (const extra of [{ source: 'form' }, { granted_by_principal_id: UNKNOWN }, { organization_id: clinic.id }]) {
      assert.equal((await grant(path, clinic.admin, { ...version('analytics'), ...extra })).status, 422)
    }
    assert.equal((await grant(path, clinic.admin)).status, 422)
    assert.equal((await grant(path, clinic.admin, version('analytics', 2))).body.error.code, 'stale_version')
    const silent = await core.organization()
    const patient = await core.patient(silent)
    const closed = `/v1/organizations/${silent.id}/patients/${patient.id}/consents`
    assert.equal(
      (await grant(closed, silent.admin, version('analytics'))).body.error.code,
      'privacy_notice_unpublished',
    )
  })

  test('another clinic’s patients and consents are not found (404), by path, header and both', async () => {
    const { clinic, patient } = await clinicWithPatient()
    const other = await clinicWithPatient()
    const [foreign] = (await grant(other.path, other.clinic.admin, version('analytics'))).body.data
    const base = `/v1/organizations/${clinic.id}/patients`
    for (const id of [other.patient.id, UNKNOWN]) {
      const answers = [
        await core.get(`${base}/${id}/consents`, { as: clinic.admin }),
        await grant(`${base}/${id}/consents`, clinic.admin, version('analytics')),
        await core.post(`${base}/${id}/consents/${foreign.id}/withdraw`, { as: clinic.admin }),
      ]
      assert.deepEqual(answers.map(({ status }) => status), [404, 404, 404]) // biome-ignore format: one line
    }
    const mixed = await core.post(`${base}/${patient.id}/consents/${foreign.id}/withdraw`, { as: clinic.admin })
    assert.equal(mixed.status, 404)
    const direct = await core.get(other.path, { as: clinic.admin })
    assert.deepEqual([direct.status, direct.body.error.code], [403, 'organization_mismatch'])
    const headers = { 'x-organization-id': other.clinic.id }
    assert.equal((await core.get(other.path, { as: clinic.admin, headers })).status, 403)
    assert.deepEqual(await activeOf(other.path, other.clinic.admin), ['analytics'])
  })

  test('viewing needs consents.view_org, changing consents.manage; the patient’s own token allows neither', async () => {
    const me = await core.signIn()
    const { clinic, patient, path } = await clinicWithPatient(me)
    await core.acceptAll(patient)
    const viewer = await core.memberWith(clinic, ['consents.view_org'])
    const manager = await core.memberWith(clinic, ['consents.manage'])
    assert.equal((await core.get(path, { as: viewer })).status, 200)
    const required = async (as: Person, method: 'get' | 'post', at: string, body?: object) =>
      (await core[method](at, { as, ...(body ? { body } : {}) })).body.error.required
    assert.equal(await required(manager, 'get', path), 'consents.view_org')
    const body = { grants: [version('analytics')] }
    assert.equal(await required(viewer, 'post', `${path}/grant`, body), 'consents.manage')
    const granted = await core.post(`${path}/grant`, { as: manager, body })
    assert.equal(granted.status, 201, granted.text)
    const withdrawal = `${path}/${granted.body.data[0].id}/withdraw`
    assert.equal(await required(viewer, 'post', withdrawal), 'consents.manage')
    assert.equal(await required(me, 'get', path), 'consents.view_org')
    assert.equal(await required(me, 'post', withdrawal), 'consents.manage')
    assert.equal((await core.post(withdrawal, { as: manager })).status, 200)
  })

  test('a deleted patient’s consents show only with data.view_deleted, and do not change (404)', async () => {
    const { clinic, patient, path } = await clinicWithPatient()
    const [row] = (await grant(path, clinic.admin, version('analytics'))).body.data
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    const viewer = await core.memberWith(clinic, ['consents.view_org', 'consents.manage'])
    assert.equal((await core.get(path, { as: viewer })).status, 404)
    assert.equal((await core.get(path, { as: clinic.admin })).status, 200)
    assert.equal((await grant(path, clinic.admin, version('marketing_sms'))).status, 404)
    assert.equal((await core.post(`${path}/${row.id}/withdraw`, { as: clinic.admin })).status, 404)
  })

  test('a superadmin needs break-glass, and then only reads', async () => {
    const { clinic, patient, path } = await clinicWithPatient()
    const operator = await core.superadmin()
    assert.equal((await core.get(path, { as: operator })).body.error.code, 'break_glass_required')
    await core.database.query(
      `insert into break_glass_grants (principal_id, organization_id, patient_id, reason, expires_at)
       values ($1, $2, $3, 'The patient asked support for help', now() + interval '5 minutes')`,
      [operator.id, clinic.id, patient.id],
    )
    assert.equal((await core.get(path, { as: operator })).status, 200)
    assert.equal((await grant(path, operator, version('analytics'))).status, 403)
  })
})
