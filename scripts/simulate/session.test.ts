import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MediaEvent } from '@tendon/contracts'
import { BATCH_FRAMES_MAX, encodeBatch, measure, SURE_CONFIDENCE } from '@tendon/pose'
import { randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { createEventParser } from '../../apps/telemetry/src/media/event.ts'
import { reduceMedia } from '../../apps/telemetry/src/media/reducer.ts'
import { framesOf, stepsOf } from './frames.ts'
import { cameraAtHome, type PlannedExercise } from './movement.ts'
import { rehearse, type Session } from './session.ts'

const SQUAT = {
  engine_code: 'blazepose-33',
  landmarks: ['left_hip', 'left_knee', 'left_ankle', 'right_hip', 'right_knee', 'right_ankle'],
  primary_angle: ['left_hip', 'left_knee', 'left_ankle'],
  side: 'auto',
  thresholds: { up_degrees: 120, down_degrees: 160 },
}
const exercise = (id: string, pose_config: PlannedExercise['pose_config']): PlannedExercise => ({
  id,
  sets: 2,
  reps: 6,
  hold_seconds: null,
  rest_seconds: 10,
  side: null,
  pose_config,
})
const EXERCISES = [exercise('squat', SQUAT), exercise('stretch', null), exercise('again', SQUAT)]
const SEEDS = Array.from({ length: soakRuns(10) }, (_, index) => soakSeed() + index)

function sessionOf(seed: number): Session {
  const random = randomFrom(seed)
  return rehearse(EXERCISES, { camera: cameraAtHome(random, 10), progress: random() }, random)
}

const eventsOf = ({ acts }: Session): MediaEvent[] =>
  acts.flatMap((act) => {
    if (act.kind !== 'media') return []
    const { event, media_id, data, at_ms } = act
    const timestamp = new Date(Date.UTC(2026, 10, 15) + at_ms).toISOString()
    return [
      { event, session_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17', media_id, media_type: 'video', timestamp, data },
    ]
  })

describe('a planned session', () => {
  test('a planned session is the same for the same random numbers, and has every kind of ending', () => {
    const [seed = 0] = SEEDS
    assert.deepEqual(sessionOf(seed), sessionOf(seed))
    const endings = new Set(Array.from({ length: 300 }, (_, index) => sessionOf(index).ending))
    assert.deepEqual(endings, new Set(['completed', 'left', 'pain']))
  })

  test('a planned session is ordered and complete: all its telemetry is valid, and its end comes last', () => {
    const parser = createEventParser()
    for (const seed of SEEDS) {
      const session = sessionOf(seed)
      const events = eventsOf(session)
      for (const event of events) {
        const parsed = parser.event(Buffer.from(JSON.stringify(event)))
        assert.deepEqual(parsed, { value: event }, `seed ${seed}`)
      }
      const steps = [...stepsOf(session, 20)]
      const times = steps.map(({ at_ms }) => at_ms)
      assert.deepEqual(times, times.toSorted((a, b) => a - b), `seed ${seed}`) // biome-ignore format: one line
      const last = steps.at(-1)
      assert.ok(last && 'act' in last && last.act.kind === 'media' && last.act.event === 'session_end')
      const acts = steps.flatMap((step) => ('act' in step ? [step.act] : []))
      assert.deepEqual(acts, session.acts, `seed ${seed}`)
      const media = reduceMedia(events)
      assert.equal(media.run?.events, events.length, 'no event is the repeat of another')
      assert.ok((media.run?.watch_seconds ?? 0) <= session.end_ms / 1000)
    }
  })

  test('a planned session sends every frame once, whatever fits into a batch', () => {
    for (const seed of SEEDS.slice(0, 3)) {
      const session = sessionOf(seed)
      const all = [...framesOf(session)].flatMap(({ timestamps }) => [...timestamps])
      for (const seconds of [1, 7, 1_000]) {
        const batches = [...stepsOf(session, seconds)].flatMap((step) => ('batch' in step ? [step.batch] : []))
        for (const batch of batches) assert.ok(encodeBatch(batch) && batch.timestamps.length <= BATCH_FRAMES_MAX)
        assert.deepEqual(batches.flatMap(({ timestamps }) => [...timestamps]), all) // biome-ignore format: one line
      }
    }
  })

  test('a planned session is measured as it was done', () => {
    let measured = 0
    for (const seed of SEEDS.slice(0, soakRuns(8))) {
      const session = sessionOf(seed)
      const exercises = EXERCISES.map(({ id, pose_config }) => ({ media_id: id, pose_config }))
      const metrics = measure(framesOf(session), { spans: reduceMedia(eventsOf(session)).spans, exercises })
      for (const { media_id, repetitions, reason, confidence } of metrics.exercises) {
        const own = session.films.filter((film) => film.media_id === media_id)
        const done = own.reduce((sum, { performed }) => sum + performed.repetitions.length, 0)
        assert.equal(repetitions === null, reason !== null)
        if (confidence < SURE_CONFIDENCE) continue
        assert.equal(repetitions, done, `seed ${seed}, ${media_id}`)
        measured += 1
      }
    }
    assert.ok(measured > 0)
  })
})
