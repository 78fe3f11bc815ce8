import type { RunTimeline } from '@tendon/sdk'
import type { Playback } from './playback.ts'

type PainReport = RunTimeline['pain_reports'][number]

export type Marker = { key: string; at_ms: number } & (
  | { kind: 'exercise'; name: string }
  | ({ kind: 'pain' } & Pick<PainReport, 'severity' | 'action' | 'note' | 'warning_signs'>)
  | { kind: 'pause'; seconds: number }
  | { kind: 'buffering'; seconds: number }
  | { kind: 'skipped' | 'abandoned' | 'completed'; name: string }
)

/** The events of a run, in order of time. */
export function markersOf(timeline: RunTimeline, { pauses, bufferings, spans }: Playback): Marker[] {
  const nameOf = new Map(timeline.exercises.map((one) => [one.session_exercise_id, one.exercise_name]))
  const seen = new Set<string>()
  const markers: Marker[] = [
    ...spans.flatMap(({ exercise, from_ms }): Marker[] => {
      if (seen.has(exercise.session_exercise_id)) return []
      seen.add(exercise.session_exercise_id)
      return [
        { key: `e${exercise.session_exercise_id}`, kind: 'exercise', at_ms: from_ms, name: exercise.exercise_name },
      ]
    }),
    ...timeline.exercise_events.flatMap(({ id, type, at_ms, session_exercise_id }): Marker[] => {
      if (at_ms === null || type === 'started' || type === 'paused_for_pain') return []
      return [{ key: id, kind: type, at_ms: Math.max(0, at_ms), name: nameOf.get(session_exercise_id) ?? '' }]
    }),
    ...timeline.pain_reports.flatMap(({ id, at_ms, severity, action, note, warning_signs }): Marker[] =>
      at_ms === null
        ? []
        : [{ key: id, kind: 'pain', at_ms: Math.max(0, at_ms), severity, action, note, warning_signs }],
    ),
    ...pauses.map((stretch): Marker => ({ key: `p${stretch.from_ms}`, kind: 'pause', ...lasting(stretch) })),
    ...bufferings.map((stretch): Marker => ({ key: `b${stretch.from_ms}`, kind: 'buffering', ...lasting(stretch) })),
  ]
  return markers.sort((a, b) => a.at_ms - b.at_ms)
}

const lasting = ({ from_ms, to_ms }: Playback['pauses'][number]) => ({
  at_ms: from_ms,
  seconds: Math.round((to_ms - from_ms) / 100) / 10,
})
