import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunTimeline } from '@tendon/sdk'
import { playbackOf } from './playback.ts'

const exercise = { session_exercise_id: 'a', video_duration_seconds: 10, to_ms: null }
type Event = RunTimeline['media_events'][number]
const event = (name: Event['event'], media_id: string, at_ms: number, position_seconds: number | null = null) =>
  ({ event: name, media_id, at_ms, position_seconds }) as Event

const playback = (...media_events: Event[]) =>
  playbackOf({ exercises: [exercise], media_events, pain_reports: [], exercise_events: [] } as unknown as RunTimeline)

describe('playback in a review', () => {
  const one = playback(
    event('session_start', '-', 0),
    event('session_start', 'a', 5_000),
    event('video_played', 'a', 6_000, 0),
    event('buffering_start', 'a', 8_000, 2),
    event('buffering_end', 'a', 9_000, 2),
    event('video_paused', 'a', 12_000, 5),
    event('session_start', '-', 12_000),
    event('session_start', 'a', 20_000),
    event('video_played', 'a', 20_500, 5),
    event('session_start', '-', 30_000),
    event('session_end', '-', 31_000),
  )

  test('the position of the video follows the events, and a video that ended loops', () => {
    const at = (ms: number) => {
      const { position_seconds, playing } = one.at(ms)
      return [position_seconds, playing]
    }
    assert.deepEqual(at(7_000), [1, true])
    assert.deepEqual(at(8_500), [2, false])
    assert.deepEqual(at(15_000), [5, false])
    assert.deepEqual(at(21_500), [6, true])
    assert.deepEqual(at(27_000), [1.5, true])
    assert.equal(one.at(1_000).exercise, undefined)
  })

  test('without media events the times of the exercises are used', () => {
    const exercises = [{ ...exercise, from_ms: 2_000, to_ms: 9_000 }]
    const rough = playbackOf({
      exercises,
      media_events: [],
      pain_reports: [],
      exercise_events: [],
    } as unknown as RunTimeline)
    assert.equal(rough.at(5_000).position_seconds, 3)
    assert.equal(rough.spans.length, 1)
  })

  test('pauses, loading and exercises are intervals of the run', () => {
    assert.deepEqual(one.pauses, [{ from_ms: 12_000, to_ms: 20_000 }])
    assert.deepEqual(one.bufferings, [{ from_ms: 8_000, to_ms: 9_000 }])
    assert.deepEqual(
      one.spans.map(({ from_ms, to_ms }) => [from_ms, to_ms]),
      [
        [5_000, 12_000],
        [20_000, 30_000],
      ],
    )
  })
})
