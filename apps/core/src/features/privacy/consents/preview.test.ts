import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'

describe('consents as shown to the patient', () => {
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
    await core.acceptAll(patient)
    return { clinic, me, patient }
  }
  async function grant(as: Person, organization_id: string | null, purpose_code: string): Promise<Json> {
    const body = { grants: [{ organization_id, purpose_code, purpose_version: 1, source: 'self_toggle' }] }
    const answer = await core.post('/v1/me/consents', { as, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data[0]
  }
  async function stateOf(as: Person, organizationId: string | null, code: string): Promise<Json> {
    const { body } = await core.get('/v1/me/consents', { as })
    return body.data.find((state: Json) => state.organization_id === organizationId && state.purpose_code === code)
  }

  test('names and texts are in the person’s language, at every clinic', async () => {
    const { clinic, me } = await clinicWithPatient()
    const { clinic: other } = await clinicWithPatient(me)
    for (const { id } of [clinic, other]) {
      const notice = await stateOf(me, id, 'org_privacy_notice')
      assert.deepEqual(
        [notice.name, notice.text.body, notice.accepted_body],
        ['Privacy notice of the clinic', 'Notice', 'Notice'],
      )
      assert.ok(notice.organization_name)
    }
    assert.equal((await core.patch('/v1/me', { as: me, body: { preferred_language: 'ro' } })).status, 200)
    const notice = await stateOf(me, other.id, 'org_privacy_notice')
    assert.deepEqual(
      [notice.name, notice.text.body, notice.accepted_body],
      ['Nota de informare a clinicii', 'Notă', 'Notă'],
    )
    const { body } = await core.get('/v1/consent-purposes?limit=100', { as: me })
    assert.equal(body.data.find(({ code }: Json) => code === 'telerehab').name, 'Exerciții acasă')
  })

  test('the gate names a missing purpose in the language of the person', async () => {
    const { clinic, me } = await clinicWithPatient()
    await core.patch('/v1/me', { as: me, body: { preferred_language: 'ro' } })
    await core.publishNotice(clinic)
    const { status, body } = await core.get('/v1/me/treatment-plans', { as: me })
    assert.deepEqual([status, body.error.missing_purposes[0].purpose_name], [412, 'Nota de informare a clinicii'])
  })

  test('a newer text is shown together with the accepted text', async () => {
    const { clinic, me } = await clinicWithPatient()
    const consent = await grant(me, clinic.id, 'telerehab')
    const before = await stateOf(me, clinic.id, 'telerehab')
    assert.deepEqual([before.newer_text, before.text.version], [false, 1])
    const published = await core.post('/v1/consent-purposes/telerehab/versions', {
      as: clinic.admin,
      body: { body_translations: { en: 'The newer text', ro: 'Textul nou' } },
    })
    assert.equal(published.status, 201, published.text)
    const state = await stateOf(me, clinic.id, 'telerehab')
    assert.deepEqual([state.current.id, state.newer_text], [consent.id, true])
    assert.deepEqual([state.text.version, state.text.body], [2, 'The newer text'])
    assert.equal(state.accepted_body, before.accepted_body)
    assert.notEqual(state.accepted_body, state.text.body)
  })

  test('the preview counts what depends on the consent; it is null without a consent', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    assert.equal((await stateOf(me, clinic.id, 'telemedicine')).withdrawal, null)
    for (const code of ['telemedicine', 'telerehab', 'biometric_capture', 'marketing_email', 'analytics'])
      await grant(me, clinic.id, code)
    const stops = async (code: string) =>
      (await stateOf(me, clinic.id, code)).withdrawal.stops.map(({ effect, count }: Json) => [effect, count])
    assert.deepEqual(await stops('telemedicine'), [['video_appointments', 0]])
    assert.deepEqual(await stops('telerehab'), [['sessions_at_home', 0]])
    await core.database.query(
      `insert into treatment_plans (organization_id, patient_profile_id, title, status) values ($1, $2, 'Plan', 'active')`,
      [clinic.id, patient.profile_id],
    )
    assert.deepEqual(await stops('telerehab'), [['sessions_at_home', 1]])
    assert.deepEqual(await stops('biometric_capture'), [['camera_measurement', null]])
    assert.deepEqual(await stops('marketing_email'), [['marketing_mail', null]])
    assert.deepEqual(await stops('analytics'), [])
    const as = clinic.admin
    const service = await core.post('/v1/services', {
      as,
      body: { name: 'Visit', slug: 'visit', duration_minutes: 30 },
    })
    const specialist = await core.post('/v1/specialists', { as, body: { name: 'Ana', slug: 'ana' } })
    for (const mode of ['video', 'phone'])
      await core.database.query(
        `insert into appointments (organization_id, service_id, specialist_id, patient_id, patient_profile_id, mode, status, source,
           overlap_allowed, time_zone, starts_at, ends_at)
         values ($1, $2, $3, $4, $5, $6, 'confirmed', 'staff', true, 'UTC', now() + interval '1 day', now() + interval '25 hours')`,
        [clinic.id, service.body.data.id, specialist.body.data.id, patient.id, patient.profile_id, mode],
      )
    assert.deepEqual(await stops('telemedicine'), [['video_appointments', 1]])
  })

  test('a consent that cannot be withdrawn says what to do instead: leave the clinic or erase the account', async () => {
    const { clinic, me } = await clinicWithPatient()
    const terms = (await stateOf(me, clinic.id, 'org_terms')).withdrawal
    assert.deepEqual([terms.how, terms.stops[0].effect, terms.stops[0].count], ['leave_clinic', 'consents', 2])
    assert.equal((await stateOf(me, null, 'platform_terms')).withdrawal.how, 'erase_account')
  })

  test('a receipt is signed, verifies without sign-in, and does not verify once changed', async () => {
    const { clinic, me, patient } = await clinicWithPatient()
    const { id } = await grant(me, clinic.id, 'telerehab')
    const answer = await core.get(`/v1/me/consents/${id}/receipt`, { as: me })
    assert.equal(answer.status, 200, answer.text)
    const signed = answer.body.data
    const { receipt } = signed
    assert.deepEqual(
      [
        receipt.consent_id,
        receipt.patient_profile_id,
        receipt.organization_id,
        receipt.purpose_code,
        receipt.withdrawn_at,
      ],
      [id, patient.profile_id, clinic.id, 'telerehab', null],
    )
    assert.ok(receipt.body.length > 0 && receipt.organization_name)
    const verify = async (body: unknown) => core.post('/v1/public/consent-receipts/verify', { body })
    assert.deepEqual((await verify(signed)).body, { data: { valid: true } })
    const reordered = {
      signature: signed.signature,
      key: signed.key,
      receipt: Object.fromEntries(Object.entries(receipt).reverse()),
    }
    assert.deepEqual((await verify(reordered)).body, { data: { valid: true } })
    for (const forged of [
      { ...signed, receipt: { ...receipt, body: 'Everything' } },
      { ...signed, receipt: { ...receipt, granted_at: new Date().toISOString() } },
      { ...signed, key: 'other' },
      { ...signed, signature: '0'.repeat(64) },
    ])
      assert.deepEqual((await verify(forged)).body, { data: { valid: false } })
    assert.equal((await verify({ ...signed, receipt: { ...receipt, more: 1 } })).status, 422)
  })

  test('a receipt shows the withdrawal, and only its owner gets it (404)', async () => {
    const { clinic, me } = await clinicWithPatient()
    const { me: stranger } = await clinicWithPatient()
    const { id } = await grant(me, clinic.id, 'telerehab')
    await core.post(`/v1/me/consents/${id}/withdraw`, { as: me })
    const { body } = await core.get(`/v1/me/consents/${id}/receipt`, { as: me })
    assert.ok(Date.parse(body.data.receipt.withdrawn_at) > 0)
    assert.equal((await core.get(`/v1/me/consents/${id}/receipt`, { as: stranger })).status, 404)
    const { history } = await stateOf(me, clinic.id, 'telerehab')
    assert.equal(history[0].id, id)
  })
})
