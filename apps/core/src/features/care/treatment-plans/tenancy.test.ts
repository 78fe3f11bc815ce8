import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, plansOf, sentBack, session, type TestPlans, UNKNOWN } from './plans.testing.ts'

// A clinic sees its own programs, plans and conditions, never another clinic's; a patient their own alone; an operator none.

describe('plans of several clinics', () => {
  let core: TestCore
  let plans: TestPlans
  let clinic: TestOrganization
  let other: TestOrganization
  let as: Person
  /** Of the other clinic. */
  let foreign: { patient: Json; exercise: string; condition: string; program: Json; plan: Json }
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    clinic = await core.organization()
    other = await core.organization()
    as = clinic.admin
    const exercise = await plans.exercise(other, 'Foreign numbat hop')
    const patient = await core.patient(other, undefined, { first_name: 'Numbat', last_name: 'Foreign' })
    const program = await core.post('/v1/programs', {
      as: other.admin,
      body: { name: 'Foreign numbat', sessions: [session([exercise])] },
    })
    const plan = await plans.write(other.admin, { patient_id: patient.id, program_id: program.body.data.id })
    const condition = await plans.condition(other, 'Foreign numbat pain')
    await plans.suffersFrom(other, patient.id, condition)
    foreign = { patient, exercise, condition, program: program.body.data, plan: plan.body.data }
  })
  after(() => core.close())

  const get = (path: string, by = as, headers: Record<string, string> = {}) => core.get(path, { as: by, headers })
  const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: Json) => id)
  /** What came instead of an id tells nothing about it. */
  const same = (a: Answer, b: Answer) => assert.deepEqual([a.status, a.body], [b.status, b.body])

  test('lists, filters, searches and pickers return the clinic’s own', async () => {
    const { plan, patient, program } = foreign
    for (const query of ['', 'q=numbat', `patient_id=${patient.id}`, `program_id=${program.id}`]) {
      assert.ok(!idsOf(await get(`/v1/treatment-plans?limit=500&${query}`)).includes(plan.id), query)
      assert.ok(idsOf(await get(`/v1/treatment-plans?${query}`, other.admin)).includes(plan.id), query)
    }
    for (const query of ['programs?limit=500', 'programs?q=numbat', 'programs/picker?q=numbat'])
      assert.ok(!idsOf(await get(`/v1/${query}`)).includes(program.id), query)
    assert.deepEqual(idsOf(await get(`/v1/programs/picker?ids=${program.id}`)), [])
    assert.deepEqual(idsOf(await get(`/v1/programs/picker?ids=${program.id}`, other.admin)), [program.id])
  })

  test('a filter by another clinic’s patient is in no log, at neither clinic', async () => {
    const logged = async () =>
      (await Promise.all([clinic, other].map((one) => plans.entries(one, 'treatment_plans.list')))).flat().length
    const before = await logged()
    await get(`/v1/treatment-plans?patient_id=${foreign.patient.id}`)
    assert.equal(await logged(), before)
  })

  test('another clinic’s records are refused like unknown ones', async () => {
    const mine = await core.patient(clinic)
    const squat = await plans.exercise(clinic)
    const plan = await plans.written(clinic, mine.id, [squat])
    const check = (exercise: string) =>
      core.post('/v1/treatment-plans/safety-check', { as, body: { patient_id: mine.id, exercise_ids: [exercise] } })
    const planOf = (program_id: string) => plans.write(as, { patient_id: mine.id, program_id, title: 'Knee' })
    const give = (exercise: string) =>
      plans.replace(as, plan.id, { ...sentBack(plan), sessions: [session([squat, exercise])] })
    const program = (exercise: string) =>
      core.post('/v1/programs', { as, body: { name: 'Copied', sessions: [session([exercise])] } })
    const suffers = (condition_id: string) =>
      core.post(`/v1/patients/${mine.id}/conditions`, { as, body: { condition_id } })
    const [entry] = foreign.plan.sessions
    const keep = (id: string, entryId: string) =>
      plans.replace(as, plan.id, {
        ...sentBack(plan),
        sessions: [{ ...session([{ exercise_id: squat, id: entryId }]), id }],
      })
    for (const [send, id] of [
      [check, foreign.exercise],
      [planOf, foreign.program.id],
      [give, foreign.exercise],
      [program, foreign.exercise],
      [suffers, foreign.condition],
    ] as const) {
      const unknown = await send(UNKNOWN)
      assert.equal(unknown.status, 422, unknown.text)
      same(await send(id), unknown)
    }
    same(await keep(entry.id, entry.exercises[0].id), await keep(UNKNOWN, UNKNOWN))
    assert.deepEqual((await plans.read(as, plan.id)).body.data, plan)
  })

  test('staff of one clinic who are patients of another work only at their own', async () => {
    const person = await core.member(clinic, 'admin')
    const there = await core.patient(other, person)
    await core.acceptAll(there)
    const squat = await plans.exercise(null)
    const plan = await plans.given(other, there.id, [squat])
    const headers = { 'x-organization-id': clinic.id }
    assert.ok(!idsOf(await get('/v1/treatment-plans?limit=500', person, headers)).includes(plan.id))
    for (const answer of [
      await get(`/v1/treatment-plans/${plan.id}`, person, headers),
      await core.put(`/v1/treatment-plans/${plan.id}`, { as: person, headers, body: sentBack(plan) }),
      await core.put(`/v1/treatment-plans/${plan.id}/status`, { as: person, headers, body: { status: 'completed' } }),
      await core.delete(`/v1/treatment-plans/${plan.id}`, { as: person, headers }),
    ])
      assert.deepEqual(codeOf(answer), [404, 'treatment_plan_not_found'])
    assert.equal((await get(`/v1/me/treatment-plans/${plan.id}`, person, headers)).status, 200)
  })

  test('impersonation shows the plans of the caller’s clinic, and cannot write', async () => {
    const person = await core.signIn()
    const [here, there] = [await core.patient(clinic, person), await core.patient(other, person)]
    const squat = await plans.exercise(null)
    const own = await plans.given(clinic, here.id, [squat])
    const elsewhere = await plans.given(other, there.id, [squat])
    const body = { reason: 'The patient asked at the desk what their plan says.' }
    const opened = await core.post(`/v1/patients/${here.id}/impersonate`, { as, body })
    assert.equal(opened.status, 201, opened.text)
    const eyes = { token: opened.body.data.token }
    assert.deepEqual(idsOf(await core.get('/v1/me/treatment-plans', { as: eyes })), [own.id])
    assert.equal((await core.get(`/v1/me/treatment-plans/${own.id}`, { as: eyes })).status, 200)
    const refused = await core.get(`/v1/me/treatment-plans/${elsewhere.id}`, { as: eyes })
    assert.deepEqual(codeOf(refused), [404, 'treatment_plan_not_found'])
    const conditions = `/v1/patients/${here.id}/conditions`
    assert.equal((await core.get(conditions, { as: eyes })).status, 200)
    assert.equal((await core.post(conditions, { as: eyes, body: {} })).status, 403)
  })

  test('the plans of a clinic whose texts are not accepted are not listed elsewhere', async () => {
    const strict = await core.organization()
    await core.publishNotice(strict)
    const person = await core.signIn()
    const [here, there] = [await core.patient(clinic, person), await core.patient(strict, person)]
    await core.acceptAll(here)
    const squat = await plans.exercise(null)
    const own = await plans.given(clinic, here.id, [squat])
    const closed = await plans.given(strict, there.id, [squat])
    const headers = { 'x-organization-id': clinic.id }
    assert.deepEqual(idsOf(await get('/v1/me/treatment-plans', person, headers)), [own.id])
    assert.equal((await get(`/v1/me/treatment-plans/${closed.id}`, person, headers)).status, 404)
    await core.acceptAll(there)
    assert.deepEqual(idsOf(await get('/v1/me/treatment-plans', person, headers)), [closed.id, own.id])
  })

  test('an operator sees no program, and without break-glass no plan, condition or check', async () => {
    const operator = await core.superadmin()
    const headers = { 'x-organization-id': other.id }
    const { patient, plan, program, exercise } = foreign
    assert.deepEqual(idsOf(await get('/v1/programs', operator, headers)), [])
    assert.deepEqual(codeOf(await get(`/v1/programs/${program.id}`, operator, headers)), [404, 'program_not_found'])
    assert.equal((await core.post('/v1/programs', { as: operator, headers, body: { name: 'Mine' } })).status, 403)
    const body = { patient_id: patient.id, exercise_ids: [exercise] }
    const reads = [`treatment-plans/${plan.id}`, 'treatment-plans', `patients/${patient.id}/conditions`]
    const answers = async () => [
      ...(await Promise.all(reads.map((path) => get(`/v1/${path}`, operator, headers)))),
      await core.post('/v1/treatment-plans/safety-check', { as: operator, headers, body }),
    ]
    for (const answer of await answers()) assert.deepEqual(codeOf(answer), [403, 'break_glass_required'])
    const reason = 'The clinic reported that a plan does not open.'
    const grant = { organization_id: other.id, reason, minutes: 5 }
    const neighbour = await core.patient(other)
    await core.post('/v1/admin/break-glass', { as: operator, body: { ...grant, patient_id: neighbour.id } })
    for (const answer of await answers()) assert.deepEqual(codeOf(answer), [403, 'break_glass_required'])
    assert.equal((await core.post('/v1/admin/break-glass', { as: operator, body: grant })).status, 201)
    assert.deepEqual(
      (await answers()).map(({ status }) => status),
      [200, 200, 200, 403],
    )
  })
})
