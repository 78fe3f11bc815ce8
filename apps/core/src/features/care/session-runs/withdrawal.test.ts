import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Json, startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf } from '../treatment-plans/plans.testing.ts'
import { END_WITHDRAWN_JOB, sessionRunJobs } from './jobs.ts'
import { isWithoutConsent } from './rules.ts'
import { type Patient, runsOf, type TestRuns, workerOf } from './runs.testing.ts'

const endWithdrawn = sessionRunJobs.find(({ name }) => name === END_WITHDRAWN_JOB)

describe('the consent to exercising at home, withdrawn during a run', () => {
  let core: TestCore
  let runs: TestRuns
  let clinic: TestOrganization
  let worker: ReturnType<typeof workerOf>
  before(async () => {
    core = await startCore()
    runs = runsOf(core)
    clinic = await core.organization()
    worker = workerOf(core)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  const payloadOf = async (of: Patient, runId: string): Promise<Json> =>
    (await core.get(`/v1/session-runs/${runId}/payload`, { as: of.person })).body.data
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

  async function withdrawn() {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    await core.database.query(`update session_runs set started_at = now() - interval '1 hour' where id = $1`, [runId])
    assert.equal((await payloadOf(patient, runId)).telerehab_consent, true)
    await runs.withdraw(patient, 'telerehab')
    return { patient, runId }
  }

  test('events, pain and feedback after it are refused with 403 consent_required', async () => {
    const { patient, runId } = await withdrawn()
    assert.deepEqual(codeOf(await runs.event(patient, runId, {})), [403, 'consent_required'])
    assert.deepEqual(codeOf(await runs.pain(patient, runId)), [403, 'consent_required'])
    assert.deepEqual(codeOf(await runs.feedback(patient, runId)), [403, 'consent_required'])
    assert.deepEqual((await runs.stored(runId)).events, [])
    assert.deepEqual(
      [(await payloadOf(patient, runId)).telerehab_consent, (await payloadOf(patient, runId)).telemetry_token],
      [false, null],
    )
  })

  test('what happened before it is accepted', async () => {
    const { patient, runId } = await withdrawn()
    const answer = await runs.event(patient, runId, { occurred_at: minutesAgo(30) })
    assert.equal(answer.status, 200, answer.text)
    assert.equal((await runs.pain(patient, runId, { occurred_at: minutesAgo(20) })).status, 201)
  })

  test('the run ends, with an audit entry and an event, once', async () => {
    const { patient, runId } = await withdrawn()
    const run = () => worker.run(endWithdrawn, { patient_profile_id: patient.profile_id }, clinic.id)
    await run()
    await run()
    const { status, events } = await runs.stored(runId)
    assert.deepEqual([status, events.map(({ type }) => type)], ['ended_explicit', ['abandoned', 'abandoned']])
    const ended = (await runs.published(runId)).filter(({ type }) => type === 'session_run.ended')
    assert.equal(ended.length, 1)
    assert.ok((await runs.audited(runId)).includes('session_runs.end'))
  })

  test('a consent that was given again before the worker ran leaves the run open', async () => {
    const { patient, runId } = await withdrawn()
    await runs.consent(patient, clinic, 'telerehab')
    await worker.run(endWithdrawn, { patient_profile_id: patient.profile_id }, clinic.id)
    assert.equal((await runs.stored(runId)).status, 'in_progress')
    assert.equal((await runs.event(patient, runId, {})).status, 200)
  })

  test('what happened before a consent that was given again is not recorded', async () => {
    const { patient, runId } = await withdrawn()
    const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()
    const between = { occurred_at: later(60) }
    await core.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source, granted_at)
       values ($1, $2, 'telerehab', 1, 'self_toggle', $3)`,
      [clinic.id, patient.profile_id, later(120)],
    )
    assert.deepEqual(codeOf(await runs.event(patient, runId, between)), [403, 'consent_required'])
    assert.deepEqual(codeOf(await runs.pain(patient, runId, between)), [403, 'consent_required'])
    assert.equal((await runs.pain(patient, runId)).status, 201)
  })

  test('runs of other patients and of other clinics go on', async () => {
    const { patient } = await withdrawn()
    const other = await runs.patient(clinic)
    const otherRun = await runs.started(other)
    const elsewhere = await core.organization()
    const there = await runs.patient(elsewhere, { person: patient.person })
    const runThere = await runs.started(there)
    await worker.run(endWithdrawn, { patient_profile_id: patient.profile_id }, clinic.id)
    await worker.run(endWithdrawn, { patient_profile_id: there.profile_id }, clinic.id)
    for (const id of [otherRun, runThere]) assert.equal((await runs.stored(id)).status, 'in_progress')
  })
})

describe('the time of a withdrawal', () => {
  const at = (minute: number) => `2026-11-17T10:${String(minute).padStart(2, '0')}:00Z`
  const run = { started_at: at(0) }
  const ended = { withdrawn_at: at(10), granted_again_at: null }

  test('a report without a readable time happened now', () => {
    assert.equal(isWithoutConsent([], run, undefined), false)
    for (const [time, expected] of [
      [undefined, true],
      ['yesterday', true],
      [at(10), false],
      [at(11), true],
    ] as const)
      assert.equal(isWithoutConsent([ended], run, time), expected, time)
  })

  test('what happened between the withdrawal and the next consent is not recorded later', () => {
    const again = { ...ended, granted_again_at: at(20) }
    const found = [undefined, at(9), at(15), at(20), at(21)].map((time) => isWithoutConsent([again], run, time))
    assert.deepEqual(found, [false, false, true, true, false])
  })

  test('nothing happened before its run: a slow clock is not taken for an earlier withdrawal', () => {
    const again = { ...ended, granted_again_at: at(20) }
    assert.equal(isWithoutConsent([again], { started_at: at(21) }, at(15)), false)
    assert.equal(isWithoutConsent([ended], { started_at: at(21) }, at(5)), true)
  })
})
