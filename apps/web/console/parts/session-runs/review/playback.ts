import { withoutLate } from '@tendon/pose'
import type { RunTimeline } from '@tendon/sdk'

export interface Stretch {
  from_ms: number
  to_ms: number
}

export interface Playing {
  /** The exercise whose video is shown, if any. */
  exercise: RunTimeline['exercises'][number] | undefined
  position_seconds: number
  playing: boolean
}

export interface Playback {
  /** What the patient's player showed at a time. */
  at(ms: number): Playing
  /** The intervals in which the patient paused. */
  pauses: Stretch[]
  bufferings: Stretch[]
  /** The intervals in which an exercise was the current one. */
  spans: (Stretch & { exercise: RunTimeline['exercises'][number] })[]
}

type Timed = RunTimeline['media_events'][number] & { at_ms: number }

type Timeline = Pick<RunTimeline, 'exercises' | 'media_events'> &
  Record<'pain_reports' | 'exercise_events', readonly { at_ms: number | null }[]>

export const durationOf = ({ media_events, pain_reports, exercise_events, exercises }: Timeline): number =>
  Math.max(
    1_000,
    ...[...media_events, ...pain_reports, ...exercise_events].map(({ at_ms }) => at_ms ?? 0),
    ...exercises.map(({ to_ms }) => to_ms ?? 0),
  )

/** Playback from the media events. When a video played longer than its duration, it has looped. */
export function playbackOf(timeline: Timeline): Playback {
  const duration = durationOf(timeline)
  const events = withoutLate(timeline.media_events.filter((event): event is Timed => event.at_ms !== null))
  const exercises = new Map(timeline.exercises.map((one) => [one.session_exercise_id, one]))
  if (events.length === 0) return roughPlayback(timeline)

  return {
    spans: spansOf(events, exercises),
    pauses: pausesOf(events),
    bufferings: between(events, 'buffering_start', 'buffering_end', duration),
    at(ms) {
      const current = events.findLast(({ at_ms }) => at_ms <= ms)
      const exercise =
        exercises.get(current?.media_id ?? '') ??
        exercises.get(events.findLast(({ at_ms, media_id }) => at_ms <= ms && exercises.has(media_id))?.media_id ?? '')
      if (!exercise) return { exercise: undefined, position_seconds: 0, playing: false }
      const own = events.filter(({ media_id, at_ms }) => media_id === exercise.session_exercise_id && at_ms <= ms)
      const isCurrent = current?.media_id === exercise.session_exercise_id
      return { exercise, ...positionAt(own, isCurrent ? ms : (current?.at_ms ?? ms), exercise.video_duration_seconds) }
    },
  }
}

/** Media events are deleted after a week; afterwards only start and end of each exercise are known. */
function roughPlayback({ exercises }: Timeline): Playback {
  const spans = exercises.flatMap((exercise) => {
    const { from_ms, to_ms } = exercise
    return from_ms === null || to_ms === null ? [] : [{ exercise, from_ms, to_ms }]
  })
  return {
    spans,
    pauses: [],
    bufferings: [],
    at(ms) {
      const span = spans.findLast(({ from_ms }) => from_ms <= ms)
      if (!span) return { exercise: undefined, position_seconds: 0, playing: false }
      const seconds = (Math.min(ms, span.to_ms) - span.from_ms) / 1000
      const length = span.exercise.video_duration_seconds
      return {
        exercise: span.exercise,
        position_seconds: length ? seconds % length : seconds,
        playing: ms < span.to_ms,
      }
    },
  }
}

function positionAt(events: readonly Timed[], ms: number, length: number | null) {
  let [position, since, playing] = [0, 0, false]
  for (const { event, at_ms, position_seconds } of events) {
    const ran = playing ? position + (at_ms - since) / 1000 : position
    position = position_seconds ?? ran
    since = at_ms
    if (event === 'video_played' || event === 'buffering_end') playing = true
    if (event === 'video_paused' || event === 'buffering_start' || event === 'session_start') playing = false
  }
  const now = playing ? position + (ms - since) / 1000 : position
  return { position_seconds: length ? now % length : now, playing }
}

/**
 * A page that disappeared reports no end: its exercise lasted until the last thing that is known of it, not until the run
 * continued on another device or ended by itself.
 */
function spansOf(events: readonly Timed[], exercises: ReadonlyMap<string, Playing['exercise']>) {
  const spans: Playback['spans'] = []
  let open: Playback['spans'][number] | undefined
  for (const { media_id, at_ms, event } of events) {
    const exercise = exercises.get(media_id)
    const isOpen = open?.exercise.session_exercise_id === media_id
    if (open) open.to_ms = isOpen && event === 'session_start' ? lastKnown(open, at_ms) : at_ms
    if (exercise && (!isOpen || event === 'session_start')) {
      open = { exercise, from_ms: at_ms, to_ms: at_ms }
      spans.push(open)
    }
    if (event === 'session_end' || !exercise) open = undefined
  }
  if (open) open.to_ms = lastKnown(open)
  return spans
}

const lastKnown = ({ exercise, to_ms }: Playback['spans'][number], before_ms = Number.POSITIVE_INFINITY): number =>
  Math.max(to_ms, ...exercise.repetitions.map(({ end_ms }) => end_ms).filter((end_ms) => end_ms <= before_ms))

/** Pauses, for pain or another reason, until the exercise resumed. The end of an exercise is not a pause. */
function pausesOf(events: readonly Timed[]): Stretch[] {
  return events.flatMap((event, index) => {
    if (event.event !== 'video_paused') return []
    const again = events.slice(index + 1).find(({ media_id }) => media_id === event.media_id)
    const goesOn = again?.event === 'video_played' || again?.event === 'session_start'
    return goesOn ? [{ from_ms: event.at_ms, to_ms: again.at_ms }] : []
  })
}

function between(events: readonly Timed[], from: string, to: string, duration: number): Stretch[] {
  return events.flatMap((event, index) => {
    if (event.event !== from) return []
    const end = events.slice(index + 1).find((other) => other.media_id === event.media_id && other.event === to)
    return [{ from_ms: event.at_ms, to_ms: end?.at_ms ?? duration }]
  })
}
