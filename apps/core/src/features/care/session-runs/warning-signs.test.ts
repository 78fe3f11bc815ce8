import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf } from '../treatment-plans/plans.testing.ts'
import { runsOf, type TestRuns } from './runs.testing.ts'

describe('warning signs', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  let specialist: Person
  before(async () => {
    core = await sharedCore()
    runs = runsOf(core)
    clinic = await core.organization({ phone: '+40 21 000 0000' })
    specialist = await core.member(clinic, 'specialist')
  })
  after(() => core.close())

  async function reported(warning_signs?: string[], severity = 0) {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const answer = await runs.pain(patient, runId, { severity, ...(warning_signs ? { warning_signs } : {}) })
    return { patient, runId, answer }
  }

  test('a report may name any of them, and none', async () => {
    const { answer, runId } = await reported(['chest_pain', 'fall'])
    assert.deepEqual([answer.status, answer.body.data.warning_signs], [201, ['chest_pain', 'fall']])
    assert.deepEqual((await reported()).answer.body.data.warning_signs, [])
    const { body } = await core.get(`/v1/session-runs/${runId}/timeline`, { as: specialist })
    assert.deepEqual(body.data.pain_reports[0].warning_signs, ['chest_pain', 'fall'])
  })

  test('an unknown or repeated sign is refused with 422 and stores nothing', async () => {
    for (const signs of [['tired'], ['fall', 'fall'], 'fall']) {
      const patient = await runs.patient(clinic)
      const runId = await runs.started(patient)
      const answer = await runs.pain(patient, runId, { warning_signs: signs })
      assert.deepEqual(codeOf(answer), [422, 'validation_failed'])
      const rows = await core.database.query('select 1 from pain_reports where session_run_id = $1', [runId])
      assert.equal(rows.length, 0)
    }
  })

  test('the event says that there is a warning, never which', async () => {
    const { runId } = await reported(['breathless'], 3)
    const told = (await runs.published(runId)).find(({ type }) => type === 'pain.reported')
    assert.equal(told?.payload.warning, true)
    assert.equal(JSON.stringify(told).includes('breathless'), false)
    const without = await reported()
    const [quiet] = (await runs.published(without.runId)).filter(({ type }) => type === 'pain.reported')
    assert.equal(quiet?.payload.warning, false)
  })

  test('a run with a warning sign comes first in the clinic’s list', async () => {
    const own = await core.organization()
    const patient = await runs.patient(own)
    const warned = await runs.started(patient)
    await runs.pain(patient, warned, { severity: 1, warning_signs: ['faint_or_dizzy'] })
    await runs.end(patient, warned)
    const painful = await runs.started(patient)
    await runs.pain(patient, painful, { severity: 9 })
    await runs.end(patient, painful)
    const { body } = await core.get('/v1/session-runs', { as: own.admin })
    assert.deepEqual(
      body.data.map((run: Json) => [run.id, run.warning]),
      [
        [warned, true],
        [painful, false],
      ],
    )
  })

  test('the payload of a run names the clinic’s telephone and emergency number, 112 by default', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    const payload = async () =>
      (await core.get(`/v1/session-runs/${runId}/payload`, { as: patient.person })).body.data.help
    assert.deepEqual(await payload(), { phone: '+40 21 000 0000', emergency_number: '112' })
    const path = `/v1/organizations/${clinic.id}/settings`
    const change = (emergency_number: string) => core.patch(path, { as: clinic.admin, body: { emergency_number } })
    assert.equal((await change('999')).status, 200)
    assert.deepEqual(await payload(), { phone: '+40 21 000 0000', emergency_number: '999' })
    for (const wrong of ['', 'call us', '+40 1', '1'])
      assert.deepEqual(codeOf(await change(wrong)), [422, 'validation_failed'], wrong)
    const branding = await core.get(`/v1/public/organizations/${clinic.slug}/branding`)
    assert.deepEqual([branding.body.data.phone, branding.body.data.emergency_number], ['+40 21 000 0000', '999'])
  })
})
