import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { renderMail } from '@tendon/mail'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { patientInvited } from './mails.ts'

const newAddress = () => `patient-${randomUUID().slice(0, 8)}@mail.example`

describe('the invitation of a patient', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithNotice(values = {}): Promise<TestOrganization> {
    const clinic = await core.organization(values)
    await core.publishNotice(clinic)
    return clinic
  }

  async function onboard(clinic: TestOrganization, body: object = {}) {
    const person = { first_name: 'Maria', last_name: 'Stan', ...body }
    const added = await core.post('/v1/patients', { as: clinic.admin, body: person })
    assert.equal(added.status, 201, added.text)
    return added.body.data
  }

  const invite = (clinic: TestOrganization, id: string) => core.post(`/v1/patients/${id}/invite`, { as: clinic.admin })
  const statusOf = async (clinic: TestOrganization, id: string) =>
    (await core.get(`/v1/patients/${id}`, { as: clinic.admin })).body.data.status
  const mailsTo = (address: string) =>
    core.database.query(
      'select organization_id, template, language, data from mail_outbox where to_address = $1 order by id',
      [address],
    )
  const recordsOf = async (token: string) =>
    (await core.get('/v1/me', { as: { token } })).body.data.patient_records.map(
      (record: { patient_id: string }) => record.patient_id,
    )

  test('the invitation of a patient opens the clinic’s own page, in the mail’s language, with the address for the sign-in', () => {
    const context = {
      organizationName: 'Mlădița',
      toAddress: 'ana+1@mail.example',
      fromAddress: '',
      sentAt: new Date(),
      consoleUrl: '',
      publicUrl: '',
    }
    const portalUrl = 'https://app.example/portal/mladita'
    const rendered = renderMail(
      patientInvited,
      { organization_name: 'Mlădița', patient_id: randomUUID() },
      {
        language: 'ro',
        timeZone: 'UTC',
        context: { ...context, portalUrl },
      },
    )
    assert.ok(rendered.text.includes(`${portalUrl}#email=ana%2B1%40mail.example&language=ro`), rendered.text)
  })

  test('the invitation of a patient sends a mail in the patient’s language, else the clinic’s, and an event with ids', async () => {
    const clinic = await clinicWithNotice({ name: 'Clinica Mlădița', language_code: 'ro' })
    const email = newAddress()
    const patient = await onboard(clinic, { email, invite: true })
    assert.equal(patient.status, 'invited')
    await onboard(clinic, { email, invite: true, language_code: 'en', allow_duplicate: true })
    const mails = await mailsTo(email)
    assert.deepEqual(mails[0], {
      organization_id: clinic.id,
      template: 'patient_invited',
      language: 'ro',
      data: { organization_name: 'Clinica Mlădița', patient_id: patient.id },
    })
    assert.equal(mails[1]?.language, 'en')
    const events = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'patient.invited' order by id`,
      [clinic.id],
    )
    const { id: patient_id, patient_profile_id } = patient
    assert.deepEqual(events[0], { payload: { patient_id, patient_profile_id } })
    const entries = await core.database.query(
      `select target_id, patient_profile_id from audit_log where organization_id = $1 and action = 'patients.invite' and target_id = $2`,
      [clinic.id, patient_id],
    )
    assert.deepEqual(entries, [{ target_id: patient_id, patient_profile_id }])
  })

  test('the invitation of a patient can be sent later and again, until the person has signed in (409)', async () => {
    const clinic = await clinicWithNotice()
    const email = newAddress()
    const { id } = await onboard(clinic, { email })
    assert.equal(await statusOf(clinic, id), 'unclaimed')
    for (let round = 0; round < 2; round += 1) {
      const answer = await invite(clinic, id)
      assert.deepEqual([answer.status, answer.body.data?.status], [200, 'invited'], answer.text)
    }
    assert.equal((await mailsTo(email)).length, 2)
    await core.signIn({ email })
    const late = await invite(clinic, id)
    assert.deepEqual([late.status, late.body.error.code], [409, 'already_claimed'])
    assert.equal((await mailsTo(email)).length, 2)
  })

  test('the invitation of a patient needs an e-mail address (409) and the right to onboard (403)', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic)
    const refused = await invite(clinic, id)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'email_missing'])
    const reader = await core.memberWith(clinic, ['patients.view_org'])
    const forbidden = await core.post(`/v1/patients/${id}/invite`, { as: reader })
    assert.deepEqual([forbidden.status, forbidden.body.error.required], [403, 'patients.onboard'])
    const desk = await core.memberWith(clinic, ['patients.view_org', 'patients.onboard'])
    await core.database.query('update patients set email = $2 where id = $1', [id, newAddress()])
    assert.equal((await core.post(`/v1/patients/${id}/invite`, { as: desk })).status, 200)
  })

  test('the invitation of a patient is claimed by the first sign-in with the verified e-mail address, in any letter case', async () => {
    const clinic = await clinicWithNotice()
    const email = newAddress()
    const { id, patient_profile_id } = await onboard(clinic, { email, invite: true })
    const person = await core.signIn({ email: email.toUpperCase() })
    assert.deepEqual(await recordsOf(person.token), [id])
    assert.equal(await statusOf(clinic, id), 'claimed')
    const [row] = await core.database.query('select human_id, claimed_at from patient_profiles where id = $1', [
      patient_profile_id,
    ])
    assert.equal(row?.human_id, person.id)
    assert.ok(row?.claimed_at)
    const { data } = (await core.get('/v1/patients?claimed=true', { as: clinic.admin })).body
    assert.deepEqual(
      data.map((patient: { id: string }) => patient.id),
      [id],
    )
    assert.equal((await core.get('/v1/patients?claimed=false', { as: clinic.admin })).body.pagination.total, 0)
  })

  test('the invitation of a patient is claimed by an existing account with its next token', async () => {
    const clinic = await clinicWithNotice()
    const sub = randomUUID()
    const person = await core.signIn({ sub })
    const { id } = await onboard(clinic, { email: person.email, invite: true })
    assert.deepEqual(await recordsOf(person.token), [], 'the token in hand was read before')
    const again = await core.signIn({ sub, email: person.email })
    assert.equal(again.id, person.id)
    assert.deepEqual(await recordsOf(again.token), [id])
    assert.deepEqual(await recordsOf(person.token), [id])
  })

  test('the invitation of a patient is not claimed by an e-mail address until it is verified', async () => {
    const clinic = await clinicWithNotice()
    const email = newAddress()
    const sub = randomUUID()
    const { id } = await onboard(clinic, { email, invite: true })
    const unproven = await core.signIn({ sub, email, email_verified: false })
    assert.deepEqual(await recordsOf(unproven.token), [])
    assert.equal(await statusOf(clinic, id), 'invited')
    const proven = await core.signIn({ sub, email, email_verified: true })
    assert.deepEqual(await recordsOf(proven.token), [id])
  })

  test('the invitation of a patient from two clinics to one e-mail address gives one human two profiles, and neither clinic learns of the other', async () => {
    const one = await clinicWithNotice()
    const two = await clinicWithNotice()
    const email = newAddress()
    const first = await onboard(one, { email, invite: true, national_id: '2840309410017' })
    const second = await onboard(two, { email, invite: true, first_name: 'Mara', national_id: '2840309410017' })
    assert.notEqual(first.patient_profile_id, second.patient_profile_id)
    const person = await core.signIn({ email })
    assert.deepEqual(new Set(await recordsOf(person.token)), new Set([first.id, second.id]))
    for (const [clinic, own, foreign] of [
      [one, first, second],
      [two, second, first],
    ] as const) {
      const list = await core.get('/v1/patients', { as: clinic.admin })
      assert.deepEqual(
        list.body.data.map((patient: { id: string }) => patient.id),
        [own.id],
      )
      const profile = await core.get(`/v1/patients/${own.id}/profile`, { as: clinic.admin })
      assert.ok(!list.text.includes(foreign.patient_profile_id) && !profile.text.includes(foreign.patient_profile_id))
      assert.ok(
        !list.text.includes(person.id) && !profile.text.includes(person.id),
        'the account is theirs, not the clinic’s',
      )
      assert.equal((await core.get(`/v1/patients/${foreign.id}`, { as: clinic.admin })).status, 404)
    }
    await core.put(`/v1/patients/${first.id}`, { as: one.admin, body: { first_name: 'Other', last_name: 'Name' } })
    await core.delete(`/v1/patients/${first.id}`, { as: one.admin })
    assert.deepEqual(await recordsOf(person.token), [second.id])
    const kept = (await core.get(`/v1/patients/${second.id}`, { as: two.admin })).body.data
    assert.deepEqual([kept.first_name, kept.status, kept.deleted_at], ['Mara', 'claimed', null])
  })

  test('the invitation of a patient to a wrong e-mail address is void once the address is corrected', async () => {
    const clinic = await clinicWithNotice()
    const [wrong, right] = [newAddress(), newAddress()]
    const { id } = await onboard(clinic, { email: wrong, invite: true })
    const put = (email: string) =>
      core.put(`/v1/patients/${id}`, { as: clinic.admin, body: { first_name: 'Maria', last_name: 'Stan', email } })
    assert.equal((await put(wrong.toUpperCase())).body.data.status, 'invited', 'the same address')
    assert.equal((await put(right)).body.data.status, 'unclaimed')
    assert.deepEqual(await recordsOf((await core.signIn({ email: wrong })).token), [])
    await invite(clinic, id)
    assert.deepEqual(await recordsOf((await core.signIn({ email: right })).token), [id])
    assert.equal((await put(newAddress())).body.data.status, 'claimed', 'what is claimed stays claimed')
  })

  test('the invitation of a patient to a patient who was deleted is void', async () => {
    const clinic = await clinicWithNotice()
    const email = newAddress()
    const { id, patient_profile_id } = await onboard(clinic, { email, invite: true })
    await core.delete(`/v1/patients/${id}`, { as: clinic.admin })
    await core.signIn({ email })
    const [row] = await core.database.query('select human_id from patient_profiles where id = $1', [patient_profile_id])
    assert.deepEqual(row, { human_id: null })
  })

  test('the invitation of a patient is claimed once by fifty parallel first requests', async () => {
    const clinic = await clinicWithNotice()
    const email = newAddress()
    const { id } = await onboard(clinic, { email, invite: true })
    const claims = { sub: randomUUID(), email, email_verified: true, name: 'Maria' }
    const token = await core.issuer.sign(claims)
    const answers = await Promise.all(Array.from({ length: 50 }, () => core.get('/v1/me', { as: { token } })))
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
    assert.equal(new Set(answers.map(({ body }) => body.data.principal_id)).size, 1)
    assert.deepEqual(await recordsOf(token), [id])
  })
})
