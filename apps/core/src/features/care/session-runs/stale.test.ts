import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemContext } from '@tendon/access'
import { until } from '@tendon/testing'
import { buildWorker } from '../../../build-worker.ts'
import { createServices } from '../../../create-services.ts'
import { startCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { codeOf } from '../treatment-plans/plans.testing.ts'
import { closeStaleRun } from './job-queries.ts'
import { sessionRunJobs } from './jobs.ts'
import { type Patient, runsOf, type TestRuns, workerOf } from './runs.testing.ts'

const [findStale, closeStale] = sessionRunJobs
const CRASH = new Error('the worker dies')

describe('stale runs', () => {
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

  const close = (runId: string, of = clinic) => worker.run(closeStale, { session_run_id: runId }, of.id)
  const ends = async (runId: string) =>
    (await runs.published(runId)).filter(({ type }) => type === 'session_run.ended').length

  async function left(hours = 3): Promise<{ patient: Patient; runId: string }> {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    await runs.event(patient, runId, { type: 'completed' })
    await runs.silent(runId, hours)
    return { patient, runId }
  }

  test('a run is closed two hours after its last event, and its open exercises are abandoned', async () => {
    const { patient, runId } = await left()
    await close(runId)
    const { status, events } = await runs.stored(runId)
    assert.equal(status, 'ended_auto')
    assert.deepEqual(
      events.map(({ session_exercise_id, type }) => [session_exercise_id, type]),
      [
        [patient.exercises[0], 'completed'],
        [patient.exercises[1], 'abandoned'],
      ],
    )
    const [entry] = await core.database.query(
      `select actor_type, crud, patient_profile_id, organization_id from audit_log where target_id = $1 and action = 'session_runs.end'`,
      [runId],
    )
    assert.deepEqual(entry, {
      actor_type: 'system',
      crud: 'U',
      patient_profile_id: patient.profile_id,
      organization_id: clinic.id,
    })
    const told = (await runs.published(runId)).at(-1)
    assert.deepEqual([told?.type, told?.payload.status], ['session_run.ended', 'ended_auto'])
    assert.deepEqual(codeOf(await runs.event(patient, runId, {})), [409, 'session_run_ended'])
  })

  test('a run with an event in the last two hours stays open; pain counts as one', async () => {
    const { patient, runId } = await left(1)
    await close(runId)
    assert.equal((await runs.stored(runId)).status, 'in_progress')
    await runs.silent(runId)
    await runs.pain(patient, runId)
    await close(runId)
    assert.equal((await runs.stored(runId)).status, 'in_progress')
  })

  test('the end is written once, also by ten workers at once, and never from another clinic', async () => {
    const { runId } = await left()
    await close(runId, await core.organization())
    assert.equal((await runs.stored(runId)).status, 'in_progress')
    await Promise.all(Array.from({ length: 10 }, () => close(runId)))
    await close(runId)
    assert.equal((await runs.stored(runId)).status, 'ended_auto')
    assert.equal((await runs.stored(runId)).events.length, 2)
    assert.equal(await ends(runId), 1)
  })

  test('a worker killed half-way leaves nothing, and the next one repeats all', async () => {
    const { runId } = await left()
    const dying = worker.services.db.tenant(systemContext(clinic.id), async (tx) => {
      assert.ok(await closeStaleRun(tx, runId, new Date()))
      throw CRASH
    })
    await assert.rejects(dying, CRASH)
    assert.equal((await runs.stored(runId)).events.length, 1)
    await close(runId)
    assert.equal((await runs.stored(runId)).status, 'ended_auto')
    assert.equal(await ends(runId), 1)
  })

  test('a late event and the close: one of them wins', async () => {
    for (let round = 0; round < 4; round += 1) {
      const { patient, runId } = await left()
      const session_exercise_id = patient.exercises[1]
      const [, late] = await Promise.all([
        close(runId),
        runs.event(patient, runId, { session_exercise_id, type: 'completed' }),
      ])
      const { status, events } = await runs.stored(runId)
      const last = events.find((event) => event.session_exercise_id === session_exercise_id)?.type
      if (late.status === 200) assert.deepEqual([status, last], ['in_progress', 'completed'])
      else assert.deepEqual([...codeOf(late), status, last], [409, 'session_run_ended', 'ended_auto', 'abandoned'])
    }
  })

  test('a run that is being written to is not closed', async () => {
    const { patient, runId } = await left()
    await core.services.db.tenant(
      { ...systemContext(clinic.id), permissions: '', profileIds: [patient.profile_id] },
      async (tx) => {
        await tx.selectFrom('session_runs').select('id').where('id', '=', runId).forNoKeyUpdate().execute()
        await close(runId)
      },
    )
    assert.equal((await runs.stored(runId)).status, 'in_progress')
  })

  test('a restricted patient’s run is closed too', async () => {
    const { patient, runId } = await left()
    await runs.restrict(patient)
    await close(runId)
    assert.equal((await runs.stored(runId)).status, 'ended_auto')
  })

  test('the scheduled job finds them in every clinic, and several workers share the work', async () => {
    const second = await core.organization()
    const found: string[] = []
    for (const place of [clinic, second]) {
      const patient = await runs.patient(place)
      found.push(await runs.started(patient))
    }
    for (const runId of found) await runs.silent(runId)
    const services = [1, 2].map(() => createServices(core.config, 'tendon_worker', core.database.url))
    const workers = await Promise.all(
      services.map((one) =>
        buildWorker(one, core.database.url, { jobs: sessionRunJobs, subscribers: [], logStream: { write: () => {} } }),
      ),
    )
    try {
      await worker.run(findStale)
      await worker.run(findStale)
      for (const runId of found) await until(async () => (await runs.stored(runId)).status === 'ended_auto')
    } finally {
      await Promise.all(workers.map((one) => one.stop()))
      await Promise.all(services.map((one) => one.close()))
    }
    for (const runId of found) assert.equal(await ends(runId), 1)
  })
})
