import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { MAX_EXERCISES_PER_SESSION, MAX_SESSIONS } from '@tendon/contracts'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, fieldsOf, plansOf, sentBack, session, type TestPlans, UNKNOWN } from './plans.testing.ts'

describe('treatment plans', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  let other: TestOrganization
  let squat: string
  let lunge: string
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
    other = await core.organization()
    squat = await plans.exercise(null)
    lunge = await plans.exercise(clinic, 'Lunge')
  })
  after(() => core.close())

  const namesOf = (plan: Json) =>
    plan.sessions.map(({ title, exercises }: Json) => [title, ...exercises.map((one: Json) => one.exercise.name)])
  const program = async (sessions: object[], as = clinic.admin): Promise<Json> => {
    const name = `Program ${Math.random()}`
    const answer = await core.post('/v1/programs', { as, body: { name, sessions } })
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const entriesAbout = async (profileId: string) =>
    (await plans.entries(clinic, 'treatment_plans.%'))
      .filter((entry) => entry.patient_profile_id === profileId)
      .map(({ action, crud }) => `${action.split('.')[1]} ${crud}`)

  test('treatment plans are created as drafts, read, changed and deleted, each with its audit row and event', async () => {
    const own = await core.organization()
    const patient = await core.patient(own, undefined, { first_name: 'Ion', last_name: 'Pop' })
    const hop = await plans.exercise(own, 'Hop')
    const body = {
      patient_id: patient.id,
      title: ' Knee ',
      description: 'Three times a week.',
      starts_on: '2026-11-16',
      ends_on: '2026-12-16',
      sessions: [session([{ exercise_id: squat, sets: 3, reps: 10 }, hop])],
    }
    const written = await plans.write(own.admin, body)
    assert.equal(written.status, 201, written.text)
    const plan = written.body.data
    assert.deepEqual(
      [plan.title, plan.status, plan.patient, plan.program_id, plan.version, plan.starts_on, plan.activated_at],
      ['Knee', 'draft', { id: patient.id, name: 'Ion Pop' }, null, 1, '2026-11-16', null],
    )
    assert.deepEqual(namesOf(plan), [['Monday', 'Squat', 'Hop']])
    assert.deepEqual((await plans.read(own.admin, plan.id)).body.data, plan)
    const changed = await plans.replace(own.admin, plan.id, { ...sentBack(plan), title: 'Hip', description: null })
    assert.deepEqual(
      [changed.body.data.title, changed.body.data.description, changed.body.data.version],
      ['Hip', null, 2],
    )
    assert.deepEqual(
      changed.body.data.sessions.map(({ id }: Json) => id),
      plan.sessions.map(({ id }: Json) => id),
    )
    assert.equal((await core.delete(`/v1/treatment-plans/${plan.id}`, { as: own.admin })).status, 204)
    assert.deepEqual(codeOf(await plans.read(own.admin, plan.id)), [404, 'treatment_plan_not_found'])
    const trail = await plans.entries(own, 'treatment_plans.%')
    assert.deepEqual(
      trail.map(({ action, crud, patient_profile_id }) => [action, crud, patient_profile_id === patient.profile_id]),
      ['create C', 'read R', 'update U', 'delete D'].map((what) => {
        const [action, crud] = what.split(' ')
        return [`treatment_plans.${action}`, crud, true]
      }),
    )
    assert.deepEqual(
      await plans.events(own, 'treatment_plan.%'),
      ['created', 'updated', 'deleted'].map((what) => `treatment_plan.${what}`),
    )
    const left = await core.database.query(
      'select 1 from plan_sessions where organization_id = $1 union all select 1 from session_exercises where organization_id = $1',
      [own.id],
    )
    assert.equal(left.length, 0)
  })

  test('treatment plans are copies of a program: the plan keeps its id, and neither changes with the other', async () => {
    const patient = await core.patient(clinic)
    const source = await program([session([squat, lunge]), session([lunge], { title: 'Friday' })])
    const plan = (await plans.write(clinic.admin, { patient_id: patient.id, program_id: source.id })).body.data
    assert.deepEqual([plan.title, plan.program_id], [source.name, source.id])
    assert.deepEqual(namesOf(plan), [
      ['Monday', 'Squat', 'Lunge'],
      ['Friday', 'Lunge'],
    ])
    const ids = (of: Json) =>
      of.sessions.flatMap(({ id, exercises }: Json) => [id, ...exercises.map((one: Json) => one.id)])
    assert.equal(new Set([...ids(plan), ...ids(source)]).size, 10, 'copies, not the same rows')
    await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions: [] })
    assert.deepEqual(namesOf((await core.get(`/v1/programs/${source.id}`, { as: clinic.admin })).body.data).length, 2)

    const adapted = await plans.write(clinic.admin, {
      patient_id: patient.id,
      program_id: source.id,
      title: 'Adapted',
      sessions: [session([squat])],
    })
    assert.deepEqual([adapted.body.data.program_id, namesOf(adapted.body.data)], [source.id, [['Monday', 'Squat']]])
  })

  test('treatment plans are created from an active program of the clinic whose exercises are all available', async () => {
    const { id: patient_id } = await core.patient(clinic)
    const write = (program_id: string) => plans.write(clinic.admin, { patient_id, program_id })
    const foreign = await program([], other.admin)
    const deleted = await program([])
    await core.delete(`/v1/programs/${deleted.id}`, { as: clinic.admin })
    for (const id of [foreign.id, UNKNOWN, deleted.id])
      assert.deepEqual((await write(id)).body.error.fields.program_id, 'must name a program of your clinic')
    const archived = await program([])
    await core.put(`/v1/programs/${archived.id}/status`, { as: clinic.admin, body: { status: 'archived' } })
    assert.deepEqual(codeOf(await write(archived.id)), [409, 'program_archived'])
    const hop = await plans.exercise(clinic, 'Hop')
    const stale = await program([session([squat, hop])])
    await core.database.query(`update exercises set status = 'archived' where id = $1`, [hop])
    const refused = await write(stale.id)
    assert.deepEqual(codeOf(refused), [409, 'exercises_unavailable'])
    assert.deepEqual(refused.body.error.exercises, [{ path: 'sessions.0.exercises.1', exercise_id: hop, name: 'Hop' }])
    const titleless = await plans.write(clinic.admin, { patient_id, sessions: [] })
    assert.deepEqual(fieldsOf(titleless), [422, ['title']])
  })

  test('treatment plans go from draft to active to completed to archived, and no other way (409)', async () => {
    const steps: Record<string, string[]> = {
      draft: ['active'],
      active: ['completed', 'archived'],
      completed: ['archived'],
      archived: [],
    }
    const roads: Record<string, string[]> = {
      draft: [],
      active: ['active'],
      completed: ['active', 'completed'],
      archived: ['active', 'archived'],
    }
    const patient = await core.patient(clinic)
    for (const [from, allowed] of Object.entries(steps)) {
      for (const to of Object.keys(steps)) {
        const { id } = await plans.written(clinic, patient.id, [squat])
        for (const step of roads[from] ?? []) await plans.become(clinic.admin, id, step)
        const answer = await plans.become(clinic.admin, id, to)
        if (!allowed.includes(to)) {
          assert.deepEqual(codeOf(answer), [409, 'invalid_transition'], `${from} → ${to}`)
          continue
        }
        const { status, version, ...plan } = answer.body.data
        assert.deepEqual([status, version], [to, (roads[from]?.length ?? 0) + 2])
        assert.ok(plan[to === 'active' ? 'activated_at' : `${to}_at`])
      }
    }
    assert.deepEqual([...new Set(await entriesAbout(patient.profile_id))].sort(), [
      'activate U',
      'archive U',
      'complete U',
      'create C',
    ])
  })

  test('treatment plans cannot be activated while they are empty (422), nor emptied afterwards', async () => {
    const patient = await core.patient(clinic)
    const draft = await plans.written(clinic, patient.id, [])
    assert.deepEqual(codeOf(await plans.become(clinic.admin, draft.id, 'active')), [422, 'plan_empty'])
    const plan = await plans.given(clinic, patient.id, [squat])
    for (const sessions of [[], [...sentBack(plan).sessions, session([])]])
      assert.deepEqual(codeOf(await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), sessions })), [
        422,
        'plan_empty',
      ])
  })

  test('that were activated cannot be deleted (409), and removed entries are only marked', async () => {
    const patient = await core.patient(clinic)
    const plan = await plans.given(clinic, patient.id, [squat, lunge])
    assert.deepEqual(codeOf(await core.delete(`/v1/treatment-plans/${plan.id}`, { as: clinic.admin })), [
      409,
      'plan_not_draft',
    ])
    const [monday] = sentBack(plan).sessions
    const shorter = { ...sentBack(plan), sessions: [{ ...monday, exercises: monday.exercises.slice(1) }] }
    const changed = (await plans.replace(clinic.admin, plan.id, shorter)).body.data
    assert.deepEqual(namesOf(changed), [['Monday', 'Lunge']])
    const marked = () =>
      core.database.query<{ id: string }>(
        `select id from session_exercises where patient_profile_id = $1 and removed_at is not null
         union all select id from plan_sessions where patient_profile_id = $1 and removed_at is not null`,
        [patient.profile_id],
      )
    assert.deepEqual(await marked(), [{ id: monday.exercises[0].id }])
    const other = { ...sentBack(changed), sessions: [session([squat])] }
    assert.equal((await plans.replace(clinic.admin, plan.id, other)).status, 200)
    assert.equal((await marked()).length, 3)
    const returned = { ...other, version: 4, sessions: [monday] }
    assert.deepEqual(
      fieldsOf(await plans.replace(clinic.admin, plan.id, returned))[0],
      422,
      'what went does not return',
    )
  })

  test('that have ended cannot be changed (409)', async () => {
    const patient = await core.patient(clinic)
    const { id } = await plans.given(clinic, patient.id, [squat])
    for (const status of ['completed', 'archived']) {
      const plan = (await plans.become(clinic.admin, id, status)).body.data
      assert.deepEqual(codeOf(await plans.replace(clinic.admin, id, sentBack(plan))), [409, 'plan_closed'])
    }
  })

  test('treatment plans do not end before they start (422)', async () => {
    const { id: patient_id } = await core.patient(clinic)
    const days = { starts_on: '2026-11-16', ends_on: '2026-11-15' }
    assert.deepEqual(fieldsOf(await plans.write(clinic.admin, { patient_id, title: 'Knee', ...days })), [
      422,
      ['ends_on'],
    ])
  })

  test('treatment plans are listed by patient, status, program and words of the title or of the name', async () => {
    const own = await core.organization()
    const [ana, ion] = [
      await core.patient(own, undefined, { first_name: 'Ana', last_name: 'Țurcan' }),
      await core.patient(own, undefined, { first_name: 'Ion', last_name: 'Pop' }),
    ]
    const source = await program([], own.admin)
    const first = (await plans.write(own.admin, { patient_id: ana.id, title: 'Șold' })).body.data
    const second = (await plans.write(own.admin, { patient_id: ion.id, program_id: source.id })).body.data
    const third = await plans.given(own, ion.id, [squat])
    const ids = async (query: string) =>
      (await core.get(`/v1/treatment-plans?${query}`, { as: own.admin })).body.data.map((one: Json) => one.id)
    assert.deepEqual(await ids(''), [third.id, second.id, first.id])
    assert.deepEqual(await ids(`patient_id=${ana.id}`), [first.id])
    assert.deepEqual(await ids('status=active,completed'), [third.id])
    assert.deepEqual(await ids(`program_id=${source.id}`), [second.id])
    assert.deepEqual(await ids('q=sold'), [first.id])
    assert.deepEqual(await ids('q=turcan'), [first.id])
    assert.deepEqual(await ids(`q=pop&status=draft&patient_id=${ion.id}`), [second.id])
    assert.deepEqual(await ids('sort=title'), [third.id, second.id, first.id])
    const past = (await core.get('/v1/treatment-plans?page=7', { as: own.admin })).body
    assert.deepEqual([past.data, past.pagination.total], [[], 3])
    const [listed] = (await core.get('/v1/treatment-plans', { as: own.admin })).body.data
    assert.deepEqual([listed.patient.name, listed.sessions_count, listed.sessions], ['Ion Pop', 1, undefined])
    const looks = (await plans.entries(own, 'treatment_plans.list')).map((entry) => entry.patient_profile_id)
    assert.deepEqual(looks, [ana.profile_id, ion.profile_id], 'a list about one patient is a look into their record')
    await core.database.query('update patients set deleted_at = now() where id = $1', [ion.id])
    assert.deepEqual(await ids(''), [first.id])
  })

  test('treatment plans of another clinic are not found, on any route (404), nor are its patients', async () => {
    const patient = await core.patient(other)
    const { id } = await plans.written(other, patient.id, [squat])
    for (const answer of [
      await plans.read(clinic.admin, id),
      await plans.replace(clinic.admin, id, { version: 1, title: 'Mine', sessions: [] }),
      await plans.become(clinic.admin, id, 'active'),
      await core.delete(`/v1/treatment-plans/${id}`, { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [404, 'treatment_plan_not_found'])
    for (const patient_id of [patient.id, UNKNOWN]) {
      assert.deepEqual(codeOf(await plans.write(clinic.admin, { patient_id, title: 'Mine' })), [
        404,
        'patient_not_found',
      ])
      const check = { patient_id, exercise_ids: [squat] }
      assert.deepEqual(codeOf(await core.post('/v1/treatment-plans/safety-check', { as: clinic.admin, body: check })), [
        404,
        'patient_not_found',
      ])
    }
    const mine = await core.patient(clinic)
    const hop = await plans.exercise(other, 'Hop')
    const body = { patient_id: mine.id, title: 'Knee', sessions: [session([hop])] }
    assert.deepEqual(fieldsOf(await plans.write(clinic.admin, body)), [422, ['sessions.0.exercises.0.exercise_id']])
  })

  test('treatment plans are read by the desk, written by specialists, and by nobody who does not see patients', async () => {
    const patient = await core.patient(clinic)
    const { id } = await plans.written(clinic, patient.id, [squat])
    const desk = await core.member(clinic, 'customer_support')
    assert.equal((await plans.read(desk, id)).status, 200)
    const body = { patient_id: patient.id, title: 'Knee' }
    assert.equal((await plans.write(desk, body)).body.error.required, 'treatment_plans.manage')
    assert.equal((await plans.write(await core.member(clinic, 'specialist'), body)).status, 201)
    const blind = await core.memberWith(clinic, ['treatment_plans.view_org', 'treatment_plans.manage'])
    for (const answer of [
      await core.get('/v1/treatment-plans', { as: blind }),
      await plans.read(blind, id),
      await plans.write(blind, body),
      await plans.become(blind, id, 'active'),
    ])
      assert.deepEqual([answer.status, answer.body.error.required], [403, 'patients.view_org'])
  })

  test('treatment plans do not change while processing is restricted (409), and can still be read', async () => {
    const patient = await core.patient(clinic)
    const plan = await plans.written(clinic, patient.id, [squat])
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient.id])
    for (const answer of [
      await plans.write(clinic.admin, { patient_id: patient.id, title: 'Knee' }),
      await plans.replace(clinic.admin, plan.id, sentBack(plan)),
      await plans.become(clinic.admin, plan.id, 'active'),
      await core.delete(`/v1/treatment-plans/${plan.id}`, { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [409, 'processing_restricted'])
    assert.equal((await plans.read(clinic.admin, plan.id)).status, 200)
  })

  test('treatment plans may be long, and can be sent back as they were read; the limit is reported (422)', async () => {
    const patient = await core.patient(clinic)
    const notes = 'Încet, fără durere. '.repeat(40)
    const entries = Array.from({ length: MAX_EXERCISES_PER_SESSION }, () => ({ exercise_id: squat, notes }))
    const sessions = Array.from({ length: 10 }, () => session(entries))
    const written = await plans.write(clinic.admin, { patient_id: patient.id, title: 'Long', sessions })
    assert.equal(written.status, 201, written.text)
    const { id } = written.body.data
    const plan = sentBack((await plans.read(clinic.admin, id)).body.data)
    assert.ok(JSON.stringify(plan).length > 300_000)
    assert.equal((await plans.replace(clinic.admin, id, plan)).status, 200)
    for (const [longer, field] of [
      [Array.from({ length: MAX_SESSIONS + 1 }, () => session([])), 'sessions'],
      [[session([...entries, squat])], 'sessions.0.exercises'],
    ] as const)
      assert.deepEqual(fieldsOf(await plans.replace(clinic.admin, id, { ...plan, sessions: longer })), [422, [field]])
  })

  test('treatment plans are written once for one Idempotency-Key', async () => {
    const patient = await core.patient(clinic)
    const send = () =>
      core.post('/v1/treatment-plans', {
        as: clinic.admin,
        body: { patient_id: patient.id, title: 'Knee', sessions: [session([squat])] },
        headers: { 'idempotency-key': `plan-${patient.id}` },
      })
    const answers = await Promise.all([send(), send(), send()])
    assert.equal(new Set(answers.map(({ status, body }) => `${status} ${body.data?.id}`)).size, 1)
  })
})
