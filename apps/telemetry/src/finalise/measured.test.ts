import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Exercise, encodeBatch, film, perform, STEADY_CAMERA } from '@tendon/pose'
import { randomFrom, soakSeed } from '@tendon/testing'
import { mediaEvent } from '../testing.ts'
import { createFinaliseSurroundings, type FinaliseSurroundings } from './finalise.testing.ts'
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

describe('measurements', () => {
  let around: FinaliseSurroundings
  before(async () => {
    around = await createFinaliseSurroundings()
  })
  after(() => around.close())

  test('repetitions of a movement in front of the camera become rows, measured in the thread', async () => {
    const failures: string[] = []
    const poseThread = startPoseThread((reason) => failures.push(reason))
    const service = await around.start({ replaced: { poseWork: poseThread } })
    const exercise_id = '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'
    const run = await around.clinic.newRun([
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
    await around.flushed(run)
    const exercises = await around.rowsOf('pose_session_metrics', run)
    const raise = exercises.find(({ media_id }) => media_id === 'raise')
    assert.deepEqual(
      [raise?.reason, raise?.measured, raise?.repetitions, raise?.exercise_id],
      [null, true, 4, exercise_id],
    )
    assert.ok(Math.abs(Number(raise?.range_mean_degrees) - 105) < 3)
    assert.deepEqual([raise?.repetitions_to_target, Number(raise?.not_visible_ms)], [4, 0])
    const stretch = exercises.find(({ media_id }) => media_id === 'stretch')
    assert.deepEqual([stretch?.measured, stretch?.reason, stretch?.repetitions], [false, 'no_configuration', null])
    const repetitions = await around.rowsOf('pose_repetitions', run)
    assert.deepEqual(
      repetitions.map(({ number, reached_target }) => [number, reached_target]),
      [1, 2, 3, 4].map((number) => [number, true]),
    )
    assert.deepEqual(failures, [])
    await service.stop()
  })

  test('a failed measurement loses the metrics, not the run', async () => {
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
    const run = await around.clinic.newRun()
    const [batch] = film(perform(ARM_RAISE, Math.random), STEADY_CAMERA, Math.random)
    assert.ok(batch)
    await service.pose(run, gzipSync(encodeBatch(batch)))
    await service.event(run, mediaEvent('session_end'))
    await around.flushed(run)
    assert.equal((await around.rowsOf('replay_blobs', run)).length, 1)
    assert.deepEqual(await around.rowsOf('pose_session_metrics', run), [])
    assert.equal(failures.length, 1)
    await service.stop()
  })
})
