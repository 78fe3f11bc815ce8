import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, fieldsOf, plansOf, type TestPlans, UNKNOWN } from '../treatment-plans/plans.testing.ts'

describe('patient conditions', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  let other: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
    other = await core.organization()
  })
  after(() => core.close())

  const pathOf = (patientId: string, id = '') => `/v1/patients/${patientId}/conditions${id && `/${id}`}`
  const add = (patientId: string, body: object, as = clinic.admin) => core.post(pathOf(patientId), { as, body })
  const list = async (patientId: string, as = clinic.admin): Promise<Json[]> =>
    (await core.get(pathOf(patientId), { as })).body.data

  test('patient conditions are recorded with since and note, and read with the condition’s slug, name and code', async () => {
    const patient = await core.patient(clinic)
    const condition_id = await plans.condition(null, 'Gonarthrosis')
    const added = await add(patient.id, { condition_id, since: '2024-03-09', note: 'Right knee.' })
    assert.equal(added.status, 201, added.text)
    const { condition, since, note, created_by_principal_id, id } = added.body.data
    assert.deepEqual([condition.id, condition.name, condition.icd10_code], [condition_id, 'Gonarthrosis', 'M25.5'])
    assert.match(condition.slug, /^condition-/)
    assert.deepEqual([since, note, created_by_principal_id], ['2024-03-09', 'Right knee.', clinic.admin.id])
    assert.deepEqual(await list(patient.id), [added.body.data])

    const changed = await core.patch(pathOf(patient.id, id), { as: clinic.admin, body: { note: null } })
    assert.deepEqual([changed.body.data.since, changed.body.data.note], ['2024-03-09', null])
    assert.equal((await core.delete(pathOf(patient.id, id), { as: clinic.admin })).status, 204)
    assert.deepEqual(await list(patient.id), [])
    assert.deepEqual(codeOf(await core.delete(pathOf(patient.id, id), { as: clinic.admin })), [
      404,
      'patient_condition_not_found',
    ])
    const trail = (await plans.entries(clinic, 'patient_conditions.%')).filter(
      (entry) => entry.patient_profile_id === patient.profile_id,
    )
    assert.deepEqual(
      trail.map(({ action, crud }) => `${action} ${crud}`),
      ['create C', 'read R', 'update U', 'delete D', 'read R'].map((what) => `patient_conditions.${what}`),
    )
  })

  test('patient conditions are published with ids only: an event does not name the disease', async () => {
    const patient = await core.patient(clinic)
    const { id } = await plans.suffersFrom(clinic, patient.id, await plans.condition(null))
    const [event] = await core.database.query(
      `select payload from outbox_events where type = 'patient_condition.created' and payload ->> 'patient_id' = $1`,
      [patient.id],
    )
    assert.deepEqual(event, {
      payload: { patient_id: patient.id, patient_profile_id: patient.profile_id, patient_condition_id: id },
    })
  })

  test('patient conditions are recorded once (409), also when ten do it at the same time', async () => {
    const patient = await core.patient(clinic)
    const condition_id = await plans.condition(clinic)
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(patient.id, { condition_id })))
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).sort()
    assert.deepEqual(codes, ['201 ', ...Array.from({ length: 9 }, () => '409 condition_exists')])
    assert.equal((await list(patient.id)).length, 1)
  })

  test('patient conditions must be conditions visible to the clinic: foreign, unknown, deprecated and other values are 422', async () => {
    const patient = await core.patient(clinic)
    const deprecated = await plans.condition(clinic)
    await core.database.query('update taxonomy_tags set deprecated_at = now() where id = $1', [deprecated])
    const [region] = await core.database.query<{ id: string }>(
      `select id from taxonomy_tags where axis = 'body_region' limit 1`,
    )
    const texts = new Set<string>()
    for (const condition_id of [await plans.condition(other), UNKNOWN, region?.id]) {
      const refused = await add(patient.id, { condition_id })
      assert.deepEqual(fieldsOf(refused), [422, ['condition_id']])
      texts.add(refused.text)
    }
    assert.equal(texts.size, 1, 'nobody learns whether it exists')
    assert.match((await add(patient.id, { condition_id: deprecated })).text, /deprecated/)
  })

  test('that somebody else changed are refused with the stored row, for a change and for a deletion', async () => {
    const patient = await core.patient(clinic)
    const { id, version } = await plans.suffersFrom(clinic, patient.id, await plans.condition(null))
    const path = pathOf(patient.id, id)
    await core.patch(path, { as: clinic.admin, body: { note: 'Theirs', version } })
    const stale = await core.patch(path, { as: clinic.admin, body: { note: 'Mine', version } })
    assert.deepEqual(codeOf(stale), [409, 'stale_version'])
    const { current, current_version, changed_by } = stale.body.error
    assert.deepEqual([current.note, current_version, changed_by.principal_id], ['Theirs', version + 1, clinic.admin.id])
    const kept = await core.delete(path, { as: clinic.admin, headers: { 'if-match': `"${version}"` } })
    assert.deepEqual(codeOf(kept), [409, 'stale_version'])
  })

  test('patient conditions do not begin in the future', async () => {
    const patient = await core.patient(clinic)
    const condition_id = await plans.condition(clinic)
    assert.deepEqual(fieldsOf(await add(patient.id, { condition_id, since: '2099-01-01' })), [422, ['since']])
    assert.deepEqual(fieldsOf(await add(patient.id, { condition_id, since: '2024-02-30' })), [422, ['since']])
  })

  test('patient conditions of another clinic’s patient are not found, on any route (404)', async () => {
    const patient = await core.patient(other)
    const mine = await core.patient(clinic)
    const { id } = await plans.suffersFrom(other, patient.id, await plans.condition(other))
    const body = { note: 'Mine' }
    for (const answer of [
      await core.get(pathOf(patient.id), { as: clinic.admin }),
      await add(patient.id, { condition_id: await plans.condition(clinic) }),
      await core.patch(pathOf(patient.id, id), { as: clinic.admin, body }),
      await core.delete(pathOf(patient.id, id), { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [404, 'patient_not_found'])
    for (const answer of [
      await core.patch(pathOf(mine.id, id), { as: clinic.admin, body }),
      await core.delete(pathOf(mine.id, id), { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [404, 'patient_condition_not_found'])
  })

  test('patient conditions are recorded by holders of both permissions; others get 403 with the missing one', async () => {
    const patient = await core.patient(clinic)
    const body = { condition_id: await plans.condition(clinic) }
    const desk = await core.member(clinic, 'customer_support')
    assert.deepEqual((await add(patient.id, body, desk)).body.error.required, 'treatment_plans.manage')
    assert.deepEqual(await list(patient.id, desk), [])
    const blind = await core.memberWith(clinic, ['treatment_plans.manage'])
    assert.deepEqual((await add(patient.id, body, blind)).body.error.required, 'patients.view_org')
    assert.equal((await add(patient.id, body, await core.member(clinic, 'specialist'))).status, 201)
  })

  test('patient conditions do not change while processing is restricted (409), and can still be read', async () => {
    const patient = await core.patient(clinic)
    const { id } = await plans.suffersFrom(clinic, patient.id, await plans.condition(clinic))
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    for (const answer of [
      await add(patient.id, { condition_id: await plans.condition(clinic) }),
      await core.patch(pathOf(patient.id, id), { as: clinic.admin, body: { note: 'x' } }),
      await core.delete(pathOf(patient.id, id), { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [409, 'processing_restricted'])
    assert.equal((await list(patient.id)).length, 1)
  })

  test('patient conditions are read by the patient, only their own, without an access-log entry of staff', async () => {
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    await plans.suffersFrom(clinic, patient.id, await plans.condition(clinic))
    assert.equal((await list(patient.id, person)).length, 1)
    const neighbour = await core.patient(clinic)
    assert.deepEqual(codeOf(await core.get(pathOf(neighbour.id), { as: person })), [404, 'patient_not_found'])
    const condition_id = await plans.condition(clinic)
    assert.equal((await add(patient.id, { condition_id }, person)).body.error.required, 'treatment_plans.manage')
    const reads = (await plans.entries(clinic, 'patient_conditions.read')).filter(
      (entry) => entry.patient_profile_id === patient.profile_id,
    )
    assert.equal(reads.length, 0)
  })
})
