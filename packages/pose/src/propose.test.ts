import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomFrom } from '@tendon/testing'
import { type Camera, film, STEADY_CAMERA } from './camera.ts'
import type { PoseBatch } from './codec.ts'
import { measure } from './measure.ts'
import { TEN_KNEE_BENDS } from './motion.testing.ts'
import { type Exercise, perform } from './motion.ts'
import { proposeConfig } from './propose.ts'

function shown(changed: Partial<Exercise>, camera: Partial<Camera> = {}): PoseBatch[] {
  const random = randomFrom(4)
  const performed = perform({ ...TEN_KNEE_BENDS, repetitions: 3, variation: 0.05, ...changed }, random)
  return [...film(performed, { ...STEADY_CAMERA, noise: 0.002, ...camera }, random)]
}

describe('a proposed configuration', () => {
  test('names the joint, the side, thresholds and range of what was shown', () => {
    const proposal = proposeConfig(shown({ side: 'right' }))
    assert.ok(typeof proposal === 'object')
    const { joint, config, measured } = proposal
    assert.deepEqual([joint, config.side, measured.repetitions], ['knee', 'right', 3])
    const { up_degrees, down_degrees } = config.thresholds
    assert.ok(Math.abs(down_degrees - 143) < 6 && Math.abs(up_degrees - 107) < 6, `${down_degrees} ${up_degrees}`)
    const { min, max } = config.target_range_degrees ?? { min: 0, max: 0 }
    assert.ok(min < 80 && max > 80 && max - min < 40, `${min} ${max}`)
  })

  test('a proposed configuration counts a patient who does the same', () => {
    const raise = { angle: ['left_hip', 'left_shoulder', 'left_elbow'] as const, rest_degrees: 15, peak_degrees: 95 }
    const shownOnce = shown({ ...raise, side: 'both', repetitions: 1, plane: 'frontal' })
    const proposal = proposeConfig(shownOnce)
    assert.ok(typeof proposal === 'object')
    assert.deepEqual([proposal.joint, proposal.config.side], ['shoulder', 'both'])
    const patient = shown(
      { ...raise, side: 'both', repetitions: 8, plane: 'frontal' },
      { bias: { straight: 8, bent: 8 } },
    )
    const { exercises } = measure(patient, {
      spans: [{ media_id: 'a', from_ms: 0, to_ms: null }],
      exercises: [{ media_id: 'a', pose_config: proposal.config }],
    })
    assert.deepEqual([exercises[0]?.repetitions, exercises[0]?.repetitions_to_target], [8, 8])
  })

  test('a proposed configuration is not made of nothing, of standing there, or of more than a minute', () => {
    assert.equal(proposeConfig([]), 'no_frames')
    assert.equal(proposeConfig(shown({ repetitions: 0, lead_seconds: 5 })), 'no_movement')
    assert.equal(proposeConfig(shown({ repetitions: 30 })), 'too_long')
  })
})
