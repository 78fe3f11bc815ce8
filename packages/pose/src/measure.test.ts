import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { randomFrom, soakRuns } from '@tendon/testing'
import * as fc from 'fast-check'
import { STEADY_CAMERA } from './camera.ts'
import { type PoseBatch, VALUES_PER_FRAME } from './codec.ts'
import { SURE_CONFIDENCE } from './confidence.ts'
import { landmarkIndex } from './landmarks.ts'
import { measure } from './measure.ts'
import {
  bends,
  configFor,
  type Faults,
  type Filmed,
  filmAndMeasure,
  filmed,
  type Outcome,
  real,
  TEN_KNEE_BENDS,
} from './motion.testing.ts'

interface Tolerance {
  range: number
  tempo: number
}

/** The longest time between two frames. */
function longestPause(batches: PoseBatch[]): number {
  const times = batches.flatMap(({ timestamps }) => [...timestamps])
  return times.reduce((longest, time, index) => Math.max(longest, time - (times[index - 1] ?? time)), 0) / 1000
}

/**
 * As many repetitions as there were, each as wide and as long as it was, within shares of the truth; when one began or
 * ended in a pause between frames, nobody can tell.
 */
function assertTrue(outcome: Outcome, { camera }: Filmed, { range, tempo }: Tolerance): void {
  const { truth, metrics, repetitions, batches } = outcome
  assert.equal(metrics.repetitions, truth.repetitions.length, 'repetitions')
  assert.equal(repetitions.length, truth.repetitions.length)
  const pause = Math.max(longestPause(batches), 2 / camera.frames_per_second)
  for (const [index, was] of truth.repetitions.entries()) {
    const found = repetitions[index]
    assert.ok(found)
    const wide = Math.abs(was.peak_degrees - was.rest_degrees)
    const long = was.end_seconds - was.start_seconds
    const seconds = (ms: number) => (ms - camera.starts_ms) / 1000
    assert.equal(found.number, index + 1)
    assert.equal(found.side, was.side)
    assert.ok(Math.abs(found.range_degrees - wide) <= range * wide, `range ${found.range_degrees} of ${wide}`)
    assert.ok(Math.abs(found.tempo_seconds - long) <= tempo * long + pause, `tempo ${found.tempo_seconds} of ${long}`)
    assert.ok(Math.abs(seconds(found.start_ms) - was.start_seconds) <= tempo * long + pause, 'start')
    assert.ok(Math.abs(seconds(found.end_ms) - was.end_seconds) <= tempo * long + pause, 'end')
    assert.ok(found.start_ms < found.peak_ms && found.peak_ms < found.end_ms, 'peak')
  }
}

/** All of them in `npm test` too: some count what was sure. */
const holds = (given: fc.Arbitrary<Filmed>, runs: number, check: (one: Filmed) => void) =>
  fc.assert(fc.property(given, check), { numRuns: soakRuns(runs, runs) })

const stretches = (long: fc.Arbitrary<number>, maxLength: number) =>
  fc.array(fc.record({ from_seconds: real(0, 60), seconds: long }), { minLength: 1, maxLength })

describe('the measurement', () => {
  test('clean motion: repetitions exact and sure, range within 6 %, tempo within 5 % and two frames', () => {
    holds(filmed(), 20, (one) => {
      const outcome = filmAndMeasure(one)
      assert.equal(outcome.metrics.measured, true, String(outcome.metrics.reason))
      assert.ok(outcome.metrics.confidence >= SURE_CONFIDENCE, String(outcome.metrics.confidence))
      assertTrue(outcome, one, { range: 0.06, tempo: 0.05 })
    })
  })

  test('a quick movement with a long hold is no jump: it is sure', () => {
    const exercise = {
      ...TEN_KNEE_BENDS,
      repetitions: 4,
      peak_degrees: 25,
      rest_degrees: 155,
      rise_seconds: 0.67,
      fall_seconds: 0.45,
      hold_seconds: 3.8,
    }
    const camera = { ...STEADY_CAMERA, frames_per_second: 15 }
    const one = { exercise, camera, config: configFor(exercise), seed: 1 }
    const outcome = filmAndMeasure(one)
    assert.ok(outcome.metrics.confidence >= SURE_CONFIDENCE, String(outcome.metrics.confidence))
    assertTrue(outcome, one, { range: 0.06, tempo: 0.05 })
  })

  const FAULTS: [what: string, faults: Faults, framesPerRepetition?: number][] = [
    ['noise', { noise: real(0, 0.015), depth_noise: real(1, 4) }],
    ['lost frames', { lost: real(0, 0.5) }],
    ['gaps', { gaps: stretches(real(0.1, 6), 4) }],
    ['many short gaps', { gaps: stretches(real(0.1, 1.5), 12) }],
    ['single wild frames', { wild: real(0, 0.06) }],
    ['left taken for right', { swaps: stretches(real(0.05, 2), 3) }],
    ['weak visibility', { visibility: real(0.3, 1) }],
    ['few frames in a repetition', {}, 3],
    [
      'everything at once',
      {
        noise: real(0, 0.004),
        depth_noise: real(1, 3),
        lost: real(0, 0.2),
        wild: real(0, 0.02),
        visibility: real(0.8, 1),
        gaps: fc.array(fc.record({ from_seconds: real(0, 60), seconds: real(0.1, 4) }), { maxLength: 1 }),
      },
    ],
  ]
  for (const [what, faults, framesPerRepetition] of FAULTS) {
    test(`${what}: what is sure is true, within 20 %; else it is unsure or not measured`, () => {
      let sure = 0
      holds(filmed(faults, framesPerRepetition), 8, (one) => {
        const outcome = filmAndMeasure(one)
        if (outcome.metrics.confidence < SURE_CONFIDENCE) return
        assertTrue(outcome, one, { range: 0.2, tempo: 0.2 })
        sure += 1
      })
      assert.ok(sure > 0, 'nothing was sure')
    })
  }

  test('the range has no bias: within 3 degrees of the truth in 98 of 100 films, never off by more than 6', () => {
    const errors: number[] = []
    const noisy = filmed({ noise: real(0, 0.012), depth_noise: real(1, 3) })
    holds(noisy, 15, (one) => {
      const { truth, metrics } = filmAndMeasure(one)
      if (metrics.repetitions !== truth.repetitions.length || !metrics.range_of_motion_degrees) return
      const ranges = truth.repetitions.map(({ peak_degrees, rest_degrees }) => Math.abs(peak_degrees - rest_degrees))
      const error = metrics.range_of_motion_degrees.mean - ranges.reduce((sum, range) => sum + range, 0) / ranges.length
      errors.push(error)
      assert.ok(Math.abs(error) <= 6, `off by ${error}`)
    })
    const bias = errors.reduce((sum, error) => sum + error, 0) / errors.length
    assert.ok(Math.abs(bias) < 1, `bias ${bias}`)
    const far = errors.filter((error) => Math.abs(error) > 3).length
    assert.ok(far <= Math.max(1, 0.02 * errors.length), `${far} of ${errors.length} off by more than 3 degrees`)
  })

  test('a count and a verdict are two things: repetitions short of the target are repetitions', () => {
    const narrow = fc.tuple(filmed({ noise: real(0, 0.003) }), real(0.75, 1.25))
    let sure = 0
    fc.assert(
      fc.property(narrow, ([one, up]) => {
        const { rest_degrees, peak_degrees } = one.exercise
        const target = rest_degrees + up * (peak_degrees - rest_degrees)
        const target_range_degrees =
          peak_degrees > rest_degrees ? { min: Math.min(target, 179), max: 180 } : { min: 0, max: Math.max(target, 1) }
        const exercise = { ...one.exercise, variation: 0 }
        const { truth, metrics } = filmAndMeasure({ ...one, exercise, config: { ...one.config, target_range_degrees } })
        if (metrics.confidence < SURE_CONFIDENCE) return
        sure += 1
        assert.equal(metrics.repetitions, truth.repetitions.length)
        const beyond = Math.abs(up - 1) * Math.abs(peak_degrees - rest_degrees)
        if (beyond > 6) assert.equal(metrics.repetitions_to_target, up <= 1 ? truth.repetitions.length : 0)
      }),
      { numRuns: soakRuns(8) },
    )
    assert.ok(sure > 0, 'nothing was sure')
  })

  test('with low visibility nothing is measured and no number is given', () => {
    const unseen = fc.tuple(filmed(), fc.nat(2), real(0.55, 1), real(0, 0.49))
    fc.assert(
      fc.property(unseen, ([one, point, share, visibility]) => {
        const hide = (batches: PoseBatch[]) => {
          let spread = 0
          for (const { landmarks, timestamps } of batches)
            for (let frame = 0; frame < timestamps.length; frame += 1) {
              spread = (spread + 0.618034) % 1
              if (spread > share) continue
              for (const name of one.config.landmarks.filter((_, index) => index % 3 === point))
                landmarks[frame * VALUES_PER_FRAME + landmarkIndex(name) * 4 + 3] = visibility
            }
          return batches
        }
        const { metrics, repetitions } = filmAndMeasure(one, hide)
        const { media_id: _, measured, reason, confidence: __, ...numbers } = metrics
        assert.deepEqual([measured, reason], [false, 'low_visibility'])
        assert.deepEqual(new Set(Object.values(numbers)), new Set([null]))
        assert.deepEqual(repetitions, [])
      }),
      { numRuns: soakRuns(8) },
    )
  })

  test('a point of the joint that is never seen: not measured, on either side of an exercise for both', () => {
    for (const side of ['left', 'right', 'both', 'in_turns'] as const)
      for (const name of side === 'right'
        ? (['right_hip', 'right_knee'] as const)
        : (['left_knee', 'left_ankle'] as const)) {
        const exercise = { ...TEN_KNEE_BENDS, side }
        const camera = { ...STEADY_CAMERA, hidden: [name] }
        const { metrics } = filmAndMeasure({ exercise, camera, config: configFor(exercise), seed: 1 })
        assert.equal(metrics.reason, 'low_visibility', `${side} ${name}`)
      }
  })

  test('frames in any order, some twice: the same answer', () => {
    holds(filmed({ noise: real(0, 0.003), lost: real(0, 0.1) }), 8, (one) => {
      const shuffle = (batches: PoseBatch[]) => {
        const random = randomFrom(one.seed)
        return [...batches, ...batches.filter(() => random() < 0.3)]
          .map((batch) => ({ batch, place: random() }))
          .sort((a, b) => a.place - b.place)
          .map(({ batch }) => batch)
      }
      const { metrics, repetitions } = filmAndMeasure(one)
      const again = filmAndMeasure(one, shuffle)
      assert.deepEqual({ metrics, repetitions }, { metrics: again.metrics, repetitions: again.repetitions })
    })
  })

  test('a camera that is turned on for the last of four sets: its repetitions are measured, but not sure', () => {
    const batches = bends(90_000)
    const sets = [0, 30_000, 60_000, 90_000].map((from_ms) => ({ media_id: 'knee', from_ms, to_ms: from_ms + 27_000 }))
    const exercises = [{ media_id: 'knee', pose_config: configFor(TEN_KNEE_BENDS) }]
    const [metrics] = measure(batches, { spans: sets, exercises }).exercises
    assert.deepEqual([metrics?.measured, metrics?.repetitions], [true, 10])
    assert.ok((metrics?.confidence ?? 1) < SURE_CONFIDENCE)
    assert.ok((metrics?.not_visible_ms ?? 0) >= 81_000)
  })

  test('any numbers are answered: nothing throws, every number is finite', () => {
    const anything = fc.float({ noNaN: true, noDefaultInfinity: true })
    const values = fc.array(anything, { minLength: 1, maxLength: 300 })
    const times = fc.array(fc.nat({ max: 0xffff_ffff }), { minLength: 1, maxLength: 60 })
    fc.assert(
      fc.property(
        values,
        fc.oneof(
          times,
          times.map((all) => all.map((time) => time % 5_000)),
        ),
        (numbers, all) => {
          const batch: PoseBatch = {
            fpsHint: 30,
            timestamps: Uint32Array.from(all),
            landmarks: Float32Array.from(
              { length: all.length * VALUES_PER_FRAME },
              (_, at) => numbers[at % numbers.length] ?? 0,
            ),
          }
          const metrics = measure([batch], {
            spans: [{ media_id: 'a', from_ms: 0, to_ms: null }],
            exercises: [{ media_id: 'a', pose_config: configFor(TEN_KNEE_BENDS, { side: 'auto' }) }],
          })
          assert.doesNotMatch(
            JSON.stringify(metrics, (_, value) => (Number.isNaN(value) ? 'NaN' : value)),
            /NaN|Infinity/,
          )
          for (const { measured, reason, confidence } of metrics.exercises) {
            assert.equal(measured, reason === null)
            assert.ok(confidence >= 0 && confidence <= 1)
          }
        },
      ),
    )
  })
})
