import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { unzip } from '../../../platform/zip.testing.ts'
import type { Json } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { plansOf, type TestPlans } from './plans.testing.ts'

describe('conditions and plans in exports and erasures', () => {
  let core: CoreAndWorker
  let plans: TestPlans
  let clinic: TestOrganization
  let stop: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    plans = plansOf(core)
    clinic = await core.organization()
    stop = await core.startWorker()
  })
  after(async () => {
    await stop()
    await core.close()
  })

  /** A patient with a condition, a plan that was given to them and one that was not. */
  async function patientWithPlans() {
    const patient = await core.patient(clinic)
    const [condition, jump] = [await plans.condition(clinic, 'Vertigo'), await plans.exercise(clinic, 'Jump')]
    for (const [table, id, name] of [
      ['taxonomy_tags', condition, 'Vertij'],
      ['exercises', jump, 'Săritură'],
    ])
      await core.database.query(`update ${table} set translations = $2 where id = $1`, [id, { ro: { name } }])
    await plans.contraindicate(jump, condition, 'relative')
    await plans.suffersFrom(clinic, patient.id, condition)
    const exercise = { exercise_id: jump, override_reason: 'Secret weighing', notes: 'Slowly' }
    const given = await plans.given(clinic, patient.id, [exercise])
    const draft = await plans.written(clinic, patient.id, [exercise])
    return { patient, given: given.id as string, draft: draft.id as string }
  }

  async function exported(patientId: string) {
    const request = await core.ended(clinic, await core.ask('export', clinic, patientId))
    const { pathname, search } = new URL(request.download_url)
    const files = unzip(Buffer.from(await (await fetch(core.url + pathname + search)).arrayBuffer()))
    const rowsOf = (name: string): Json[] =>
      String(files.get(`${name}.ndjson`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    return { files, rowsOf }
  }

  test('the export contains conditions and activated plans, without safety findings', async () => {
    const { patient, given } = await patientWithPlans()
    const { files, rowsOf } = await exported(patient.id)
    assert.deepEqual([rowsOf('patient_conditions')[0].condition, rowsOf('patient_conditions').length], ['Vertigo', 1])
    assert.equal(rowsOf('treatment_plans')[0].id, given)
    assert.equal(rowsOf('plan_sessions')[0].treatment_plan_id, given)
    const [exercise] = rowsOf('session_exercises')
    assert.deepEqual([exercise.exercise, exercise.sets, exercise.notes], ['Jump', 1, 'Slowly'])
    for (const [name, content] of files) assert.ok(!/Secret weighing|override_reason/.test(String(content)), name)
  })

  test('the export of a Romanian clinic names conditions and exercises in Romanian', async () => {
    const { patient } = await patientWithPlans()
    const speak = (language_code: string) =>
      core.patch(`/v1/organizations/${clinic.id}`, { as: clinic.admin, body: { language_code } })
    await speak('ro')
    const { rowsOf } = await exported(patient.id)
    await speak('en')
    assert.equal(rowsOf('patient_conditions')[0].condition, 'Vertij')
    assert.equal(rowsOf('session_exercises')[0].exercise, 'Săritură')
  })

  test('an erasure deletes conditions and drafts, and keeps activated plans as part of the medical record', async () => {
    const { patient, given, draft } = await patientWithPlans()
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed')
    const classes = new Map<string, Json>(request.certificate.classes.map((one: Json) => [one.name, one]))
    for (const name of ['patient_conditions', 'treatment_plans', 'plan_sessions', 'session_exercises'])
      assert.deepEqual([classes.get(name).strategy, classes.get(name).rows], ['delete', 1], name)
    assert.match(classes.get('treatment_plans').legal_reason, /medical record/)
    const left = await core.database.query('select id from treatment_plans where id = any($1)', [[given, draft]])
    assert.deepEqual(left, [{ id: given }])
  })
})
