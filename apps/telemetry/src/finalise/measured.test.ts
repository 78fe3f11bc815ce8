import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Exercise, encodeBatch, film, perform, STEADY_CAMERA } from '@tendon/pose'
import { randomFrom, soakSeed } from '@tendon/testing'
import { createSurroundings, mediaEvent, type Surroundings, type TestClinic, until } from '../testing.ts'
import { poseWork } from './pose-work.ts'
import { startPoseThread } from './threaded-pose-work.ts'

const ARM_RAISE: Exercise = {
  angle: ['left_hip', 'left_shoulder', 'left_elbow'],
  side: 'left',
  repetitions: 4,
  rest_degrees: 15,
  peak_degrees: 120,
  rise_seconds: 1,
  hold_seconds: 0,
  fall_seconds: 1,
  pause_seconds: 0.5,
  lead_seconds: 1,
  plane: 'frontal',
  variation: 0,
}
const CONFIG = {
  engine_code: 'blazepose-33',
  landmarks: ['left_hip', 'left_shoulder', 'left_elbow', 'right_hip', 'right_shoulder', 'right_elbow'],
  primary_angle: ARM_RAISE.angle,
  side: 'left',
  thresholds: { up_degrees: 80, down_degrees: 30, hysteresis_degrees: 5 },
}

describe('what was measured', () => {
  let around: Surroundings
  let clinic: TestClinic
  before(async () => {
    around = await createSurroundings()
    clinic = await around.clinic()
  })
  after(() => around.close())

  const rowsOf = (table: string, runId: string) =>
    around.database.query<Record<string, unknown>>(`select * from ${table} where run_id = $1`, [runId])

  test('repetitions of a movement in front of the camera become rows, by the thread that measures', async () => {
    const failures: string[] = []
    const poseThread = startPoseThread((reason) => failures.push(reason))
    const service = await around.start({ replaced: { poseWork: poseThread } })
    const exercise_id = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
    const run = await clinic.newRun([
      { media_id: 'raise', exercise_id, pose_config: CONFIG },
      { media_id: 'stretch', exercise_id: null, pose_config: null },
    ])
    await service.event(run, mediaEvent('session_start', 0, {}, 'raise'))
    const random = randomFrom(soakSeed())
    const performed = perform(ARM_RAISE, random)
    for (const batch of film(performed, STEADY_CAMERA, random)) {
      around.clock.now += 1_000
      assert.equal((await service.pose(run, gzipSync(encodeBatch(batch)))).status, 202)
    }
    await service.event(run, mediaEvent('session_end', performed.seconds, {}, 'raise'))
    await until(async () => (await rowsOf('media_session_metrics', run.id)).length === 1)
    const exercises = await rowsOf('pose_session_metrics', run.id)
    const raise = exercises.find(({ media_id }) => media_id === 'raise')
    assert.deepEqual(
      [raise?.reason, raise?.measured, raise?.repetitions, raise?.exercise_id],
      [null, true, 4, exercise_id],
    )
    assert.ok(Math.abs(Number(raise?.range_mean_degrees) - 105) < 10)
    const stretch = exercises.find(({ media_id }) => media_id === 'stretch')
    assert.deepEqual([stretch?.measured, stretch?.reason, stretch?.repetitions], [false, 'no_configuration', null])
    const repetitions = await rowsOf('pose_repetitions', run.id)
    assert.deepEqual(
      repetitions.map(({ number }) => number),
      [1, 2, 3, 4],
    )
    assert.deepEqual(failures, [])
    await service.stop()
  })

  test('a measurement that fails costs the numbers, not the run', async () => {
    const failures: unknown[] = []
    const failing = poseWork(
      () => ({
        add() {
          throw new Error('no')
        },
        finish: () => ({ exercises: [], repetitions: [] }),
      }),
      (error) => failures.push(error),
    )
    const service = await around.start({ replaced: { poseWork: { start: failing, close: async () => {} } } })
    const run = await clinic.newRun()
    const [batch] = film(perform(ARM_RAISE, Math.random), STEADY_CAMERA, Math.random)
    assert.ok(batch)
    await service.pose(run, gzipSync(encodeBatch(batch)))
    await service.event(run, mediaEvent('session_end'))
    await until(async () => (await rowsOf('media_session_metrics', run.id)).length === 1)
    assert.equal((await rowsOf('replay_blobs', run.id)).length, 1)
    assert.deepEqual(await rowsOf('pose_session_metrics', run.id), [])
    assert.equal(failures.length, 1)
    await service.stop()
  })
})
