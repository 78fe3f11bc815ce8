import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { checkBatch, encodeBatch, type PoseBatch } from './codec.ts'
import type { MediaSpan } from './frames.ts'
import { measure, startMeasurement } from './measure.ts'
import { bends, configFor, TEN_KNEE_BENDS } from './motion.testing.ts'

const CONFIG = configFor(TEN_KNEE_BENDS)

function answers(batches: PoseBatch[], spans: MediaSpan[], ids = ['a', 'b'], pose_config: unknown = CONFIG) {
  const metrics = measure(batches, { spans, exercises: ids.map((media_id) => ({ media_id, pose_config })) })
  return metrics.exercises.map(({ repetitions, reason }) => repetitions ?? reason)
}

describe('the time of exercises', () => {
  const both = [...bends(0), ...bends(26_500, { repetitions: 4 })]

  test('a frame belongs to the exercise that was current', () => {
    const spans = [
      { media_id: 'b', from_ms: 26_500, to_ms: 38_000 },
      { media_id: 'a', from_ms: 0, to_ms: 26_500 },
    ]
    assert.deepEqual(answers(both, spans), [10, 4])
  })

  test('one that was taken up again is one exercise', () => {
    const spans = [
      { media_id: 'a', from_ms: 0, to_ms: 26_500 },
      { media_id: 'b', from_ms: 38_000, to_ms: 64_500 },
      { media_id: 'a', from_ms: 64_500, to_ms: 91_000 },
    ]
    const batches = [...bends(0), ...bends(38_000, { repetitions: 10 }), ...bends(64_500)]
    assert.deepEqual(answers(batches, spans), [20, 10])
  })

  test('what has no end lasts until the last frame', () => {
    assert.deepEqual(answers(both, [{ media_id: 'a', from_ms: 0, to_ms: null }], ['a']), [14])
  })

  test('frames outside of every exercise are ignored', () => {
    assert.deepEqual(answers(both, [{ media_id: 'a', from_ms: 0, to_ms: 26_500 }]), [10, 'no_frames'])
    const strange = [{ media_id: 'x', from_ms: 0, to_ms: null }]
    assert.deepEqual(answers(both, strange), ['no_frames', 'no_frames'])
  })

  test('frames that stop halfway are low coverage', () => {
    assert.deepEqual(answers(both, [{ media_id: 'a', from_ms: 0, to_ms: 120_000 }], ['a']), ['low_coverage'])
  })

  test('without a session_start, frames or a configuration nothing is measured, and the reason is given', () => {
    const spans = [{ media_id: 'a', from_ms: 0, to_ms: 26_500 }]
    assert.deepEqual(answers(both, [], ['a']), ['no_session_start'])
    assert.deepEqual(answers([], spans, ['a']), ['no_frames'])
    assert.deepEqual(answers(both, spans, ['a'], null), ['no_configuration'])
    assert.deepEqual(answers(both, spans, ['a'], {}), ['invalid_configuration'])
  })

  test('a frame far in the future takes no memory and changes nothing', () => {
    const far = { fpsHint: 30, timestamps: new Uint32Array([4_294_967_295]), landmarks: new Float32Array(132) }
    const measurement = startMeasurement({
      spans: [{ media_id: 'a', from_ms: 0, to_ms: null }],
      exercises: [{ media_id: 'a', pose_config: CONFIG }],
    })
    for (const batch of [far, ...bends(0)]) measurement.add(batch)
    assert.equal(measurement.finish().exercises[0]?.repetitions, 10)
  })

  test('a film is the same for the same random numbers, and good to send', () => {
    assert.deepEqual(bends(1_000), bends(1_000))
    for (const batch of bends(0)) assert.equal(checkBatch(encodeBatch(batch)), batch.timestamps.length)
  })

  test('it runs in browsers: nothing of Node is imported', () => {
    for (const file of readdirSync(import.meta.dirname)) {
      if (/test/.test(file)) continue
      const source = readFileSync(new URL(file, import.meta.url), 'utf8')
      assert.doesNotMatch(source, /from '(?!\.\/)|node:|Buffer\.|process\./, file)
    }
  })
})
