import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '@tendon/testing'
import { Client } from 'pg'
import { unclaimedObjectJobs } from '../../../platform/unclaimed-objects.ts'
import { unzip } from '../../../platform/zip.testing.ts'
import type { Answer } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { type CoreAndWorker, startCoreAndWorker } from '../../privacy/gdpr/work.testing.ts'
import { analyticsJobs } from '../analytics/jobs.ts'
import { sessionRunJobs } from './jobs.ts'
import { type Patient, runsOf, type TestRuns, workerOf } from './runs.testing.ts'
import { telemetryOf } from './telemetry.testing.ts'

const deleteExpired = sessionRunJobs.find(({ name }) => name === 'delete_expired_telemetry')
const [deleteObjects] = unclaimedObjectJobs
const [refreshView] = analyticsJobs
const TWO_YEARS = ['media_session_metrics', 'media_item_metrics', 'media_buffering_events', 'library_views']
const SEVEN_YEARS = ['pose_session_metrics', 'pose_repetitions']

describe('retention of run data', () => {
  let core: CoreAndWorker
  let runs: TestRuns
  let telemetry: ReturnType<typeof telemetryOf>
  let clinic: TestOrganization
  let worker: ReturnType<typeof workerOf>
  let stopWorker: () => Promise<void>
  before(async () => {
    core = await startCoreAndWorker()
    runs = runsOf(core)
    telemetry = telemetryOf(core)
    clinic = await core.organization()
    worker = workerOf(core)
    stopWorker = await core.startWorker()
  })
  after(async () => {
    await stopWorker()
    await worker.close()
    await core.close()
  })

  async function measured(): Promise<{ patient: Patient; runId: string; key: string }> {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    await runs.event(patient, runId, { type: 'completed', data: { sets_completed: 3 } })
    await runs.pain(patient, runId, { note: 'A sting in my left knee' })
    await runs.feedback(patient, runId, { comment: 'My knee again' })
    await telemetry.write(patient, runId)
    return { patient, runId, key: await telemetry.replay(patient, runId) }
  }

  const rowsOf = async (table: string, runId: string) =>
    (await core.database.query(`select 1 from ${table} where run_id = $1`, [runId])).length
  const wordsOf = (runId: string) =>
    core.database.query(
      `select note as words from pain_reports where session_run_id = $1 and note is not null
       union all select comment from session_feedback where session_run_id = $1 and comment is not null`,
      [runId],
    )
  const age = async (tables: readonly string[], runId: string, time: string) => {
    for (const table of tables)
      await core.database.query(`update ${table} set created_at = now() - $2::interval where run_id = $1`, [
        runId,
        time,
      ])
  }

  test('media aggregates are deleted after two years, pose aggregates after seven, and not a day before', async () => {
    const { runId } = await measured()
    await age(TWO_YEARS, runId, '729 days')
    await age(SEVEN_YEARS, runId, '6 years 364 days')
    await core.database.query(
      `update run_finalisations set claimed_at = now() - interval '729 days' where run_id = $1`,
      [runId],
    )
    await worker.run(deleteExpired)
    for (const table of [...TWO_YEARS, ...SEVEN_YEARS]) assert.ok((await rowsOf(table, runId)) > 0, table)
    await age(TWO_YEARS, runId, '2 years 1 day')
    await core.database.query(
      `update run_finalisations set claimed_at = now() - interval '2 years 1 day' where run_id = $1`,
      [runId],
    )
    await worker.run(deleteExpired)
    for (const table of TWO_YEARS) assert.equal(await rowsOf(table, runId), 0, table)
    for (const table of SEVEN_YEARS) assert.ok((await rowsOf(table, runId)) > 0, table)
    const [finalised] = await core.database.query('select events from run_finalisations where run_id = $1', [runId])
    assert.deepEqual(finalised, { events: null })
    await age(SEVEN_YEARS, runId, '7 years 1 day')
    await Promise.all([worker.run(deleteExpired), worker.run(deleteExpired)])
    for (const table of SEVEN_YEARS) assert.equal(await rowsOf(table, runId), 0, table)
    const { status, body } = await core.get(`/v1/session-runs/${runId}/analytics`, { as: clinic.admin })
    assert.deepEqual([status, body.data.media, body.data.exercise_results[0].pose], [200, null, null])
  })

  test('the events of a run that has ended are kept for a week, those of one that fell silent for two years', async () => {
    const [silent, ended] = [await measured(), await measured()]
    await core.database.query(
      `insert into run_finalisations (organization_id, run_id, patient_profile_id, recording_id, version, reason, flushed_at)
       select organization_id, run_id, patient_profile_id, gen_random_uuid(), 2, 'ended', now()
       from run_finalisations where run_id = $1`,
      [ended.runId],
    )
    const keptAfter = async (time: string) => {
      for (const { runId } of [silent, ended])
        await core.database.query('update run_finalisations set claimed_at = now() - $2::interval where run_id = $1', [
          runId,
          time,
        ])
      await worker.run(deleteExpired)
      const kept = `select run_id from run_finalisations where run_id = any ($1) and events is not null`
      const rows = await core.database.query<{ run_id: string }>(kept, [[silent.runId, ended.runId]])
      return new Set(rows.map(({ run_id }) => run_id))
    }
    assert.deepEqual(await keptAfter('6 days'), new Set([silent.runId, ended.runId]))
    assert.deepEqual(await keptAfter('8 days'), new Set([silent.runId]))
  })

  test('a replay is deleted after six months: first its row, then its object, with retries', async () => {
    const { runId, key } = await measured()
    await age(['replay_blobs'], runId, '5 months 27 days')
    await worker.run(deleteExpired)
    assert.equal(await rowsOf('replay_blobs', runId), 1)
    await age(['replay_blobs'], runId, '6 months 1 day')
    await worker.run(deleteExpired)
    assert.equal(await rowsOf('replay_blobs', runId), 0)
    await Promise.all([worker.run(deleteObjects), worker.run(deleteObjects)])
    await worker.run(deleteExpired)
    await until(async () => (await core.services.objects.head(key)) === undefined) // the worker may have taken it
    const answer = await core.get(`/v1/session-runs/${runId}/replay`, { as: clinic.admin })
    assert.equal(answer.body.error.code, 'replay_not_found')
  })

  test('an export contains all run data, with the replays as files', async () => {
    const { patient, runId } = await measured()
    const request = await core.ended(clinic, await core.ask('export', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    const [row] = await core.database.query<{ object_key: string }>(
      'select object_key from privacy_requests where id = $1',
      [request.id],
    )
    const stored = await core.services.objects.get(row?.object_key ?? '')
    assert.ok(stored)
    const files = unzip(Buffer.concat(await Array.fromAsync(stored.body)))
    const linesOf = (name: string) =>
      String(files.get(`${name}.ndjson`))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
    assert.equal(linesOf('session_runs')[0].id, runId)
    assert.equal(linesOf('session_run_events').length, 2)
    assert.equal(linesOf('pain_reports')[0].note, 'A sting in my left knee')
    assert.equal(linesOf('session_feedback')[0].comment, 'My knee again')
    assert.equal(linesOf('pose_repetitions').length, 2)
    assert.equal(linesOf('media_session_metrics')[0].watch_seconds, 512.4)
    const [replay] = linesOf('replay_blobs')
    assert.equal(String(files.get(replay.file)), 'frames of version 1')
  })

  test('an erasure deletes measurements, playback data and texts; the runs are kept without them', async () => {
    const { patient, runId, key } = await measured()
    const counted = `select 1 from exercise_outcomes where run_id = $1 and measured`
    await worker.run(refreshView)
    assert.equal((await core.database.query(counted, [runId])).length, 1)
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    for (const table of ['run_manifests', 'replay_blobs', 'run_finalisations', ...TWO_YEARS, ...SEVEN_YEARS])
      assert.equal(await rowsOf(table, runId), 0, table)
    assert.equal(await core.services.objects.head(key), undefined)
    const [pain] = await core.database.query('select note, severity from pain_reports where session_run_id = $1', [
      runId,
    ])
    assert.deepEqual(pain, { note: null, severity: 4 })
    const [said] = await core.database.query('select comment, pain from session_feedback where session_run_id = $1', [
      runId,
    ])
    assert.deepEqual(said, { comment: null, pain: 2 })
    const { status, events } = await runs.stored(runId)
    assert.deepEqual([status, events.length], ['ended_explicit', 2])
    await until(async () => (await core.database.query(counted, [runId])).length === 0)
    const answer = await core.post('/v1/session-runs', {
      as: patient.person,
      body: { plan_session_id: patient.plan_session_id },
    })
    assert.ok([403, 404].includes(answer.status), answer.text)
  })

  test('after an erasure only the audit log and signed forms identify the patient', async () => {
    await core.publishNotice(clinic)
    const { patient } = await measured()
    const grants = [
      { purpose_code: 'analytics', purpose_version: 1, organization_id: clinic.id, source: 'self_toggle' },
    ]
    const agreed = await core.post('/v1/me/consents', { as: patient.person, body: { grants } })
    assert.equal(agreed.status, 201, agreed.text)
    const columns = await core.database.query<{ table: string; column: string }>(
      `select table_name as table, column_name as column from information_schema.columns
       where table_schema = 'public' and column_name like '%principal_id' and table_name not in ('audit_log', 'impersonations')`,
    )
    const naming = async () => {
      const found: string[] = []
      for (const { table, column } of columns) {
        const rows = await core.database.query(`select 1 from ${table} where ${column} = $1`, [patient.person.id])
        if (rows.length > 0) found.push(`${table}.${column}`)
      }
      return found
    }
    assert.deepEqual(await naming(), ['consents.granted_by_principal_id'])
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    assert.deepEqual(await naming(), [])
  })

  test('a patient whose processing is restricted can be erased, with their feedback', async () => {
    const { patient, runId } = await measured()
    await runs.restrict(patient)
    const request = await core.ended(clinic, await core.ask('erase', clinic, patient.id))
    assert.equal(request.status, 'completed', JSON.stringify(request))
    assert.deepEqual(await wordsOf(runId), [])
  })

  test('feedback sent during an erasure is erased too', async () => {
    const patient = await runs.patient(clinic)
    const runId = await runs.started(patient)
    let answers: Promise<Answer[]> | undefined
    const client = new Client({ connectionString: core.database.url })
    await client.connect()
    try {
      // As an erasure does: the patient's row first, the words, the record; the patient speaks in between.
      await client.query('begin')
      await client.query('select 1 from patients where id = $1 for update', [patient.id])
      answers = Promise.all([
        runs.pain(patient, runId, { note: 'Too late' }),
        runs.feedback(patient, runId, { comment: 'Too late' }),
        runs.event(patient, runId, { type: 'completed' }),
      ])
      await until(async () => (await core.database.countWaiting()) > 0)
      await client.query('update patients set deleted_at = now(), erased_at = now() where id = $1', [patient.id])
      await client.query('commit')
    } finally {
      await client.end()
    }
    for (const { status, body } of await answers)
      assert.deepEqual([status, body.error?.code], [404, 'session_run_not_found'])
    assert.deepEqual(await wordsOf(runId), [])
  })
})
