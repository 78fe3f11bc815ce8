import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import * as fc from 'fast-check'
import { STEADY_CAMERA } from './camera.ts'
import { type PoseBatch, VALUES_PER_FRAME } from './codec.ts'
import { type LiveMeasurement, startLive } from './live.ts'
import { measure } from './measure.ts'
import { bends, configFor, type Filmed, filmAndMeasure, filmed, real, TEN_KNEE_BENDS } from './motion.testing.ts'

type See = (repetitions: number, time_ms: number) => void

/** Gives the frames one by one, and after each the count to `see`. */
function play(live: LiveMeasurement, batches: PoseBatch[], to_ms = Number.POSITIVE_INFINITY, see: See = () => {}) {
  for (const { timestamps, landmarks } of batches)
    timestamps.forEach((time_ms, frame) => {
      if (time_ms >= to_ms) return
      const values = landmarks.subarray(frame * VALUES_PER_FRAME, (frame + 1) * VALUES_PER_FRAME)
      see(live.push({ time_ms, landmarks: values }).repetitions, time_ms)
    })
  return live
}

const start = ({ config, camera }: Filmed) => startLive(config, { media_id: 'knee', from_ms: camera.starts_ms })

describe('the live measurement', () => {
  test('the live measurement ends with the count of the finished measurement, and the same metrics', () => {
    const faults = {
      noise: real(0, 0.01),
      depth_noise: real(1, 3),
      lost: real(0, 0.3),
      wild: real(0, 0.03),
      visibility: real(0.4, 1),
      gaps: fc.array(fc.record({ from_seconds: real(0, 30), seconds: real(0.1, 4) }), { maxLength: 2 }),
    }
    fc.assert(
      fc.property(filmed(faults, 8), (one) => {
        const { batches, metrics, truth } = filmAndMeasure(one)
        const to_ms = one.camera.starts_ms + Math.ceil(truth.seconds * 1000)
        const live = play(start(one), batches, to_ms)
        const finished = live.finish(to_ms)
        assert.deepEqual(finished, metrics)
        if (metrics.repetitions !== null && live.state().measured)
          assert.equal(live.state().repetitions, metrics.repetitions)
      }),
      { numRuns: soakRuns(10), endOnFailure: true },
    )
  })

  test('the live measurement counts within 300 ms of the end of a repetition, and never backwards', () => {
    for (const frames_per_second of [10, 15, 30])
      for (const noise of [0, 0.002]) {
        const camera = { ...STEADY_CAMERA, frames_per_second, noise }
        const one = { exercise: TEN_KNEE_BENDS, camera, config: configFor(TEN_KNEE_BENDS), seed: 3 }
        const { batches, truth } = filmAndMeasure(one)
        const counted: number[] = []
        play(start(one), batches, undefined, (repetitions, time_ms) => {
          assert.ok(repetitions >= counted.length, `${repetitions} after ${counted.length}`)
          while (counted.length < repetitions) counted.push(time_ms)
        })
        const late = truth.repetitions.map(({ end_seconds }, index) => (counted[index] ?? 1e9) - end_seconds * 1000)
        assert.ok(Math.max(...late) <= 300, `${frames_per_second}: ${late.join()}`)
      }
  })

  test('the live measurement tells repetitions that reach the target from those that do not', () => {
    const config = configFor(TEN_KNEE_BENDS, { target_range_degrees: { min: 40, max: 60 } })
    const { batches } = filmAndMeasure({ exercise: TEN_KNEE_BENDS, camera: STEADY_CAMERA, config, seed: 1 })
    const { repetitions, repetitions_to_target } = play(startLive(config), batches).state()
    assert.deepEqual([repetitions, repetitions_to_target], [10, 0])
  })

  test('frames before the exercise, twice or out of order are left out', () => {
    const config = configFor(TEN_KNEE_BENDS)
    const { batches } = filmAndMeasure({ exercise: TEN_KNEE_BENDS, camera: STEADY_CAMERA, config, seed: 1 })
    const live = play(startLive(config, { from_ms: 0 }), [...batches, ...batches])
    assert.equal(live.state().repetitions, 10)
    assert.equal(play(startLive(config, { from_ms: 60_000 }), batches).state().reason, 'no_frames')
  })

  test('skipped rests give the same count as a recording with one span for each set', () => {
    const [first, second] = [
      { from_ms: 4_000, batches: bends(4_000, { repetitions: 4 }) },
      { from_ms: 90_000, batches: bends(90_000, { repetitions: 3 }) },
    ].map(({ from_ms, batches }) => ({ from_ms, batches, to_ms: (batches.at(-1)?.timestamps.at(-1) ?? 0) + 1 }))
    assert.ok(first && second)
    const config = configFor(TEN_KNEE_BENDS)
    const live = startLive(config, { media_id: 'knee', from_ms: first.from_ms })
    play(live, first.batches)
    live.leaveOut(second.from_ms - first.to_ms)
    play(live, second.batches)
    const { exercises } = measure([...first.batches, ...second.batches], {
      spans: [first, second].map(({ from_ms, to_ms }) => ({ media_id: 'knee', from_ms, to_ms })),
      exercises: [{ media_id: 'knee', pose_config: config }],
    })
    assert.equal(live.state().repetitions, 7)
    assert.deepEqual(live.finish(second.to_ms), exercises[0])
  })

  test('a frame costs less than a millisecond', () => {
    const exercise = { ...TEN_KNEE_BENDS, repetitions: 20 }
    const one = { exercise, camera: { ...STEADY_CAMERA, noise: 0.002 }, config: configFor(exercise), seed: 1 }
    const { batches } = filmAndMeasure(one)
    play(start(one), batches)
    const before = process.threadCpuUsage()
    let frames = 0
    play(start(one), batches, undefined, () => {
      frames += 1
    })
    const { user, system } = process.threadCpuUsage(before)
    assert.ok((user + system) / 1_000 / frames < 1, `${(user + system) / frames} µs`)
  })
})
