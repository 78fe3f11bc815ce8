import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Camera, STEADY_CAMERA } from './camera.ts'
import { SURE_CONFIDENCE } from './confidence.ts'
import type { PoseConfig } from './config.ts'
import { measure } from './measure.ts'
import { bends, configFor, filmAndMeasure, TEN_KNEE_BENDS } from './motion.testing.ts'
import type { Exercise } from './motion.ts'

interface Given {
  exercise?: Partial<Exercise>
  camera?: Partial<Camera>
  config?: Partial<PoseConfig>
}

function measured({ exercise: changed = {}, camera = {}, config = {} }: Given) {
  const exercise = { ...TEN_KNEE_BENDS, ...changed }
  return filmAndMeasure({
    exercise,
    camera: { ...STEADY_CAMERA, ...camera },
    config: configFor(exercise, config),
    seed: 5,
  })
}

describe('exercises', () => {
  test('of one side: the named one is measured', () => {
    const { metrics } = measured({})
    assert.deepEqual(metrics, {
      media_id: 'knee',
      measured: true,
      reason: null,
      confidence: 0.98,
      side: 'left',
      repetitions: 10,
      repetitions_to_target: 10,
      not_visible_ms: 0,
      range_of_motion_degrees: { min: 89.8, max: 89.8, mean: 89.8 },
      tempo_seconds: 2,
      symmetry: null,
      hold_seconds: metrics.hold_seconds,
    })
  })

  test('of no side in particular: the one that moves', () => {
    for (const side of ['left', 'right'] as const) {
      const { metrics } = measured({ exercise: { side }, config: { side: 'auto' } })
      assert.deepEqual([metrics.side, metrics.repetitions], [side, 10])
    }
  })

  test('of no side in particular, and the one that moves is not seen: not measured', () => {
    const { metrics } = measured({ camera: { hidden: ['left_ankle'] }, config: { side: 'auto' } })
    assert.equal(metrics.reason, 'low_visibility')
  })

  test('of both sides: together they are one repetition, in turns two', () => {
    const together = measured({ exercise: { side: 'both' } })
    assert.deepEqual([together.metrics.side, together.metrics.repetitions], ['both', 10])
    assert.ok(together.repetitions.every(({ side }) => side === 'both'))
    const inTurns = measured({ exercise: { side: 'in_turns' } })
    assert.deepEqual([inTurns.metrics.side, inTurns.metrics.repetitions, inTurns.metrics.symmetry], ['both', 20, 1])
    assert.deepEqual(
      inTurns.repetitions.slice(0, 3).map(({ side }) => side),
      ['left', 'right', 'left'],
    )
  })

  test('a camera that mirrors what it found changes nothing; one that mirrors before is declared or recognised', () => {
    const after = measured({ camera: { mirrored: 'after' } })
    assert.deepEqual(after.repetitions, measured({}).repetitions)
    const { metrics } = measured({ camera: { mirrored: 'before' } })
    assert.deepEqual([metrics.measured, metrics.reason, metrics.repetitions], [false, 'other_side_moved', null])
    const auto = measured({ camera: { mirrored: 'before' }, config: { side: 'auto' } })
    assert.deepEqual([auto.metrics.side, auto.metrics.repetitions], ['right', 10])
  })

  test('a patient who does not move: no repetitions, and that is sure', () => {
    const { metrics } = measured({ exercise: { repetitions: 0, lead_seconds: 15 }, camera: { noise: 0.001 } })
    assert.deepEqual([metrics.repetitions, metrics.range_of_motion_degrees, metrics.tempo_seconds], [0, null, null])
    assert.ok(metrics.confidence >= SURE_CONFIDENCE)
  })

  test('the weaker side shows in the symmetry', () => {
    const left = bends(0, { side: 'left' })
    const right = bends(26_500, { side: 'right', peak_degrees: 98 })
    const { exercises } = measure([...left, ...right], {
      spans: [{ media_id: 'a', from_ms: 0, to_ms: 53_000 }],
      exercises: [{ media_id: 'a', pose_config: configFor(TEN_KNEE_BENDS, { side: 'both' }) }],
    })
    assert.deepEqual(
      exercises.map(({ repetitions, symmetry }) => [repetitions, symmetry]),
      [[20, 0.8]],
    )
  })

  test('a hold is the time within the target', () => {
    for (const frames_per_second of [5, 12, 30]) {
      const { metrics, repetitions } = measured({
        exercise: { hold_seconds: 3 },
        camera: { frames_per_second },
        config: { target_range_degrees: { min: 70, max: 82 } },
      })
      for (const { hold_seconds } of repetitions)
        assert.ok(hold_seconds > 2.9 && hold_seconds < 3.4, String(hold_seconds))
      assert.ok(Math.abs((metrics.hold_seconds ?? 0) - 32) < 2, String(metrics.hold_seconds))
    }
  })

  test('a hold counts also without a repetition', () => {
    const plank = { repetitions: 1, hold_seconds: 30, rise_seconds: 1, fall_seconds: 1 }
    const { metrics } = measured({
      exercise: plank,
      config: { thresholds: { up_degrees: 100, down_degrees: 178, hysteresis_degrees: 5 } },
    })
    assert.ok(Math.abs((metrics.hold_seconds ?? 0) - 30.4) < 0.5, String(metrics.hold_seconds))
  })

  test('feedback rules apply to single repetitions', () => {
    const rule = (code: string, when: PoseConfig['feedback_rules'][number]['when'], value: number) => ({
      code,
      when,
      value,
      message: { en: 'x' },
    })
    const { repetitions } = measured({
      config: {
        feedback_rules: [
          rule('too_small', 'range_below', 95),
          rule('too_large', 'range_above', 95),
          rule('too_fast', 'tempo_below', 3),
          rule('too_slow', 'tempo_above', 3),
          rule('hold_longer', 'hold_below', 5),
        ],
      },
    })
    assert.deepEqual(repetitions[0]?.feedback, ['too_small', 'too_fast', 'hold_longer'])
  })
})
