import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { type Camera, type Exercise, encodeBatch, film, perform, STEADY_CAMERA } from '@tendon/pose'
import { randomFrom } from '@tendon/testing'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'
import { libraryOf, refused, type TestLibrary } from '../exercises/library.testing.ts'

const BEND: Exercise = {
  angle: ['left_hip', 'left_knee', 'left_ankle'],
  side: 'left',
  repetitions: 3,
  rest_degrees: 170,
  peak_degrees: 80,
  rise_seconds: 1,
  hold_seconds: 0.3,
  fall_seconds: 1,
  pause_seconds: 0.5,
  lead_seconds: 1,
  plane: 'sagittal',
  variation: 0.05,
}

function recordingOf(changed: Partial<Exercise> = {}, camera: Partial<Camera> = {}): string {
  const random = randomFrom(2)
  const batches = film(perform({ ...BEND, ...changed }, random), { ...STEADY_CAMERA, noise: 0.002, ...camera }, random)
  return gzipSync(Buffer.concat([...batches].map(encodeBatch))).toString('base64')
}

describe('a pose configuration proposed from a recording', () => {
  let core: TestCore
  let library: TestLibrary
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    library = libraryOf(core)
    clinic = await core.organization()
  })
  after(() => core.close())

  const propose = (id: string, body: unknown, as = clinic.admin) =>
    core.post(`/v1/exercises/${id}/pose-config/propose`, { as, body })

  test('a pose configuration proposed from a recording is what was shown, can be written as it is, and is not saved', async () => {
    const { id, slug } = await library.exercise(clinic.admin)
    const answer = await propose(id, { recording: recordingOf() })
    assert.equal(answer.status, 200, answer.text)
    const { joint, config, repetitions, range_degrees } = answer.body.data
    assert.deepEqual([joint, config.side, repetitions], ['knee', 'left', 3])
    assert.ok(Math.abs(range_degrees - 90) < 6, String(range_degrees))
    assert.deepEqual(refused(await core.get(`/v1/exercises/${slug}/pose-config`, { as: clinic.admin })), [
      404,
      'pose_config_not_found',
    ])
    const written = await core.put(`/v1/exercises/${id}/pose-config`, { as: clinic.admin, body: { config } })
    assert.equal(written.status, 200, written.text)
  })

  test('a pose configuration proposed from a recording is refused for a recording that shows no movement, is too long or asks for a joint that rests (422)', async () => {
    const { id } = await library.exercise(clinic.admin)
    for (const [recording, reason, joint] of [
      [recordingOf({ repetitions: 0, lead_seconds: 4 }), 'no_movement'],
      [recordingOf({ repetitions: 30 }), 'too_long'],
      [recordingOf(), 'not_clear', 'elbow'],
    ]) {
      const answer = await propose(id, { recording, ...(joint ? { joint } : {}) })
      assert.deepEqual(refused(answer), [422, 'no_proposal'], answer.text)
      assert.equal(answer.body.error.reason, reason, answer.text)
    }
  })

  test('a pose configuration proposed from a recording is refused for anything but gzipped batches (400), also for a bomb', async () => {
    const { id } = await library.exercise(clinic.admin)
    const bomb = gzipSync(Buffer.alloc(50_000_000)).toString('base64')
    for (const recording of [
      'AAAA',
      gzipSync('hello').toString('base64'),
      gzipSync(Buffer.alloc(600)).toString('base64'),
      bomb,
    ])
      assert.deepEqual(refused(await propose(id, { recording })), [400, 'recording_invalid'])
    assert.deepEqual(refused(await propose(id, { recording: 'not base64!' })), [422, 'validation_failed'])
  })

  test('a pose configuration proposed from a recording needs the permission to edit, and an exercise that the caller sees', async () => {
    const { id } = await library.exercise(clinic.admin)
    const viewer = await core.memberWith(clinic, ['exercises.view_published'])
    const recording = recordingOf({ repetitions: 1 })
    assert.equal((await propose(id, { recording }, viewer)).status, 403)
    const other = await core.organization()
    assert.deepEqual(refused(await propose(id, { recording }, other.admin)), [404, 'exercise_not_found'])
  })
})
