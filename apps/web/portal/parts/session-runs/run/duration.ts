import { holdOf, type RunExercise, repsOf, workSecondsOf } from './player-state.ts'

const REPETITION_SECONDS = 4
const PREPARE_SECONDS = 20

/** Estimated duration of the exercises. */
export function minutesOf(exercises: readonly RunExercise[]): number {
  const seconds = exercises.reduce((sum, exercise) => {
    const reps = repsOf(exercise)
    const work = reps === null ? workSecondsOf(exercise) : reps * (REPETITION_SECONDS + (holdOf(exercise) ?? 0))
    return sum + PREPARE_SECONDS + exercise.sets * work + (exercise.sets - 1) * exercise.rest_seconds
  }, 0)
  return Math.max(1, Math.round(seconds / 60))
}
