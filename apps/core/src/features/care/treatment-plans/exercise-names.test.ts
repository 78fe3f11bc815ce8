import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import { type Patient, runsOf, type TestRuns } from '../session-runs/runs.testing.ts'
import { session } from './plans.testing.ts'

const SQUAT = { en: 'Squat', ro: 'Genuflexiune' }
const BRIDGE = { en: 'Bridge', ro: 'Podul' }
type Language = keyof typeof SQUAT

describe('the names of exercises', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: Awaited<ReturnType<TestCore['organization']>>
  let readers: Record<Language, Person>
  let exercises: { squat: string; bridge: string; own: string }
  let patient: Patient
  let runId: string
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization()
    const named = (name: string, ro: string) => runs.exercise(null, name, { translations: { ro: { name: ro } } })
    exercises = {
      squat: await named(SQUAT.en, SQUAT.ro),
      bridge: await named(BRIDGE.en, BRIDGE.ro),
      own: await runs.exercise(clinic, 'Wall sit'),
    }
    await runs.needsFirst(exercises.squat, exercises.bridge)
    readers = { en: await reader('en'), ro: await reader('ro') }
    patient = await runs.patient(clinic, {
      exercises: [{ exercise_id: exercises.squat, override_reason: 'Practised.' }, exercises.own],
    })
    runId = await runs.started(patient)
    const session_exercise_id = patient.exercises[0]
    await runs.pain(patient, runId, { session_exercise_id })
    await runs.event(patient, runId, { session_exercise_id, type: 'completed' })
    await runs.end(patient, runId)
  })
  after(() => core.close())

  async function reader(language: Language): Promise<Person> {
    const codes = [
      'patients.view_org',
      'treatment_plans.view_org',
      'treatment_plans.manage',
      'session_runs.view_org',
      'stats.view_org',
    ]
    const person = await core.memberWith(clinic, codes)
    const { status, text } = await core.patch('/v1/me', { as: person, body: { preferred_language: language } })
    assert.equal(status, 200, text)
    return person
  }

  /** Each reads the same; the name of the squat is in the reader's language, that of the untranslated exercise as it is. */
  const inBoth = (what: string, url: () => string, namesOf: (data: Json) => string[], own = ['Wall sit']) => {
    test(what, async () => {
      for (const language of ['en', 'ro'] as const) {
        const { status, body, text } = await core.get(url(), { as: readers[language] })
        assert.equal(status, 200, text)
        assert.deepEqual(namesOf(body.data).toSorted(), [SQUAT[language], ...own].toSorted(), language)
      }
    })
  }
  const ofSessions = ({ sessions }: Json): string[] =>
    sessions.flatMap((one: Json) => one.exercises.map(({ exercise }: Json) => exercise.name))

  inBoth(
    'of a treatment plan are in the language of the reader',
    () => `/v1/treatment-plans/${patient.plan_id}`,
    ofSessions,
  )
  inBoth(
    'of the runs of a clinic are, too',
    () => `/v1/session-runs?patient_id=${patient.id}`,
    ([run]) => run.exercise_names,
  )
  inBoth(
    'of the results of a run are, too',
    () => `/v1/session-runs/${runId}/analytics`,
    ({ exercise_results }) => exercise_results.map(({ exercise_name }: Json) => exercise_name),
  )
  inBoth(
    'of the timeline of a run are, too',
    () => `/v1/session-runs/${runId}/timeline`,
    (timeline) => timeline.exercises.map(({ exercise_name }: Json) => exercise_name),
  )
  inBoth(
    'in the statistics of exercises are, too',
    () => '/v1/stats/exercises',
    ({ exercises: counted }) => counted.map(({ exercise_name }: Json) => exercise_name),
  )
  inBoth(
    'in the summary of pain are, too',
    () => '/v1/stats/pain-summary',
    ({ exercises: counted }) => counted.map(({ exercise_name }: Json) => exercise_name),
    [],
  )

  test('the names of exercises of a plan and a program that were just written are in the language of the writer', async () => {
    const sessions = [session([exercises.bridge])]
    for (const language of ['en', 'ro'] as const) {
      const as = readers[language]
      const plan = await runs.write(as, { patient_id: patient.id, title: 'Hip', sessions })
      const program = await core.post('/v1/programs', { as, body: { name: `Hip ${language}`, sessions } })
      assert.deepEqual([plan.status, program.status], [201, 201], program.text)
      assert.deepEqual(ofSessions(plan.body.data), [BRIDGE[language]])
      assert.deepEqual(ofSessions(program.body.data), [BRIDGE[language]])
      const read = await core.get(`/v1/programs/${program.body.data.id}`, { as })
      assert.deepEqual(ofSessions(read.body.data), [BRIDGE[language]])
    }
  })

  test('the names of exercises of exercises that should come first, and of those that a new condition forbids, are, too', async () => {
    for (const language of ['en', 'ro'] as const) {
      const as = readers[language]
      const body = { patient_id: patient.id, exercise_ids: [exercises.squat] }
      const checked = await core.post('/v1/treatment-plans/safety-check', { as, body })
      const [{ findings }] = checked.body.data
      const first = findings.find(({ kind }: Json) => kind === 'prerequisite')
      assert.equal(first.prerequisite.name, BRIDGE[language])
      const condition = await runs.condition(null, `Pain ${language}`)
      await runs.contraindicate(exercises.squat, condition, 'contraindicated')
      const recorded = await core.post(`/v1/patients/${patient.id}/conditions`, {
        as,
        body: { condition_id: condition },
      })
      const plan = recorded.body.affected_plans.find(({ id }: Json) => id === patient.plan_id)
      assert.deepEqual(
        plan.exercises.map(({ name }: Json) => name),
        [SQUAT[language]],
      )
    }
  })

  test('the names of exercises of a member without a language are in the language of the clinic; of the patient, in the patient’s', async () => {
    const romanian = await core.organization()
    await core.patch(`/v1/organizations/${romanian.id}`, { as: romanian.admin, body: { language_code: 'ro' } })
    const other = await runs.patient(romanian, {
      exercises: [{ exercise_id: exercises.squat, override_reason: 'Practised.' }],
    })
    assert.deepEqual(ofSessions((await runs.read(romanian.admin, other.plan_id)).body.data), [SQUAT.ro])
    await core.patch('/v1/me', { as: other.person, body: { preferred_language: 'en' } })
    const mine = await core.get(`/v1/me/treatment-plans/${other.plan_id}`, { as: other.person })
    assert.equal(mine.body.data.sessions[0].exercises[0].name, SQUAT.en)
    const other_run = await runs.started(other)
    const payload = await core.get(`/v1/session-runs/${other_run}/payload`, { as: other.person })
    assert.equal(payload.body.data.exercises[0].name, SQUAT.en)
  })
})
