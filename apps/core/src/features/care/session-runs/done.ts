import type { Done, ExerciseEvent, RunAnalytics } from '@tendon/contracts'
import { activeSeconds, type OutcomeEvent } from './rules.ts'

/** The end of an exercise, and what the camera counted of it. */
export type EndOfExercise = OutcomeEvent & { measured_repetitions: number | null }

interface Run {
  exercises_total: number
  started_at: string
  ended_at: string | null
  last_event_at: string
}

/** What the patient did in a run. Every reader takes it from here, so that all say the same. */
export function doneIn(run: Run, ends: readonly EndOfExercise[]): Done {
  const count = (outcome: OutcomeEvent['type']) => ends.filter(({ type }) => type === outcome).length
  return {
    exercises: {
      total: run.exercises_total,
      completed: count('completed'),
      skipped: count('skipped'),
      abandoned: count('abandoned'),
    },
    repetitions: {
      measured: sumOf(ends.map((end) => end.measured_repetitions)),
      tapped: sumOf(ends.map((end) => tappedIn(end.data, end.measured_repetitions !== null))),
    },
    active_seconds: activeSeconds(ends, { started_at: run.started_at, until: run.ended_at ?? run.last_event_at }),
  }
}

/**
 * The repetitions that the patient counted; null when not reported. Players before `repetitions_tapped` reported one number:
 * the camera's where it measured the exercise, otherwise the patient's.
 */
export function tappedIn(data: ExerciseEvent['data'], isMeasured: boolean): number | null {
  return data.repetitions_tapped ?? (isMeasured ? null : (data.repetitions_completed ?? null))
}

type Result = RunAnalytics['exercise_results'][number]

export const endOf = (events: Result['events']): Result['events'][number] | undefined =>
  events.find(({ type }) => type === 'completed' || type === 'skipped' || type === 'abandoned')

function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}
