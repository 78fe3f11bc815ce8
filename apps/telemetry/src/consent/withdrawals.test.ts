import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { MediaEvent } from '@tendon/contracts'
import { createFinaliseSurroundings, type FinaliseSurroundings } from '../finalise/finalise.testing.ts'
import { gzipOf, mediaEvent, type TestRun } from '../testing.ts'

const iso = (ms: number) => new Date(ms).toISOString()

describe('consents that are withdrawn during a run', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  const consent = (purpose: string) =>
    around.database.query(
      `insert into consents (organization_id, patient_profile_id, purpose_code, purpose_version, source, granted_at)
       values ($1, $2, $3, 1, 'self_toggle', $4)`,
      [around.clinic.organizationId, around.clinic.profileId, purpose, iso(around.clock.now)],
    )
  const withdraw = (purpose: string) =>
    around.database.query(
      `update consents set withdrawn_at = $3, ended_as = 'withdrawn'
       where patient_profile_id = $1 and purpose_code = $2 and withdrawn_at is null`,
      [around.clinic.profileId, purpose, iso(around.clock.now)],
    )
  const eventNow = (type: Parameters<typeof mediaEvent>[0]) => ({
    ...mediaEvent(type),
    timestamp: iso(around.clock.now),
  })
  async function newRun(): Promise<TestRun> {
    const run = await around.clinic.newRun()
    await around.database.query('update run_manifests set created_at = $2 where run_id = $1', [
      run.id,
      iso(around.clock.now),
    ])
    return run
  }
  async function recording() {
    await around.database.query('delete from consents where patient_profile_id = $1', [around.clinic.profileId])
    await consent('telerehab')
    await consent('biometric_capture')
    const service = await around.start()
    const run = await newRun()
    around.clock.now += 60_000
    await around.events(service, run, eventNow('session_start'), eventNow('video_played'))
    await around.pose(service, run, 1, 2)
    return { service, run }
  }

  test('after telerehab is withdrawn frames and events are refused, and the end is accepted', async () => {
    const { service, run } = await recording()
    const other = await newRun()
    around.clock.now += 1_000
    await withdraw('telerehab')
    around.clock.now += 1_000
    // Accepted before the service has read the withdrawal.
    assert.equal((await service.pose(run, gzipOf(3, 3, 300))).status, 202)
    assert.equal((await service.event(run, eventNow('video_paused'))).status, 202)
    await service.withdrawals.refresh()
    around.clock.now += 1_000
    const frames = await service.pose(run, gzipOf(4, 3, 400))
    assert.deepEqual([frames.status, frames.body.error.code], [403, 'consent_required'])
    const event = await service.event(run, eventNow('video_played'))
    assert.deepEqual([event.status, event.body.error.code], [403, 'consent_required'])
    assert.equal((await service.pose(other, gzipOf(1))).status, 403, 'every run of the patient')
    assert.equal((await service.event(run, eventNow('session_end'))).status, 202)

    await around.flushed(run)
    await around.isDone(service)
    assert.deepEqual(await around.marksOf(run), [1, 2], 'frames after the withdrawal are not kept')
    const [stored] = await around.rowsOf<{ events: { event: string }[] }>('run_finalisations', run)
    assert.deepEqual(
      stored?.events.map(({ event: type }) => type),
      ['session_start', 'video_played', 'session_end'],
    )
    await service.stop()
  })

  test('of an end after the withdrawal only that it ended is kept: nothing counts as watched since', async () => {
    const { service, run } = await recording()
    around.clock.now += 10_000
    const withdrawnAt = around.clock.now
    await withdraw('telerehab')
    around.clock.now += 600_000
    const end = { ...eventNow('session_end'), data: { reason: 'completed', watched_seconds: 3_000 } }
    assert.equal((await service.event(run, end)).status, 202)
    await around.flushed(run)
    await around.isDone(service)
    const [stored] = await around.rowsOf<{ events: MediaEvent[] }>('run_finalisations', run)
    const { event, timestamp, data } = stored?.events.at(-1) ?? {}
    assert.deepEqual([event, timestamp, data], ['session_end', iso(withdrawnAt), undefined])
    const [metrics] = await around.rowsOf<Record<string, unknown>>('media_session_metrics', run)
    assert.deepEqual([metrics?.end_reason, metrics?.ended_at], [null, new Date(withdrawnAt)])
    assert.ok(Number(metrics?.watch_seconds) < 60)
    await service.stop()
  })

  test('an event that happened before the withdrawal is accepted after it', async () => {
    const { service, run } = await recording()
    const before = eventNow('video_paused')
    around.clock.now += 1_000
    await withdraw('telerehab')
    await service.withdrawals.refresh()
    around.clock.now += 5_000
    assert.equal((await service.event(run, before)).status, 202)
    await service.stop()
  })

  test('after the camera’s consent is withdrawn only frames are refused, until it is given again', async () => {
    const { service, run } = await recording()
    await withdraw('biometric_capture')
    await service.withdrawals.refresh()
    around.clock.now += 1_000
    assert.equal((await service.pose(run, gzipOf(3))).status, 403)
    assert.equal((await service.event(run, eventNow('video_paused'))).status, 202)
    around.clock.now += 1_000
    await consent('biometric_capture')
    await service.withdrawals.refresh()
    around.clock.now += 1_000
    assert.equal((await service.pose(run, gzipOf(5, 3, 500))).status, 202)
    await service.event(run, eventNow('session_end'))
    await around.flushed(run)
    assert.deepEqual(await around.marksOf(run), [1, 2, 5])
    await service.stop()
  })

  test('while the database cannot be reached nothing is refused, and what is written later is still dropped', async () => {
    const { service, run } = await recording()
    await withdraw('telerehab')
    around.clock.now += 1_000
    assert.equal((await service.pose(run, gzipOf(9, 3, 900))).status, 202)
    await around.silence(service)
    await around.flushed(run)
    assert.deepEqual(await around.marksOf(run), [1, 2])
    await service.stop()
  })
})
