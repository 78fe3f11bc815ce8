import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { findPlanSession } from './index.ts'
import { codeOf, plansOf, sentBack, session, type TestPlans, UNKNOWN } from './plans.testing.ts'

const WORDS = { ro: { name: 'Genuflexiune', description: 'Întărește coapsele.' } }

describe('a patient’s treatment plans', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization({ language_code: 'ro' })
  })
  after(() => core.close())

  async function patientOf(of: TestOrganization, person?: Person) {
    const signedIn = person ?? (await core.signIn())
    const patient = await core.patient(of, signedIn)
    await core.acceptAll(patient)
    return { person: signedIn, patient }
  }
  const list = async (as: Person, query = ''): Promise<Json[]> =>
    (await core.get(`/v1/me/treatment-plans?${query}`, { as })).body.data
  const read = (as: Person, id: string) => core.get(`/v1/me/treatment-plans/${id}`, { as })

  test('a patient’s treatment plans are visible from activation until they are archived, at each of their clinics, never as drafts', async () => {
    const other = await core.organization()
    const { person, patient } = await patientOf(clinic)
    const { patient: there } = await patientOf(other, person)
    const squat = await plans.exercise(null)
    const draft = await plans.written(clinic, patient.id, [squat])
    const active = await plans.given(clinic, patient.id, [squat])
    const elsewhere = await plans.given(other, there.id, [squat, squat])
    const archived = await plans.given(clinic, patient.id, [squat])
    await plans.become(clinic.admin, archived.id, 'archived')
    assert.deepEqual(
      (await list(person)).map(({ id, status, organization, sessions_count }) => [
        id,
        status,
        organization.id,
        sessions_count,
      ]),
      [
        [elsewhere.id, 'active', other.id, 1],
        [active.id, 'active', clinic.id, 1],
      ],
    )
    await plans.become(other.admin, elsewhere.id, 'completed')
    assert.deepEqual(
      (await list(person, 'status=completed')).map(({ id }) => id),
      [elsewhere.id],
    )
    for (const id of [active.id, elsewhere.id]) assert.equal((await read(person, id)).status, 200)
    for (const id of [draft.id, archived.id, UNKNOWN])
      assert.deepEqual(codeOf(await read(person, id)), [404, 'treatment_plan_not_found'])
  })

  test('a patient’s treatment plans contain the instructions of each exercise, in the patient’s language, else the clinic’s', async () => {
    const { person, patient } = await patientOf(clinic)
    const squat = await plans.exercise(clinic, 'Squat', { translations: WORDS })
    const hop = await plans.exercise(clinic, 'Hop')
    const plan = await plans.given(clinic, patient.id, [
      { exercise_id: squat, sets: 3, reps: 10, notes: 'Slowly.' },
      hop,
    ])
    const inRomanian = (await read(person, plan.id)).body.data.sessions[0].exercises
    assert.deepEqual(
      inRomanian.map((one: Json) => [one.name, one.description, one.instructions[0].content]),
      [
        ['Genuflexiune', 'Întărește coapsele.', 'Stați'],
        ['Hop', null, 'Stați'],
      ],
    )
    assert.deepEqual(
      [inRomanian[0].sets, inRomanian[0].reps, inRomanian[0].notes, inRomanian[0].kind, inRomanian[0].video_url],
      [3, 10, 'Slowly.', 'reps_based', 'https://video.example/x.m3u8'],
    )
    await core.patch('/v1/me', { as: person, body: { preferred_language: 'en' } })
    const [inEnglish] = (await read(person, plan.id)).body.data.sessions[0].exercises
    assert.deepEqual([inEnglish.name, inEnglish.instructions[0].content], ['Squat', 'Stand'])
  })

  test('a patient’s treatment plans contain no safety findings or override reasons', async () => {
    const { person, patient } = await patientOf(clinic)
    const [condition, exercise] = [await plans.condition(clinic, 'Vertigo'), await plans.exercise(clinic)]
    await plans.contraindicate(exercise, condition, 'relative')
    await plans.suffersFrom(clinic, patient.id, condition)
    const plan = await plans.given(clinic, patient.id, [{ exercise_id: exercise, override_reason: 'Secret weighing.' }])
    const { text } = await read(person, plan.id)
    for (const word of ['Secret', 'Vertigo', 'findings', 'override', 'safety', 'Guideline'])
      assert.ok(!text.includes(word))
  })

  test('omit removed exercises, and keep exercises that were archived or deleted later', async () => {
    const { person, patient } = await patientOf(clinic)
    const [squat, hop] = [await plans.exercise(clinic), await plans.exercise(clinic, 'Hop')]
    const plan = await plans.given(clinic, patient.id, [squat, hop])
    const [monday] = sentBack(plan).sessions
    const sessions = [{ ...monday, exercises: monday.exercises.slice(1) }]
    await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })
    await core.database.query(`update exercises set status = 'archived' where id = $1`, [hop])
    const names = async () =>
      (await read(person, plan.id)).body.data.sessions.flatMap((one: Json) =>
        one.exercises.map(({ name }: Json) => name),
      )
    assert.deepEqual(await names(), ['Hop'])
    await plans.become(clinic.admin, plan.id, 'completed')
    await core.database.query('update exercises set deleted_at = now() where id = $1', [hop])
    assert.deepEqual(await names(), ['Hop'])
  })

  test('a patient’s treatment plans are not visible to other patients, staff, or patients who have left', async () => {
    const { person, patient } = await patientOf(clinic)
    const { person: neighbour } = await patientOf(clinic)
    const plan = await plans.given(clinic, patient.id, [await plans.exercise(null)])
    assert.deepEqual(codeOf(await read(neighbour, plan.id)), [404, 'treatment_plan_not_found'])
    assert.deepEqual(await list(neighbour), [])
    assert.equal((await read(clinic.admin, plan.id)).status, 403)
    assert.deepEqual((await plans.read(person, plan.id)).body.error.required, 'treatment_plans.view_org')
    assert.equal(
      (await core.get(`/v1/exercises/${plan.sessions[0].exercises[0].exercise_id}`, { as: person })).status,
      403,
    )
    await core.database.query('update patients set deleted_at = now() where id = $1', [patient.id])
    assert.notEqual((await read(person, plan.id)).status, 200)
  })

  test('a patient’s treatment plans need the consents that the clinic requires (412)', async () => {
    const own = await core.organization()
    await core.publishNotice(own)
    const person = await core.signIn()
    const patient = await core.patient(own, person)
    const plan = await plans.given(own, patient.id, [await plans.exercise(null)])
    assert.deepEqual(codeOf(await read(person, plan.id)), [412, 'consent_required'])
    await core.acceptAll(patient)
    assert.equal((await read(person, plan.id)).status, 200)
  })

  test('provide the session of a run: the exercises in order, each with its current pose configuration', async () => {
    const { person, patient } = await patientOf(clinic)
    const [squat, plank] = [await plans.exercise(null), await plans.exercise(clinic, 'Plank', { kind: 'static' })]
    await core.database.query(
      `insert into exercise_pose_configs (exercise_id, version, status, config)
       values ($1, 1, 'active', '{"v": 1}'), ($1, 2, 'active', '{"v": 2}'), ($1, 3, 'draft', '{"v": 3}')`,
      [squat],
    )
    const plan = await plans.given(clinic, patient.id, [
      { exercise_id: plank, hold_seconds: 20 },
      { exercise_id: squat, reps: 8 },
    ])
    const draft = await plans.written(clinic, patient.id, [squat])
    const find = (id: string, profileIds: string[], permissions = '') =>
      core.services.db.tenant({ principalId: person.id, organizationId: clinic.id, permissions, profileIds }, (tx) =>
        findPlanSession(tx, id),
      )
    const [{ id }] = plan.sessions
    const found = await find(id, [patient.profile_id])
    assert.deepEqual(
      found?.exercises.map((one) => [one.name, one.kind, one.hold_seconds, one.reps, one.pose_config?.config ?? null]),
      [
        ['Plank', 'static', 20, null, null],
        ['Squat', 'reps_based', null, 8, { v: 2 }],
      ],
    )
    assert.deepEqual(
      [found?.plan_status, found?.treatment_plan_id, found?.patient_profile_id, found?.organization_id],
      ['active', plan.id, patient.profile_id, clinic.id],
    )
    const staff = ',treatment_plans.view_org,'
    assert.equal((await find(id, [], staff))?.exercises.length, 2)
    assert.equal((await find(draft.sessions[0].id, [], staff))?.plan_status, 'draft')
    for (const nobody of [find(id, []), find(draft.sessions[0].id, [patient.profile_id]), find(UNKNOWN, [], staff)])
      assert.equal(await nobody, undefined)
    const emptied = { ...sentBack(plan), sessions: [session([squat])] }
    assert.equal((await plans.replace(clinic.admin, plan.id, emptied)).status, 200)
    assert.equal(await find(id, [patient.profile_id]), undefined, 'a session that was taken out')
  })
})
