import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const CNP = '2840309410017'
const OTHER_CNP = '1840309410015'

describe('the identification number of a patient', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  async function clinicWithNotice(): Promise<TestOrganization> {
    const clinic = await core.organization()
    await core.publishNotice(clinic)
    return clinic
  }

  const add = (clinic: TestOrganization, national_id: string | null, body: object = {}) =>
    core.post('/v1/patients', { as: clinic.admin, body: { first_name: 'Ana', last_name: 'Pop', national_id, ...body } })

  async function onboard(clinic: TestOrganization, national_id: string | null = CNP) {
    const added = await add(clinic, national_id)
    assert.equal(added.status, 201, added.text)
    return added.body.data
  }

  const profileOf = (clinic: TestOrganization, id: string) =>
    core.get(`/v1/patients/${id}/profile`, { as: clinic.admin })
  const setNumber = (clinic: TestOrganization, id: string, national_id: string | null) =>
    core.put(`/v1/patients/${id}/profile`, { as: clinic.admin, body: { national_id } })

  test('the identification number of a patient is returned by the profile only, and each read is audited', async () => {
    const clinic = await clinicWithNotice()
    const patient = await onboard(clinic, '2 840309 410017')
    assert.equal(patient.has_national_id, true)
    const reader = await core.memberWith(clinic, ['patients.view_org'])
    const read = await core.get(`/v1/patients/${patient.id}/profile`, { as: reader })
    assert.equal(read.status, 200, read.text)
    assert.deepEqual(read.body.profile, { national_id: '2 840309 410017' })
    const entries = await core.database.query(
      `select actor_principal_id, crud, target_id, patient_profile_id from audit_log where organization_id = $1 and action = 'patients.read_national_id'`,
      [clinic.id],
    )
    const { id: target_id, patient_profile_id } = patient
    assert.deepEqual(entries, [{ actor_principal_id: reader.id, crud: 'R', target_id, patient_profile_id }])
  })

  test('the identification number of a patient appears in no list, record, event, audit text, log, mail or row', async () => {
    const clinic = await clinicWithNotice()
    const headers = { 'idempotency-key': 'with-a-number' }
    const first = await core.post('/v1/patients', {
      as: clinic.admin,
      headers,
      body: { first_name: 'Ana', last_name: 'Pop', email: 'ana@mail.example', invite: true, national_id: CNP },
    })
    const { id } = first.body.data
    await setNumber(clinic, id, OTHER_CNP)
    const shown = [
      first,
      await add(clinic, OTHER_CNP),
      await add(clinic, '2840309410018'),
      await setNumber(clinic, id, '2840309410019'),
      await core.get('/v1/patients', { as: clinic.admin }),
      await core.get(`/v1/patients?q=${OTHER_CNP}`, { as: clinic.admin }),
      await core.get('/v1/patients/picker', { as: clinic.admin }),
      await core.get(`/v1/patients/${id}`, { as: clinic.admin }),
      await core.get('/v1/audit-logs', { as: clinic.admin }),
      await core.get('/v1/audit-logs/export', { as: clinic.admin }),
    ]
    assert.deepEqual(
      shown.slice(0, 4).map(({ status }) => status),
      [201, 409, 422, 400],
    )
    const tables = await core.database.query<{ name: string }>(
      `select format('%I', tablename) as name from pg_tables where schemaname = 'public'`,
    )
    const rows = await Promise.all(
      tables.map(({ name }) => core.database.query<{ row: string }>(`select t::text as row from ${name} t`)),
    )
    const places = {
      answers: shown.map(({ text }) => text).join('\n'),
      log: core.log.join('\n'),
      rows: rows
        .flat()
        .map(({ row }) => row)
        .join('\n'),
    }
    for (const number of [CNP, OTHER_CNP, '2840309410018', '2840309410019']) {
      for (const [place, text] of Object.entries(places)) {
        assert.ok(!text.includes(number), `${number} in the ${place}`)
        assert.ok(!text.includes(Buffer.from(number).toString('hex')), `${number} in the ${place}, as bytes`)
      }
    }
    const { data } = (await core.get('/v1/audit-logs?action=patients.update_national_id', { as: clinic.admin })).body
    assert.deepEqual(data[0].changes, [{ field: 'national_id', before: null, after: 'changed' }])
  })

  test('the identification number of a patient is set, kept and cleared by PUT; a repeat of the same number changes nothing', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic, null)
    const shown = async (answer: Promise<Answer>) => (await answer).body.profile.national_id
    assert.equal(await shown(profileOf(clinic, id)), undefined)
    assert.equal(await shown(setNumber(clinic, id, CNP)), CNP)
    assert.equal(await shown(setNumber(clinic, id, ` ${CNP}`)), CNP)
    assert.equal(await shown(setNumber(clinic, id, null)), undefined)
    assert.equal((await core.get(`/v1/patients/${id}`, { as: clinic.admin })).body.data.has_national_id, false)
    const entries = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'patients.update_national_id'`,
      [clinic.id],
    )
    assert.equal(entries.length, 2)
    for (const wrong of ['123', 'x'.repeat(33), 2840309410017, ['2840309410017'], '2840309410018']) {
      const answer = await core.put(`/v1/patients/${id}/profile`, { as: clinic.admin, body: { national_id: wrong } })
      assert.deepEqual([answer.status, answer.body.details.errors[0].field], [400, 'national_id'], answer.text)
      assert.ok(!answer.text.includes(String(wrong)))
    }
    const reader = await core.memberWith(clinic, ['patients.view_org'])
    const refused = await core.put(`/v1/patients/${id}/profile`, { as: reader, body: { national_id: CNP } })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'patients.update'])
  })

  test('the identification number of a patient is unique within a clinic (409), and independent of other clinics', async () => {
    const clinic = await clinicWithNotice()
    const other = await clinicWithNotice()
    await onboard(clinic, CNP)
    const second = await onboard(clinic, null)
    const profile = await setNumber(clinic, second.id, '2 840309 410017')
    assert.deepEqual([profile.status, profile.body.name], [400, 'ValidationError'])
    assert.match(profile.body.details.errors[0].message, /another patient/)
    for (const answer of [
      await add(clinic, '2-840309-410017'),
      await add(clinic, CNP, { consents: [{ purpose_code: 'org_privacy_notice', purpose_version: 1 }] }),
    ]) {
      const { code, field, message } = answer.body.error
      assert.deepEqual([answer.status, code, field], [409, 'patient_exists', 'national_id'])
      assert.doesNotMatch(message, /allow_duplicate|e-mail/, 'nothing overrides it')
      assert.match(message, /Open that record/)
    }
    const forced = await add(clinic, CNP, { allow_duplicate: true })
    assert.deepEqual([forced.status, forced.body.error.code], [409, 'national_id_taken'])
    await onboard(other, CNP)
    const indexes = await core.database.query<{ index: string }>(
      `select distinct encode(national_id_index, 'hex') as index from patient_profiles where organization_id = any($1) and national_id_index is not null`,
      [[clinic.id, other.id]],
    )
    assert.equal(indexes.length, 2, 'nothing in the rows tells that the two are one number')
  })

  test('of two parallel onboardings with the same number one wins, the other leaves nothing', async () => {
    const clinic = await clinicWithNotice()
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(clinic, CNP)))
    assert.equal(answers.filter(({ status }) => status === 201).length, 1)
    assert.equal(answers.filter(({ body }) => body.error?.code === 'patient_exists').length, 9)
    const left = await core.database.query(
      `select (select count(*)::int from patients where organization_id = $1) as patients,
         (select count(*)::int from patient_profiles where organization_id = $1) as profiles`,
      [clinic.id],
    )
    assert.deepEqual(left, [{ patients: 1, profiles: 1 }])
  })

  test('the identification number of a patient can be used again when its patient is deleted, and is still readable with data.view_deleted', async () => {
    const clinic = await clinicWithNotice()
    const { id } = await onboard(clinic, CNP)
    await core.delete(`/v1/patients/${id}`, { as: clinic.admin })
    await onboard(clinic, CNP)
    assert.equal((await profileOf(clinic, id)).body.profile.national_id, CNP)
  })

  test('copied to another row in the database cannot be decrypted there', async () => {
    const clinic = await clinicWithNotice()
    const one = await onboard(clinic, CNP)
    const two = await onboard(clinic, OTHER_CNP)
    await core.database.query(
      `update patient_profiles set national_id_encrypted = (select national_id_encrypted from patient_profiles where id = $1) where id = $2`,
      [one.patient_profile_id, two.patient_profile_id],
    )
    const answer = await profileOf(clinic, two.id)
    assert.equal(answer.status, 500)
    assert.ok(!answer.text.includes(CNP))
    assert.ok(!core.log.join('\n').includes(CNP))
  })
})
