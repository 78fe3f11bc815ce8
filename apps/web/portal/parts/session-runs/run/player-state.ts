import type { RunPayload } from '@tendon/sdk'
import type { Seen } from '../camera/messages.ts'

export type RunExercise = RunPayload['exercises'][number]
export type Ended = Pick<RunPayload, 'ended_exercises' | 'worst_pain' | 'active_seconds'>
export type Outcome = Ended['ended_exercises'][number]['outcome']

/**
 * overview: the exercises of the session. prepare: instructions for the exercise. countdown: three seconds before a set.
 * work: a set. rest: between two sets. done: the session has ended.
 */
export type Phase = 'overview' | 'prepare' | 'countdown' | 'work' | 'rest' | 'done'

export interface PainStart {
  /** When "It hurts" was pressed. */
  at_ms: number
  /** Whether the set was running; if so, continuing resumes it. */
  was_running: boolean
}

export interface PlayerState {
  phase: Phase
  /** The index of the current exercise. */
  index: number
  /** Starts at 1. */
  set: number
  /** Repetitions in this set. */
  reps: number
  paused: boolean
  pain: PainStart | null
  /** How exercises of this run have ended. */
  outcomes: Readonly<Record<string, Outcome>>
  /** Repetitions of ended exercises; none where they are not known. */
  repetitions: Readonly<Record<string, number>>
  /** What the camera detects of the current exercise. */
  seen: Seen | null
  worst_pain: number | null
  /** Time of exercise in ended exercises, without rests and pauses. */
  active_seconds: number
  /** The session ended because the consent to exercising at home was withdrawn. */
  withdrawn: boolean
}

/** Seconds of one repetition or, without repetitions, of a set; null when it has no fixed duration. */
export const holdOf = ({ hold_seconds, pose_config }: RunExercise): number | null => {
  const configured = pose_config?.hold_seconds
  return hold_seconds ?? (typeof configured === 'number' ? configured : null)
}

/** A set ends after this many repetitions; null when it ends after a time. */
export const repsOf = ({ reps, kind }: RunExercise): number | null => reps ?? (kind === 'reps_based' ? 10 : null)

/** A set without repetitions lasts this long. */
export const workSecondsOf = (exercise: RunExercise): number => holdOf(exercise) ?? 30

/** The index of the first exercise without an outcome; -1 when all have one. */
export const nextOpen = (exercises: readonly RunExercise[], outcomes: PlayerState['outcomes']): number =>
  exercises.findIndex(({ id }) => outcomes[id] === undefined)

/** How many exercises have this outcome. */
export const countOf = (outcomes: PlayerState['outcomes'], outcome: Outcome): number =>
  Object.values(outcomes).filter((one) => one === outcome).length

/** What is known of a run: its ended exercises, pain and time. */
export const knownOf = ({ ended_exercises, worst_pain, active_seconds }: Ended) => ({
  outcomes: Object.fromEntries(ended_exercises.map(({ id, outcome }) => [id, outcome])),
  repetitions: Object.fromEntries(
    ended_exercises.flatMap(({ id, repetitions }) => (repetitions === null ? [] : [[id, repetitions]])),
  ),
  worst_pain,
  active_seconds,
})

export function startState(exercises: readonly RunExercise[], ended: Ended): PlayerState {
  const known = knownOf(ended)
  return {
    phase: 'overview',
    index: Math.max(0, nextOpen(exercises, known.outcomes)),
    set: 1,
    reps: 0,
    paused: false,
    pain: null,
    seen: null,
    withdrawn: false,
    ...known,
  }
}
