/** What is done of an exercise that has started and not ended. */
export interface Progress {
  id: string
  sets_done: number
  /** Repetitions in all sets, counted by the camera or by the patient. */
  repetitions: number
  /** Those of them that the patient counted. */
  tapped: number
  /** Repetitions in the finished sets. */
  in_finished_sets: number
  /** Time of exercise, without rests and pauses. */
  work_ms: number
  /** While a set runs: the last time that is known to belong to it. */
  running_at_ms: number | null
}

export const freshProgress = (id: string): Progress => ({
  id,
  sets_done: 0,
  repetitions: 0,
  tapped: 0,
  in_finished_sets: 0,
  work_ms: 0,
  running_at_ms: null,
})

export const repsOfSet = ({ repetitions, in_finished_sets }: Progress): number => repetitions - in_finished_sets

export const withRepetitions = (progress: Progress, repetitions: number, by: 'camera' | 'patient'): Progress => ({
  ...progress,
  repetitions,
  tapped: progress.tapped + (by === 'patient' ? repetitions - progress.repetitions : 0),
})

export const withSetDone = (progress: Progress): Progress => ({
  ...progress,
  sets_done: progress.sets_done + 1,
  in_finished_sets: progress.repetitions,
})

/** Adds the time of exercise since the last call. */
export const withWork = (progress: Progress, at_ms: number): Progress => ({
  ...progress,
  work_ms: progress.work_ms + Math.max(0, at_ms - (progress.running_at_ms ?? at_ms)),
  running_at_ms: at_ms,
})

/** What the player reports of an exercise that has ended. */
export const doneOf = ({ sets_done, repetitions, tapped, work_ms }: Progress) => ({
  sets_completed: sets_done,
  repetitions_completed: repetitions,
  repetitions_tapped: tapped,
  duration_seconds: Math.round(work_ms / 100) / 10,
})
