import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf, plansOf, sentBack, session, type TestPlans } from './plans.testing.ts'

/** It is never the same day in both. */
const [FIRST_ZONE, LAST_ZONE] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'] as const

describe('treatment plans whose last day has passed', () => {
  let core: TestCore
  let plans: TestPlans
  let squat: string
  before(async () => {
    core = await sharedCore()
    plans = plansOf(core)
    squat = await plans.exercise(null)
  })
  after(() => core.close())

  const dayIn = (timeZone: string) => new Date().toLocaleDateString('sv-SE', { timeZone })

  async function draft(clinic: TestOrganization, patientId: string, ends_on: string): Promise<Json> {
    const body = { patient_id: patientId, title: 'Knee', ends_on, sessions: [session([squat])] }
    const answer = await plans.write(clinic.admin, body)
    assert.equal(answer.status, 201, answer.text)
    return answer.body.data
  }

  test('a plan whose last day has passed cannot be activated (409), until the day is changed', async () => {
    const clinic = await core.organization()
    const { id: patientId } = await core.patient(clinic)
    const plan = await draft(clinic, patientId, '2020-01-31')
    assert.equal(plan.has_ended, true)
    const refused = await plans.become(clinic.admin, plan.id, 'active')
    assert.deepEqual(codeOf(refused), [409, 'plan_ended'])
    assert.equal(refused.body.error.ends_on, '2020-01-31')
    const changed = await plans.replace(clinic.admin, plan.id, { ...sentBack(plan), ends_on: '2090-01-31' })
    assert.equal(changed.body.data.has_ended, false)
    assert.equal((await plans.become(clinic.admin, plan.id, 'active')).status, 200)
  })

  test('a plan ends with its last day where the clinic is', async () => {
    const clinics = [
      await core.organization({ time_zone: FIRST_ZONE }),
      await core.organization({ time_zone: LAST_ZONE }),
    ]
    let lastDay: string
    let found: unknown[]
    do {
      found = []
      lastDay = dayIn(LAST_ZONE)
      for (const clinic of clinics) {
        const { id: patientId } = await core.patient(clinic)
        const plan = await draft(clinic, patientId, lastDay)
        found.push([plan.has_ended, (await plans.become(clinic.admin, plan.id, 'active')).status])
      }
    } while (dayIn(LAST_ZONE) !== lastDay)
    assert.deepEqual(found, [
      [true, 409],
      [false, 200],
    ])
  })

  test('an active plan whose last day passes stays active; staff and the patient read that it has ended', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    const patient = await core.patient(clinic, person)
    await core.acceptAll(patient)
    const open = await plans.given(clinic, patient.id, [squat])
    const given = await plans.given(clinic, patient.id, [squat])
    const ended = await plans.replace(clinic.admin, given.id, { ...sentBack(given), ends_on: '2020-01-31' })
    assert.deepEqual([ended.body.data.status, ended.body.data.has_ended], ['active', true])
    const both = [
      [given.id, 'active', true],
      [open.id, 'active', false],
    ]
    const rowsOf = ({ body }: Json) => body.data.map(({ id, status, has_ended }: Json) => [id, status, has_ended])
    assert.deepEqual(rowsOf(await core.get('/v1/treatment-plans', { as: clinic.admin })), both)
    assert.deepEqual(rowsOf(await core.get('/v1/me/treatment-plans', { as: person })), both)
    const mine = await core.get(`/v1/me/treatment-plans/${given.id}`, { as: person })
    assert.deepEqual([mine.body.data.status, mine.body.data.has_ended], ['active', true])
    const today = await core.get('/v1/me/today', { as: person })
    const inToday = today.body.data.sessions.map(({ treatment_plan: one }: Json) => [one.id, one.has_ended])
    assert.deepEqual(Object.fromEntries(inToday), { [given.id]: true, [open.id]: false })
    const { changes } = (await core.get('/v1/audit-logs?action=treatment_plans.update', { as: clinic.admin })).body
      .data[0]
    assert.ok(
      changes.every(({ field }: Json) => field !== 'has_ended'),
      JSON.stringify(changes),
    )
  })
})
