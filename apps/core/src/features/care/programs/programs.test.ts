import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import {
  codeOf,
  fieldsOf,
  plansOf,
  session,
  sessionsBack,
  type TestPlans,
  UNKNOWN,
} from '../treatment-plans/plans.testing.ts'

describe('programs', () => {
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

  let count = 0
  const create = (values: object = {}, as = clinic.admin) => {
    count += 1
    return core.post('/v1/programs', { as, body: { name: `Program ${count}`, ...values } })
  }
  async function created(values: object = {}, as = clinic.admin): Promise<Json> {
    const answer = await create(values, as)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }
  const pathOf = (id: string) => `/v1/programs/${id}`
  const read = async (id: string): Promise<Json> => (await core.get(pathOf(id), { as: clinic.admin })).body.data
  const replace = (id: string, body: object, as = clinic.admin) => core.put(pathOf(id), { as, body })
  const back = (program: Json) => ({
    version: program.version,
    name: program.name,
    description: program.description,
    sessions: sessionsBack(program).map(({ exercises, ...one }) => ({
      ...one,
      exercises: exercises.map(({ override_reason: _none, ...entry }: Json) => entry),
    })),
  })
  const shapeOf = (program: Json) =>
    program.sessions.map(({ title, exercises }: Json) => [title, ...exercises.map((one: Json) => one.exercise.name)])

  test('programs contain sessions and exercises in order, with their prescriptions', async () => {
    const monday = session([
      { exercise_id: squat, sets: 3, reps: 10, rest_seconds: 60, side: 'left', notes: 'Slowly.' },
      lunge,
    ])
    const friday = session([lunge, squat, { exercise_id: squat, hold_seconds: 20 }], {
      title: 'Friday',
      notes: 'Short.',
    })
    const program = await created({ description: 'First weeks.', sessions: [monday, friday] })
    assert.deepEqual(shapeOf(program), [
      ['Monday', 'Squat', 'Lunge'],
      ['Friday', 'Lunge', 'Squat', 'Squat'],
    ])
    const { id: _id, exercise, ...first } = program.sessions[0].exercises[0]
    assert.deepEqual(first, {
      position: 1,
      exercise_id: squat,
      sets: 3,
      reps: 10,
      hold_seconds: null,
      rest_seconds: 60,
      side: 'left',
      notes: 'Slowly.',
    })
    assert.deepEqual([exercise.id, exercise.kind, exercise.available], [squat, 'reps_based', true])
    assert.deepEqual([program.status, program.version, program.sessions[1].notes], ['active', 1, 'Short.'])
    assert.deepEqual(await read(program.id), program)
    assert.equal((await plans.entries(clinic, 'programs.create')).at(-1)?.target_id, program.id)
    assert.equal((await plans.events(clinic, 'program.%')).at(-1), 'program.created')
  })

  test('programs are replaced as a whole: entries with an id keep it, those without are new, missing ones are removed', async () => {
    const before = await created({ sessions: [session([squat, lunge]), session([squat], { title: 'Friday' })] })
    const [monday, friday] = back(before).sessions
    const [first, second] = monday.exercises
    const sessions = [
      { ...friday, title: 'Saturday', exercises: [] },
      {
        ...monday,
        exercises: [
          { ...second, sets: 5 },
          { exercise_id: squat, reps: 8 },
        ],
      },
      session([lunge], { title: 'New' }),
    ]
    const changed = await replace(before.id, { ...back(before), sessions })
    assert.equal(changed.status, 200, changed.text)
    const after = changed.body.data
    assert.deepEqual(
      after.sessions.map(({ id, position, title }: Json) => [id, position, title]),
      [
        [friday.id, 1, 'Saturday'],
        [monday.id, 2, 'Monday'],
        [after.sessions[2].id, 3, 'New'],
      ],
    )
    const [kept, added] = after.sessions[1].exercises
    assert.deepEqual([kept.id, kept.sets, kept.position, added.reps], [second.id, 5, 1, 8])
    assert.ok(added.id !== first.id && after.version === 2)
    assert.deepEqual(
      (await replace(after.id, back(after))).body.data.sessions,
      after.sessions,
      'sent back as it was read',
    )
  })

  test('programs cannot be overwritten with an outdated version (409): of ten parallel changes, one wins', async () => {
    const program = await created({ sessions: [session([squat])] })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        replace(program.id, {
          ...back(program),
          sessions: [...back(program).sessions, session([lunge], { title: `By ${index}` })],
        }),
      ),
    )
    const codes = answers.map(({ status, body }) => `${status} ${body.error?.code ?? ''}`).sort()
    assert.deepEqual(codes, ['200 ', ...Array.from({ length: 9 }, () => '409 stale_version')])
    assert.equal(answers.find(({ status }) => status === 409)?.body.error.current_version, 2)
    assert.equal((await read(program.id)).sessions.length, 2)
  })

  test('programs accept only their own ids, each once and in its session; an entry keeps its exercise', async () => {
    const program = await created({ sessions: [session([squat]), session([lunge])] })
    const foreign = await created({ sessions: [session([squat])] })
    const [monday, second] = back(program).sessions
    const theirs = back(foreign).sessions[0]
    const cases: [Json[], string[]][] = [
      [[{ ...monday, id: UNKNOWN }], ['sessions.0.id', 'sessions.0.exercises.0.id']],
      [[theirs], ['sessions.0.id', 'sessions.0.exercises.0.id']],
      [
        [monday, monday],
        ['sessions.1.id', 'sessions.1.exercises.0.id'],
      ],
      [[{ ...monday, exercises: second.exercises }], ['sessions.0.exercises.0.id']],
      [
        [{ ...monday, exercises: [{ ...monday.exercises[0], exercise_id: lunge }] }],
        ['sessions.0.exercises.0.exercise_id'],
      ],
    ]
    for (const [sessions, fields] of cases)
      assert.deepEqual(fieldsOf(await replace(program.id, { ...back(program), sessions })), [422, fields])
    assert.deepEqual(fieldsOf(await create({ sessions: [monday] })), [
      422,
      ['sessions.0.id', 'sessions.0.exercises.0.id'],
    ])
    assert.deepEqual(await read(program.id), program, 'nothing was changed')
  })

  test('programs accept published exercises of the platform and of the clinic; all others are the same 422', async () => {
    const draft = await plans.exercise(clinic, 'Draft', { status: 'draft' })
    const archived = await plans.exercise(null, 'Old', { status: 'archived' })
    const deleted = await plans.exercise(clinic, 'Deleted')
    await core.database.query('update exercises set deleted_at = now() where id = $1', [deleted])
    const texts = new Set<string>()
    for (const id of [draft, archived, deleted, await plans.exercise(other), UNKNOWN]) {
      const refused = await create({ sessions: [session([squat, id])] })
      assert.deepEqual(fieldsOf(refused), [422, ['sessions.0.exercises.1.exercise_id']])
      texts.add(refused.text)
    }
    assert.equal(texts.size, 1)
  })

  test('programs keep an exercise that was archived since, and say that it is not available', async () => {
    const hop = await plans.exercise(clinic, 'Hop')
    const program = await created({ sessions: [session([hop])] })
    await core.database.query(`update exercises set status = 'archived' where id = $1`, [hop])
    assert.equal((await read(program.id)).sessions[0].exercises[0].exercise.available, false)
    assert.equal((await replace(program.id, back(program))).status, 200)
    assert.deepEqual(fieldsOf(await create({ sessions: [session([hop])] }))[0], 422)
  })

  test('programs have a name of their own in the clinic (409), free again once deleted', async () => {
    const { id } = await created({ name: 'Umăr, prima lună' })
    assert.deepEqual(codeOf(await create({ name: ' UMĂR, PRIMA LUNĂ ' })), [409, 'program_name_taken'])
    await created({ name: 'Umăr, prima lună' }, other.admin)
    assert.equal((await core.delete(pathOf(id), { as: clinic.admin })).status, 204)
    assert.deepEqual(codeOf(await core.delete(pathOf(id), { as: clinic.admin })), [404, 'program_not_found'])
    await created({ name: 'Umăr, prima lună' })
    const asSpecialist = { as: await core.member(clinic, 'specialist') }
    assert.deepEqual(codeOf(await core.get(pathOf(id), asSpecialist)), [404, 'program_not_found'])
    const deleted = await core.get('/v1/programs?deleted=true', { as: clinic.admin })
    assert.deepEqual(
      deleted.body.data.map((one: Json) => one.id),
      [id],
    )
  })

  test('programs are listed with search, status and sort; the picker offers active ones', async () => {
    const own = await core.organization()
    const [knee, hip] = [
      await created({ name: 'Genunchi ușor', sessions: [session([squat]), session([squat])] }, own.admin),
      await created({ name: 'Șold' }, own.admin),
    ]
    const archive = (status: string) => core.put(`${pathOf(hip.id)}/status`, { as: own.admin, body: { status } })
    assert.deepEqual((await archive('archived')).body.data.status, 'archived')
    assert.deepEqual(codeOf(await archive('archived')), [409, 'invalid_transition'])
    const ids = async (path: string) => (await core.get(path, { as: own.admin })).body.data.map((one: Json) => one.id)
    assert.deepEqual(await ids('/v1/programs?sort=name'), [knee.id, hip.id])
    assert.deepEqual(await ids('/v1/programs?status=archived'), [hip.id])
    assert.deepEqual(await ids('/v1/programs?q=usor'), [knee.id])
    assert.deepEqual(await ids('/v1/programs/picker'), [knee.id])
    const past = await core.get('/v1/programs?page=9', { as: own.admin })
    assert.deepEqual([past.body.data, past.body.pagination.total], [[], 2])
    assert.equal((await core.get('/v1/programs?sort=slug', { as: own.admin })).status, 422)
    const [first] = (await core.get('/v1/programs?sort=name', { as: own.admin })).body.data
    assert.equal(first.sessions_count, 2)
    assert.equal((await archive('active')).body.data.status, 'active')
    assert.deepEqual(await plans.events(own, 'program.%'), [
      'program.created',
      'program.created',
      'program.archived',
      'program.reopened',
    ])
  })

  test('programs of another clinic are not found, on any route (404)', async () => {
    const { id } = await created({}, other.admin)
    for (const answer of [
      await core.get(pathOf(id), { as: clinic.admin }),
      await replace(id, { version: 1, name: 'Mine', sessions: [] }),
      await core.put(`${pathOf(id)}/status`, { as: clinic.admin, body: { status: 'archived' } }),
      await core.delete(pathOf(id), { as: clinic.admin }),
    ])
      assert.deepEqual(codeOf(answer), [404, 'program_not_found'])
    const listed = await core.get('/v1/programs?limit=500', { as: clinic.admin })
    assert.ok(!listed.body.data.some((one: Json) => one.id === id))
  })

  test('programs are read by the desk, written by specialists', async () => {
    const desk = await core.member(clinic, 'customer_support')
    const { id } = await created({}, await core.member(clinic, 'specialist'))
    assert.equal((await core.get(pathOf(id), { as: desk })).status, 200)
    assert.equal((await create({}, desk)).body.error.required, 'treatment_plans.manage')
    const blind = await core.memberWith(clinic, ['treatment_plans.manage'])
    assert.equal((await create({}, blind)).body.error.required, 'treatment_plans.view_org')
    assert.equal((await core.delete(pathOf(id), { as: blind })).body.error.required, 'treatment_plans.view_org')
  })
})
