import type { RunPayload } from '@tendon/sdk'
import type { Seen } from '../camera/messages.ts'

export type RunExercise = RunPayload['exercises'][number]
export type Outcome = 'completed' | 'skipped' | 'abandoned'

/**
 * overview: what the session has. prepare: how the exercise is done. countdown: three seconds to get into place. work: a set.
 * rest: between two sets. done: the session has ended.
 */
export type Phase = 'overview' | 'prepare' | 'countdown' | 'work' | 'rest' | 'done'

export interface PainStart {
  /** When "It hurts" was pressed. */
  at_ms: number
  /** The set was running: going on goes back to it. */
  was_running: boolean
}

export interface PlayerState {
  phase: Phase
  /** Of the current exercise. */
  index: number
  /** From 1. */
  set: number
  /** Repetitions in this set. */
  reps: number
  paused: boolean
  pain: PainStart | null
  /** The set ran when it was paused. */
  outcomes: Readonly<Record<string, Outcome>>
  /** Repetitions of exercises that were done in this tab. */
  repetitions: Readonly<Record<string, number>>
  /** What the camera sees of the current exercise. */
  seen: Seen | null
  worst_pain: number | null
}

/** Seconds of one repetition or, without repetitions, of a set; null: it takes as long as it takes. */
export const holdOf = ({ hold_seconds, pose_config }: RunExercise): number | null => {
  const configured = pose_config?.hold_seconds
  return hold_seconds ?? (typeof configured === 'number' ? configured : null)
}

/** A set is over after this many repetitions; null: after its time. */
export const repsOf = ({ reps, kind }: RunExercise): number | null => reps ?? (kind === 'reps_based' ? 10 : null)

/** A set without repetitions lasts this long. */
export const workSecondsOf = (exercise: RunExercise): number => holdOf(exercise) ?? 30

/** The first exercise that has no outcome; -1: all have one. */
export const nextOpen = (exercises: readonly RunExercise[], outcomes: PlayerState['outcomes']): number =>
  exercises.findIndex(({ id }) => outcomes[id] === undefined)

export function startState(exercises: readonly RunExercise[], ended: readonly string[]): PlayerState {
  const outcomes = Object.fromEntries(ended.map((id) => [id, 'completed' as const]))
  return {
    phase: 'overview',
    index: Math.max(0, nextOpen(exercises, outcomes)),
    set: 1,
    reps: 0,
    paused: false,
    pain: null,
    outcomes,
    repetitions: {},
    seen: null,
    worst_pain: null,
  }
}
