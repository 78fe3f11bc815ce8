import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RunTimeline } from '@tendon/sdk'
import { playbackOf } from './playback.ts'

const repetition = {
  number: 1,
  side: 'left',
  start_ms: 7_000,
  peak_ms: 8_000,
  end_ms: 9_000,
  peak_degrees: 90,
  range_degrees: 80,
  tempo_seconds: 2,
  hold_seconds: 0,
  reached_target: null,
  feedback: [],
}
const exercise: RunTimeline['exercises'][number] = {
  session_exercise_id: 'a',
  exercise_id: 'e',
  exercise_name: 'Squat',
  video_url: null,
  video_provider: null,
  video_thumbnail_url: null,
  video_duration_seconds: 10,
  from_ms: null,
  to_ms: null,
  repetitions: [repetition],
}
type Event = RunTimeline['media_events'][number]
const event = (
  name: Event['event'],
  media_id: string,
  at_ms: number,
  position_seconds: number | null = null,
): Event => ({
  event: name,
  media_id,
  occurred_at: '',
  at_ms,
  position_seconds,
})

const playback = (...media_events: Event[]) =>
  playbackOf({ exercises: [exercise], media_events, pain_reports: [], exercise_events: [] })

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
    })
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

  test('the absence between two pages is no exercise, whatever the first page still reported', () => {
    const spans = (...events: Event[]) => playback(...events).spans.map(({ from_ms, to_ms }) => [from_ms, to_ms])
    const begun = [event('session_start', '-', 0), event('session_start', 'a', 5_000)]
    const again = [event('session_start', 'a', 90_000), event('session_end', '-', 95_000)]
    const hidden = event('page_hidden', 'a', 7_000)
    const left = playback(...begun, event('session_start', '-', 6_500), hidden, ...again)
    assert.deepEqual(
      left.spans.map(({ from_ms, to_ms }) => [from_ms, to_ms]),
      [
        [5_000, 6_500],
        [90_000, 95_000],
      ],
    )
    assert.equal(left.at(50_000).playing, false)
    assert.deepEqual(
      spans(...begun, event('video_played', 'a', 8_000), ...again),
      [
        [5_000, 9_000],
        [90_000, 95_000],
      ],
      'on another device: until the last thing that is known',
    )
  })

  test('an exercise that never ended lasts until the last thing that is known of it', () => {
    const abandoned = { at_ms: 7_200_000 }
    const { spans } = playbackOf({
      exercises: [exercise],
      media_events: [event('session_start', 'a', 0), event('page_hidden', 'a', 12_000)],
      pain_reports: [],
      exercise_events: [abandoned],
    })
    assert.deepEqual([spans[0]?.from_ms, spans[0]?.to_ms], [0, 12_000])
  })
})
