import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, fieldsOf, plansOf, sentBack, session, type TestPlans, UNKNOWN } from './plans.testing.ts'

describe('the safety check', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  /** A patient with a condition, and an exercise that is contraindicated for it. */
  async function against(severity: string) {
    const patient = await core.patient(clinic)
    const condition = await plans.condition(null)
    const exercise = await plans.exercise(clinic, 'Jump')
    const contraindication = await plans.contraindicate(exercise, condition, severity, clinic.admin)
    const suffering = await plans.suffersFrom(clinic, patient.id, condition)
    return { patient, condition, exercise, contraindication, suffering }
  }
  const write = (patient: { id: string }, exercises: (string | object)[]) =>
    plans.write(clinic.admin, { patient_id: patient.id, title: 'Knee', sessions: [session(exercises)] })
  const plansOfPatient = async (patient: { id: string }): Promise<number> =>
    (await core.get(`/v1/treatment-plans?patient_id=${patient.id}`, { as: clinic.admin })).body.pagination.total
  const check = (patient: { id: string }, exercise_ids: string[], as = clinic.admin) =>
    core.post('/v1/treatment-plans/safety-check', { as, body: { patient_id: patient.id, exercise_ids } })
  const overridesOf = async (profileId: string) =>
    (await plans.entries(clinic, 'treatment_plans.override')).filter((one) => one.patient_profile_id === profileId)
      .length

  test('the safety check refuses an absolute contraindication (409), with author, time and clinical basis, and saves nothing', async () => {
    const { patient, condition, exercise, contraindication, suffering } = await against('contraindicated')
    const squat = await plans.exercise(null)
    const refused = await write(patient, [squat, { exercise_id: exercise, override_reason: 'I know better.' }])
    assert.deepEqual(codeOf(refused), [409, 'contraindicated'])
    const [{ tagged_at, patient_condition, contraindicated_condition, ...finding }] = refused.body.error.findings
    assert.deepEqual(finding, {
      path: 'sessions.0.exercises.1',
      kind: 'contraindication',
      level: 'block',
      exercise_id: exercise,
      contraindication_id: contraindication,
      severity: 'contraindicated',
      description: 'It hurts.',
      prerequisite: null,
      tagged_by_principal_id: clinic.admin.id,
      clinical_basis: 'Guideline 2024',
      source: null,
      translations: { ro: { description: 'Doare.' } },
    })
    assert.equal(contraindicated_condition.id, condition)
    assert.ok(Date.parse(tagged_at))
    assert.deepEqual(
      [patient_condition.id, patient_condition.condition.id, patient_condition.recorded_by_principal_id],
      [suffering.id, condition, clinic.admin.id],
    )
    assert.equal(await plansOfPatient(patient), 0)
  })

  test('the safety check requires a reason for a relative contraindication (409); with one the plan is saved, and the reason audited', async () => {
    const { patient, exercise } = await against('relative')
    const refused = await write(patient, [exercise])
    assert.deepEqual(codeOf(refused), [409, 'override_required'])
    assert.deepEqual(refused.body.error.findings[0].level, 'reason')
    const blank = await write(patient, [{ exercise_id: exercise, override_reason: '  ' }])
    assert.deepEqual(fieldsOf(blank), [422, ['sessions.0.exercises.0.override_reason']])
    assert.equal(await plansOfPatient(patient), 0)
    const written = await write(patient, [{ exercise_id: exercise, override_reason: 'Tried without pain.' }])
    assert.equal(written.status, 201, written.text)
    const [entry] = written.body.data.sessions[0].exercises
    assert.deepEqual([entry.override_reason, entry.findings.length], ['Tried without pain.', 1])
    const log = await core.get('/v1/audit-logs?action=treatment_plans.override', {
      as: clinic.admin,
    })
    const logged = log.body.data.find((one: Json) => one.patient_profile_id === patient.profile_id)
    assert.equal(logged.reason, 'Tried without pain.')
    assert.equal(logged.changes[0].after.exercise_id, exercise)
    assert.equal(logged.changes[0].after.findings[0].clinical_basis, 'Guideline 2024')
  })

  test('the safety check shows a precaution, and accepts the plan', async () => {
    const { patient, exercise } = await against('precaution')
    const written = await write(patient, [exercise])
    assert.equal(written.status, 201)
    assert.deepEqual(written.body.data.sessions[0].exercises[0].findings[0].level, 'notice')
    assert.equal(await overridesOf(patient.profile_id), 0)
  })

  test('the safety check finds nothing against the exercise for another patient, or for another condition', async () => {
    const { exercise } = await against('contraindicated')
    const patient = await core.patient(clinic)
    await plans.suffersFrom(clinic, patient.id, await plans.condition(clinic))
    assert.deepEqual((await write(patient, [exercise])).body.data.sessions[0].exercises[0].findings, [])
  })

  test('the safety check follows a condition that was replaced by another, in both directions', async () => {
    for (const recordsOld of [true, false]) {
      const patient = await core.patient(clinic)
      const [old, between, now] = [
        await plans.condition(null),
        await plans.condition(null),
        await plans.condition(null),
      ]
      const exercise = await plans.exercise(clinic)
      await plans.contraindicate(exercise, recordsOld ? now : old, 'contraindicated')
      await plans.suffersFrom(clinic, patient.id, recordsOld ? old : now)
      assert.equal((await write(patient, [exercise])).status, 201, 'not yet the same')
      for (const [from, to] of [
        [between, now],
        [old, between],
      ])
        await core.database.query('update taxonomy_tags set deprecated_at = now(), replaced_by_id = $2 where id = $1', [
          from,
          to,
        ])
      assert.deepEqual(codeOf(await write(patient, [exercise])), [409, 'contraindicated'])
    }
  })

  test('the safety check also holds for a program that is copied, and for a caller who does not see the library', async () => {
    const { patient, exercise } = await against('contraindicated')
    const name = `Program ${exercise}`
    const body = { name, sessions: [session([exercise])] }
    const program = (await core.post('/v1/programs', { as: clinic.admin, body })).body.data
    const given = { patient_id: patient.id, program_id: program.id }
    assert.deepEqual(codeOf(await plans.write(clinic.admin, given)), [409, 'contraindicated'])
    const planner = await core.memberWith(clinic, [
      'patients.view_org',
      'treatment_plans.manage',
      'treatment_plans.view_org',
    ])
    assert.deepEqual(codeOf(await plans.write(planner, given)), [409, 'contraindicated'])
    assert.deepEqual((await check(patient, [exercise], planner)).body.data[0].findings[0].level, 'block')
  })

  test('the safety check requires a reason when a prerequisite is neither earlier in the plan nor completed', async () => {
    const patient = await core.patient(clinic)
    const [sit, squat] = [await plans.exercise(null, 'Sit to stand'), await plans.exercise(null)]
    await plans.needsFirst(squat, sit)
    const refused = await write(patient, [squat, sit])
    assert.deepEqual(codeOf(refused), [409, 'override_required'])
    const [finding] = refused.body.error.findings
    assert.deepEqual(
      [
        finding.kind,
        finding.level,
        finding.path,
        finding.prerequisite.id,
        finding.prerequisite.name,
        finding.clinical_basis,
        finding.translations.ro.clinical_basis,
      ],
      ['prerequisite', 'reason', 'sessions.0.exercises.0', sit, 'Sit to stand', 'Guideline', 'Ghid'],
    )
    const plan = await plans.written(clinic, patient.id, [sit, squat])
    assert.deepEqual(
      plan.sessions[0].exercises.map((one: Json) => one.findings),
      [[], []],
    )
    const without = { ...sentBack(plan), sessions: [session([sit]), session([squat])] }
    assert.equal((await plans.replace(clinic.admin, plan.id, without)).status, 200, 'in an earlier session')
    const removed = { ...without, version: 2, sessions: [session([squat])] }
    assert.deepEqual(codeOf(await plans.replace(clinic.admin, plan.id, removed)), [409, 'override_required'])
    await core.database.query('update exercises set deleted_at = now() where id = $1', [sit])
    assert.equal(
      (await plans.replace(clinic.admin, plan.id, removed)).status,
      200,
      'what is deleted cannot be done first',
    )
  })

  test('the safety check accepts a completed exercise as a prerequisite', async () => {
    const patient = await core.patient(clinic)
    const [sit, squat] = [await plans.exercise(null, 'Sit to stand'), await plans.exercise(null)]
    await plans.needsFirst(squat, sit)
    const earlier = await plans.given(clinic, patient.id, [sit])
    const [monday] = earlier.sessions
    await core.database.query(
      `with run as (
         insert into session_runs (organization_id, patient_profile_id, treatment_plan_id, plan_session_id)
         values ($1, $2, $3, $4) returning id)
       insert into session_run_events (organization_id, session_run_id, patient_profile_id, session_exercise_id, type)
       select $1, run.id, $2, $5, 'completed' from run`,
      [clinic.id, patient.profile_id, earlier.id, monday.id, monday.exercises[0].id],
    )
    assert.equal((await write(patient, [squat])).status, 201)
    assert.deepEqual(codeOf(await write(await core.patient(clinic), [squat])), [409, 'override_required'])
  })

  test('the safety check runs again when the plan is activated: new findings block it or need a new reason', async () => {
    const { patient, exercise } = await against('relative')
    const plan = (await write(patient, [{ exercise_id: exercise, override_reason: 'Tried.' }])).body.data
    const second = await plans.condition(clinic, 'Vertigo')
    await plans.contraindicate(exercise, second, 'relative')
    const { id } = await plans.suffersFrom(clinic, patient.id, second)
    const refused = await plans.become(clinic.admin, plan.id, 'active')
    assert.deepEqual(codeOf(refused), [409, 'override_required'])
    assert.deepEqual(
      refused.body.error.findings.map((one: Json) => one.patient_condition.id),
      [id],
      'the reason given for the first condition does not count for the second',
    )
    assert.deepEqual(codeOf(await plans.replace(clinic.admin, plan.id, sentBack(plan))), [409, 'override_required'])
    const [monday] = sentBack(plan).sessions
    const reasoned = [{ ...monday.exercises[0], override_reason: 'Tried again, no vertigo.' }]
    const sessions = [{ ...monday, exercises: reasoned }]
    assert.equal((await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })).status, 200)
    assert.equal(await overridesOf(patient.profile_id), 2)
    const third = await plans.condition(clinic, 'Fracture')
    await plans.contraindicate(exercise, third, 'contraindicated')
    const fracture = await plans.suffersFrom(clinic, patient.id, third)
    assert.deepEqual(codeOf(await plans.become(clinic.admin, plan.id, 'active')), [409, 'contraindicated'])
    await core.delete(`/v1/patients/${patient.id}/conditions/${fracture.id}`, { as: clinic.admin })
    assert.equal((await plans.become(clinic.admin, plan.id, 'active')).status, 200)
  })

  test('the safety check shows new findings in an active plan, which cannot be saved until the exercise is removed', async () => {
    const patient = await core.patient(clinic)
    const [exercise, squat] = [await plans.exercise(clinic, 'Jump'), await plans.exercise(null)]
    const plan = await plans.given(clinic, patient.id, [exercise, squat])
    const condition = await plans.condition(clinic)
    await plans.contraindicate(exercise, condition, 'contraindicated')
    await plans.suffersFrom(clinic, patient.id, condition)
    const [monday] = (await plans.read(clinic.admin, plan.id)).body.data.sessions
    assert.deepEqual(
      monday.exercises.map((one: Json) => one.findings.map(({ level }: Json) => level)),
      [['block'], []],
    )
    assert.deepEqual(codeOf(await plans.replace(clinic.admin, plan.id, sentBack(plan))), [409, 'contraindicated'])
    const [kept] = sentBack(plan).sessions
    const sessions = [{ ...kept, exercises: kept.exercises.slice(1) }]
    assert.equal((await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })).status, 200)
  })

  test('the safety check can be run without saving anything, in the order of the exercises', async () => {
    const { patient, exercise } = await against('relative')
    const [sit, squat] = [await plans.exercise(null, 'Sit to stand'), await plans.exercise(null)]
    await plans.needsFirst(squat, sit)
    const kinds = async (ids: string[]) =>
      (await check(patient, ids)).body.data.map(({ exercise_id, findings }: Json) => [
        exercise_id,
        findings.map(({ kind }: Json) => kind),
      ])
    assert.deepEqual(await kinds([squat, exercise.toUpperCase()]), [
      [squat, ['prerequisite']],
      [exercise, ['contraindication']],
    ])
    assert.deepEqual(await kinds([sit, squat]), [
      [sit, []],
      [squat, []],
    ])
    const draft = await plans.exercise(clinic, 'Draft', { status: 'draft' })
    assert.deepEqual(fieldsOf(await check(patient, [sit, UNKNOWN, draft])), [422, ['exercise_ids.1', 'exercise_ids.2']])
    assert.equal(await plansOfPatient(patient), 0)
    const reads = await plans.entries(clinic, 'treatment_plans.check_safety')
    assert.ok(reads.some((entry) => entry.patient_profile_id === patient.profile_id && entry.crud === 'R'))
  })
})
