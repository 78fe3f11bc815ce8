import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const EMAIL = 'ion.pop@mail.example'

describe('onboarding the same person twice', () => {
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
  const add = (clinic: TestOrganization, body: object = {}, as: Person = clinic.admin) =>
    core.post('/v1/patients', { as, body: { first_name: 'Ion', last_name: 'Pop', email: EMAIL, ...body } })

  test('onboarding the same person twice is refused with the id of the record, in any spelling of the e-mail address (409 patient_exists)', async () => {
    const clinic = await clinicWithNotice()
    const { id } = (await add(clinic)).body.data
    const { status, body } = await add(clinic, { email: 'Ion.Pop@MAIL.example' })
    assert.deepEqual([status, body.error.code, body.error.field], [409, 'patient_exists', 'email'])
    assert.equal(body.error.patient_id, id)
    assert.match(body.error.message, /allow_duplicate/)
    assert.equal((await add(clinic, { email: null })).status, 201)
    assert.equal((await add(clinic, { email: null })).status, 201)
    assert.equal((await add(await clinicWithNotice())).status, 201)
  })

  test('onboarding the same person twice is allowed with allow_duplicate, for people who share an e-mail address', async () => {
    const clinic = await clinicWithNotice()
    await add(clinic)
    const second = await add(clinic, { allow_duplicate: true })
    assert.equal(second.status, 201, second.text)
  })

  test('onboarding the same person twice is allowed when the first record was deleted', async () => {
    const clinic = await clinicWithNotice()
    const { id } = (await add(clinic)).body.data
    assert.equal((await core.delete(`/v1/patients/${id}`, { as: clinic.admin })).status, 204)
    assert.equal((await add(clinic)).status, 201)
  })

  test('onboarding the same person twice is allowed when the first record left the clinic or was erased', async () => {
    for (const end of ['leave', 'erase'] as const) {
      const clinic = await clinicWithNotice()
      const email = `${end}-${clinic.slug}@mail.example`
      const { patient_profile_id } = (await add(clinic, { email, invite: true })).body.data
      const me = await core.signIn({ email })
      await core.acceptAll({ organization_id: clinic.id, profile_id: patient_profile_id })
      const ended =
        end === 'leave'
          ? await core.post(`/v1/me/organizations/${clinic.id}/leave`, { as: me, body: { confirm: true } })
          : await core.post('/v1/me/erase', { as: me, body: { confirm: 'ERASE' } })
      assert.ok(ended.status < 300, ended.text)
      const again = await add(clinic, { email })
      assert.equal(again.status, 201, `${end}: ${again.text}`)
    }
  })

  test('reveals nothing about the record to callers without patients.view_org (403)', async () => {
    const clinic = await clinicWithNotice()
    await add(clinic)
    const desk = await core.memberWith(clinic, ['patients.onboard'])
    const { status, body } = await add(clinic, {}, desk)
    assert.deepEqual([status, body.error.required, body.error.patient_id], [403, 'patients.view_org', undefined])
  })

  test('onboarding the same person twice at the same time creates one record', async () => {
    const clinic = await clinicWithNotice()
    const answers = await Promise.all(Array.from({ length: 6 }, () => add(clinic)))
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b)
    assert.deepEqual(statuses, [201, 409, 409, 409, 409, 409])
  })
})
