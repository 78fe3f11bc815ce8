import type { MediaEvent, NewExerciseEvent, NewPainReport } from '@tendon/sdk'
import type { Ended, Outcome, RunExercise } from './player-state.ts'
import type { Progress } from './progress.ts'

// What the player is given. All times are milliseconds of the run.

export interface Reports {
  exercise(
    type: 'started' | 'paused_for_pain' | Outcome,
    id: string,
    at_ms: number,
    data?: NewExerciseEvent['data'],
  ): void
  pain(report: Omit<NewPainReport, 'client_event_id' | 'occurred_at'>, at_ms: number): void
  media(event: MediaEvent['event'], media_id: string, at_ms: number, data?: MediaEvent['data']): void
  end(termination: 'ended_naturally' | 'ended_explicit'): void
}

/** Counts repetitions while it is on. */
export interface RepetitionCounter {
  /** Starts or resumes. Returns whether it counts from zero now. */
  enter(exercise: RunExercise, at_ms: number): boolean
  pause(at_ms: number): void
  end(at_ms: number): void
}

export type Cue = 'begin' | 'rest' | 'set_done' | 'exercise_done' | 'session_done' | 'paused' | { count: number }

export interface PlayerDeps {
  exercises: readonly RunExercise[]
  /** What is known of exercises that ended earlier in this run. */
  ended: Ended
  /** What an earlier page kept of the exercise that had started. */
  progress: Progress | null
  /** Keeps what is done of the current exercise, for a later page; null when it has ended. */
  keep: (progress: Progress | null) => void
  now: () => number
  reports: Reports
  counter: RepetitionCounter
  say: (cue: Cue) => void
}

/** Between exercises and during rests and pauses no exercise is current, and movements count for none. */
export const BETWEEN = 'between-exercises'
