import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

const UNKNOWN = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
const CONFIRM = { confirm: true }

// The withdrawal cascade of the specification, row by row.
describe('leaving a clinic', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithPatient(person?: Person) {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const me = person ?? (await core.signIn())
    const patient = await core.patient(clinic, me)
    return { clinic, me, patient }
  }
  const toggle = (organization_id: string | null, purpose_code: string) => ({
    organization_id,
    purpose_code,
    purpose_version: 1,
    source: 'self_toggle',
  })
  const grant = (as: Person, place: string, ...codes: string[]) =>
    core.post('/v1/me/consents', { as, body: { grants: codes.map((code) => toggle(place, code)) } })
  const leave = (as: Person, id: string, body: unknown = CONFIRM) =>
    core.post(`/v1/me/organizations/${id}/leave`, { as, body })
  const activeAt = async (as: Person, place: string | null) =>
    (await core.get('/v1/me/consents', { as })).body.data
      .filter((state: Json) => state.organization_id === place && state.current)
      .map((state: Json) => state.purpose_code)
  const deletedAt = async (patientId: string) =>
    (await core.database.query<{ deleted_at: string | null }>('select deleted_at from patients where id = $1', [patientId]))[0]?.deleted_at // biome-ignore format: one line

  test('consent-based purposes: a withdrawal ends that purpose at that clinic and nothing else', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    await core.acceptAll(patient)
    const codes = ['marketing_email', 'marketing_sms']
    const [row] = (await grant(me, clinic.id, ...codes)).body.data
    await grant(me, second.clinic.id, ...codes)
    assert.equal((await core.post(`/v1/me/consents/${row.id}/withdraw`, { as: me })).status, 200)
    assert.deepEqual(await activeAt(me, clinic.id), ['marketing_sms', 'org_privacy_notice', 'org_terms'])
    assert.deepEqual(await activeAt(me, second.clinic.id), codes)
    assert.deepEqual(await activeAt(me, null), ['platform_privacy_notice', 'platform_terms'])
    assert.equal(await deletedAt(patient.id), null)
  })

  for (const purpose of ['telemedicine', 'video_recording', 'biometric_capture']) {
    test(`medical purposes: withdrawing ${purpose} closes its own gate immediately, and no other`, async () => {
      const { clinic, me, patient } = await clinicWithPatient()
      const others = ['telemedicine', 'video_recording', 'biometric_capture'].filter((code) => code !== purpose)
      const [row] = (await grant(me, clinic.id, purpose, ...others)).body.data
      const open = async (code: string) =>
        (await core.database.query<{ given: boolean }>('select has_consent($1, $2, $3) as given', [patient.profile_id, clinic.id, code]))[0]?.given // biome-ignore format: one line
      assert.equal(await open(purpose), true)
      await core.post(`/v1/me/consents/${row.id}/withdraw`, { as: me })
      assert.deepEqual([await open(purpose), ...(await Promise.all(others.map(open)))], [false, true, true])
      const told = await core.database.query(
        `select 1 from outbox_events where type = 'consent.withdrawn' and organization_id = $1 and payload ->> 'purpose_code' = $2`,
        [clinic.id, purpose],
      )
      assert.equal(told.length, 1)
    })
  }

  test('leave clinic ends terms, notice and every other consent there, and hides the record; other clinics are untouched', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    for (const record of [patient, second.patient]) await core.acceptAll(record)
    await grant(me, clinic.id, 'telerehab', 'analytics')
    await grant(me, second.clinic.id, 'telerehab')
    const answer = await leave(me, clinic.id, { confirm: true, reason: 'I moved' })
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.organization_id, clinic.id)
    const rows = await core.database.query<Json>(
      'select purpose_code, ended_as, withdrawn_by_principal_id, withdrawal_reason from consents where organization_id = $1 order by 1',
      [clinic.id],
    )
    assert.deepEqual(
      rows,
      ['analytics', 'org_privacy_notice', 'org_terms', 'telerehab'].map((purpose_code) => ({
        purpose_code,
        ended_as: 'left',
        withdrawn_by_principal_id: me.id,
        withdrawal_reason: 'I moved',
      })),
    )
    assert.ok(await deletedAt(patient.id))
    assert.equal(await deletedAt(second.patient.id), null)
    assert.deepEqual(await activeAt(me, second.clinic.id), ['org_privacy_notice', 'org_terms', 'telerehab'])
    assert.deepEqual(await activeAt(me, null), ['platform_privacy_notice', 'platform_terms'])
    const left = (await core.get('/v1/me/consents', { as: me })).body.data.filter((state: Json) => state.organization_id === clinic.id) // biome-ignore format: one line
    assert.equal(left.length, 4, 'the patient still sees what they had agreed to there')
  })

  for (const purpose of ['org_terms', 'org_privacy_notice']) {
    test(`ending ${purpose} alone has the same effect, by a trigger`, async () => {
      const { clinic, me, patient } = await clinicWithPatient()
      await grant(me, clinic.id, 'org_terms', 'org_privacy_notice', 'telerehab')
      await core.database.query(
        `update consents set withdrawn_at = clock_timestamp(), ended_as = 'left' where organization_id = $1 and purpose_code = $2`,
        [clinic.id, purpose],
      )
      const rows = await core.database.query<Json>('select ended_as from consents where organization_id = $1', [
        clinic.id,
      ])
      assert.deepEqual(
        rows.map(({ ended_as }) => ended_as),
        ['left', 'left', 'left'],
      )
      assert.ok(await deletedAt(patient.id))
    })
  }

  test('a new text that supersedes the terms or the notice has no such effect', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    await grant(me, clinic.id, 'org_privacy_notice', 'telerehab')
    await core.publishNotice(clinic)
    const newer = { ...toggle(clinic.id, 'org_privacy_notice'), purpose_version: 2 }
    assert.equal((await core.post('/v1/me/consents', { as: me, body: { grants: [newer] } })).status, 201)
    assert.deepEqual(await activeAt(me, clinic.id), ['org_privacy_notice', 'telerehab'])
    assert.equal(await deletedAt(patient.id), null)
  })

  test('a patient without any consent can leave too, also before the clinic has published anything', async () => {
    const clinic = await core.organization()
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    assert.equal((await leave(me, clinic.id)).status, 200)
    assert.ok(await deletedAt(patient.id))
  })

  test('leaving writes an audit entry and an event', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    await grant(me, clinic.id, 'org_terms')
    const headers = { 'x-organization-id': second.clinic.id }
    await core.post(`/v1/me/organizations/${clinic.id}/leave`, {
      as: me,
      headers,
      body: { confirm: true, reason: 'Moved' },
    })
    const { data } = (await core.get('/v1/audit-logs?action=patients.leave', { as: clinic.admin })).body
    assert.deepEqual(
      data.map(({ actor, target, reason, patient_profile_id, changes }: Json) => [
        actor.principal_id, actor.type, target.id, reason, patient_profile_id, changes.map(({ field }: Json) => field)]),
      [[me.id, 'patient', patient.id, 'Moved', patient.profile_id, ['deleted_at', 'consents.org_terms']]],
    ) // biome-ignore format: rows
    const events = await core.database.query(
      `select type, payload from outbox_events where organization_id = $1 and type in ('patient.left', 'consent.withdrawn') order by type`,
      [clinic.id],
    )
    assert.deepEqual(events.map(({ type }) => type), ['consent.withdrawn', 'patient.left']) // biome-ignore format: one line
    assert.deepEqual(events[1]?.payload, { patient_id: patient.id, patient_profile_id: patient.profile_id })
    assert.equal(
      (await core.get('/v1/audit-logs?action=patients.leave', { as: second.clinic.admin })).body.data.length,
      0,
    )
  })

  test('the person loses access to the clinic on the next request, and can give no consent there', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    await core.put('/v1/me/switch-organization', { as: me, body: { organization_id: clinic.id } })
    await leave(me, clinic.id)
    const { data } = (await core.get('/v1/me', { as: me })).body
    assert.equal(data.current_organization.id, second.clinic.id)
    assert.deepEqual(data.patient_records.map((record: Json) => record.organization_id), [second.clinic.id]) // biome-ignore format: one line
    const headers = { 'x-organization-id': clinic.id }
    assert.equal((await core.get('/v1/me', { as: me, headers })).status, 403)
    assert.equal((await grant(me, clinic.id, 'analytics')).status, 404)
    assert.equal((await leave(me, clinic.id)).status, 404)
    const path = `/v1/organizations/${clinic.id}/patients/${patient.id}/consents`
    const viewer = await core.memberWith(clinic, ['consents.view_org', 'patients.view_org'])
    assert.equal((await core.get(path, { as: viewer })).status, 404)
    assert.equal((await core.get(path, { as: clinic.admin })).status, 200, 'only with data.view_deleted')
  })

  test('leaving must be confirmed (422), and only a patient of the clinic can leave it (404)', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const { clinic: other, patient: stranger } = await clinicWithPatient()
    for (const body of [{}, { confirm: false }, { confirm: 'true' }, { confirm: true, x: 1 }, null]) {
      assert.equal((await leave(me, clinic.id, body)).status, 422, JSON.stringify(body))
    }
    const [foreign, unknown] = [await leave(me, other.id), await leave(me, UNKNOWN)]
    assert.deepEqual([foreign.status, foreign.body], [404, unknown.body])
    assert.equal((await leave(me, 'x')).status, 404)
    for (const id of [patient.id, stranger.id]) assert.equal(await deletedAt(id), null)
    assert.equal((await leave(clinic.admin, clinic.id)).status, 403, 'staff are no patients')
  })

  test('staff who are patients too leave as patients, and stay staff', async () => {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    const both = await core.member(clinic, 'specialist')
    await core.patient(clinic, both)
    assert.equal((await leave(both, clinic.id)).status, 200)
    const { data } = (await core.get('/v1/me', { as: both })).body
    assert.deepEqual([data.memberships.length, data.patient_records.length], [1, 0])
  })

  test('leaving applies to both records at one clinic', async () => {
    const { clinic, me } = await clinicWithPatient()
    const twin = await core.patient(clinic, me)
    await core.acceptAll(twin)
    assert.equal((await leave(me, clinic.id)).status, 200)
    assert.ok(await deletedAt(twin.id))
    assert.deepEqual(await activeAt(me, clinic.id), [])
  })

  test('a patient whom the clinic deletes has no active consent there, and keeps those elsewhere', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const second = await clinicWithPatient(me)
    for (const record of [patient, second.patient]) await core.acceptAll(record)
    await grant(me, clinic.id, 'telerehab')
    assert.equal((await core.delete(`/v1/patients/${patient.id}`, { as: clinic.admin })).status, 204)
    const rows = await core.database.query(
      `select organization_id, count(*)::int from consents where patient_profile_id = any($1) and withdrawn_at is null
         and organization_id is not null group by 1`,
      [[patient.profile_id, second.patient.profile_id]],
    )
    assert.deepEqual(rows, [{ organization_id: second.clinic.id, count: 2 }])
  })

  test('a consent given while the clinic deletes the patient does not outlive the record', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { clinic, me, patient } = await clinicWithPatient()
      await core.acceptAll(patient)
      await Promise.all([
        grant(me, clinic.id, 'telerehab', 'marketing_email'),
        core.delete(`/v1/patients/${patient.id}`, { as: clinic.admin }),
      ])
      const active = await core.database.query(
        'select purpose_code from consents where patient_profile_id = $1 and organization_id = $2 and withdrawn_at is null',
        [patient.profile_id, clinic.id],
      )
      assert.deepEqual(active, [])
    }
  })
})
