import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const CNP = '2840309410017'

describe('restoring a patient', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithNotice() {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    return clinic
  }

  type Clinic = Awaited<ReturnType<typeof clinicWithNotice>>

  const onboard = (clinic: Clinic, body: object = {}) =>
    core.post('/v1/patients', { as: clinic.admin, body: { first_name: 'Ion', last_name: 'Pop', ...body } })
  const remove = (clinic: Clinic, id: string) => core.delete(`/v1/patients/${id}`, { as: clinic.admin })
  const restore = (clinic: Clinic, id: string, as = clinic.admin) => core.post(`/v1/patients/${id}/restore`, { as })

  async function deletedPatient(clinic: Clinic, body: object = {}) {
    const { body: created } = await onboard(clinic, body)
    assert.equal((await remove(clinic, created.data.id)).status, 204)
    return created.data
  }

  test('staff who may delete and see deleted records undo a deletion; it is audited and published', async () => {
    const clinic = await clinicWithNotice()
    const { id, patient_profile_id } = await deletedPatient(clinic)
    for (const codes of [
      ['patients.delete', 'patients.view_org'],
      ['data.view_deleted', 'patients.view_org'],
      ['data.view_deleted', 'patients.delete'],
    ])
      assert.equal((await restore(clinic, id, await core.memberWith(clinic, codes))).status, 403, codes.join())
    const as = await core.memberWith(clinic, ['patients.delete', 'patients.view_org', 'data.view_deleted'])
    const answers = await Promise.all([restore(clinic, id, as), restore(clinic, id, as)])
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, 409],
      answers[0]?.text,
    )
    assert.equal(answers.find(({ status }) => status === 409)?.body.error.code, 'not_deleted')
    const read = await core.get(`/v1/patients/${id}`, { as: await core.memberWith(clinic, ['patients.view_org']) })
    assert.deepEqual([read.status, read.body.data.deleted_at], [200, null])
    const [entry] = await core.database.query(
      `select actor_principal_id, patient_profile_id from audit_log where organization_id = $1 and action = 'patients.restore'`,
      [clinic.id],
    )
    assert.deepEqual(entry, { actor_principal_id: as.id, patient_profile_id })
    const events = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'patient.restored'`,
      [clinic.id],
    )
    assert.deepEqual(events, [{ payload: { patient_id: id, patient_profile_id } }])
  })

  test('consents stay withdrawn', async () => {
    const clinic = await clinicWithNotice()
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    await core.acceptAll(patient)
    await remove(clinic, patient.id)
    assert.equal((await restore(clinic, patient.id)).status, 200)
    const open = await core.database.query(
      'select 1 from consents where organization_id = $1 and patient_profile_id = $2 and withdrawn_at is null',
      [clinic.id, patient.profile_id],
    )
    assert.deepEqual(open, [])
    const { status } = await core.get('/v1/me/treatment-plans', { as: me })
    assert.equal(status, 412, 'the gate asks again')
  })

  test('restoring a patient is refused when another patient has the identification number by now (409)', async () => {
    const clinic = await clinicWithNotice()
    const first = await deletedPatient(clinic, { national_id: CNP })
    assert.equal((await restore(clinic, first.id)).status, 200)
    assert.equal((await onboard(clinic, { national_id: CNP })).status, 409)
    await remove(clinic, first.id)
    assert.equal((await onboard(clinic, { national_id: CNP })).status, 201)
    const refused = await restore(clinic, first.id)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'national_id_taken'])
  })

  test('a patient who left cannot be restored (409 restore_refused)', async () => {
    const clinic = await clinicWithNotice()
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    await core.acceptAll(patient)
    const left = await core.post(`/v1/me/organizations/${clinic.id}/leave`, {
      as: me,
      body: { confirm: true },
    })
    assert.ok(left.status < 300, left.text)
    const refused = await restore(clinic, patient.id)
    assert.deepEqual([refused.status, refused.body.error.code], [409, 'restore_refused'])
  })

  test('a patient with a requested erasure or an erased account cannot be restored (409 restore_refused)', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await deletedPatient(clinic)
    const asked = await core.post('/v1/gdpr/erase', {
      as: clinic.admin,
      body: { patient_id: id, reason: 'Asked by letter', confirm: 'ERASE' },
    })
    assert.equal(asked.status, 202, asked.text)
    assert.equal((await restore(clinic, id)).body.error.code, 'restore_refused')
    const me = await core.signIn()
    const patient = await core.patient(clinic, me)
    await core.acceptAll(patient)
    await remove(clinic, patient.id)
    const erased = await core.post('/v1/me/erase', { as: me, body: { confirm: 'ERASE' } })
    assert.ok(erased.status < 300, erased.text)
    assert.equal((await restore(clinic, patient.id)).body.error.code, 'restore_refused')
  })

  test('restoring a patient is refused after 30 days (409 restore_expired) and to other clinics (404)', async () => {
    const [clinic, other] = [await clinicWithNotice(), await clinicWithNotice()]
    const { id } = await deletedPatient(clinic)
    assert.equal((await restore(other, id)).status, 404)
    await core.database.query(`update patients set deleted_at = now() - interval '31 days' where id = $1`, [id])
    assert.equal((await restore(clinic, id)).body.error.code, 'restore_expired')
  })
})
