import { BETWEEN, type PlayerDeps } from './player-deps.ts'
import type { Outcome, RunExercise } from './player-state.ts'
import type { PlayerStore } from './player-store.ts'
import { doneOf, freshProgress, type Progress, repsOfSet, withRepetitions, withSetDone, withWork } from './progress.ts'

type Deps = Pick<PlayerDeps, 'exercises' | 'progress' | 'keep' | 'reports' | 'counter'>

export type CurrentExercise = ReturnType<typeof createCurrentExercise>

/** The exercise that the session is at: what is done of it, and what is reported and kept of that. */
export function createCurrentExercise({ exercises, progress, keep, reports, counter }: Deps, store: PlayerStore) {
  const kept = progress && { ...progress, running_at_ms: null }
  /** None before its first set. */
  let done: Progress | null = null
  /** Repetitions that the camera did not count: before it started, or by the patient since. */
  let notByCamera = 0

  function update(next: Progress | null): void {
    done = next
    keep(next)
  }

  const get = (): RunExercise => {
    const exercise = exercises[store.getState().index]
    if (!exercise) throw new Error('the session has no such exercise')
    return exercise
  }

  /** A set starts or resumes. */
  function enter(at_ms: number): void {
    const exercise = get()
    if (!done) reports.exercise('started', exercise.id, at_ms)
    const seconds = exercise.video_duration_seconds
    reports.media('session_start', exercise.id, at_ms, seconds === null ? {} : { total_duration_seconds: seconds })
    const begun = done ?? freshProgress(exercise.id)
    if (counter.enter(exercise, at_ms)) notByCamera = begun.repetitions
    update({ ...begun, running_at_ms: at_ms })
  }

  /** The set ends or pauses. */
  function leave(at_ms: number): void {
    if (!done || done.running_at_ms === null) return
    update({ ...withWork(done, at_ms), running_at_ms: null })
    reports.media('session_start', BETWEEN, at_ms)
    counter.pause(at_ms)
  }

  /** Reports the end of the exercise, with what was done of it. */
  function close(outcome: Outcome, at_ms: number): void {
    leave(at_ms)
    const { id } = get()
    const data = done ? doneOf(done) : undefined
    reports.exercise(outcome, id, at_ms, data)
    if (done) counter.end(at_ms)
    update(null)
    const { outcomes, repetitions, active_seconds } = store.getState()
    store.change({
      outcomes: { ...outcomes, [id]: outcome },
      repetitions: { ...repetitions, [id]: data?.repetitions_completed ?? 0 },
      active_seconds: active_seconds + (data?.duration_seconds ?? 0),
      seen: null,
    })
  }

  /** Returns the repetitions of the set when there are more now. */
  function count(repetitions: number, by: 'camera' | 'patient', at_ms: number): number | undefined {
    if (!done || repetitions <= done.repetitions) return undefined
    if (by === 'patient') notByCamera += repetitions - done.repetitions
    const counted = withRepetitions(withWork(done, at_ms), repetitions, by)
    update(counted)
    return repsOfSet(counted)
  }

  // The earlier page was closed during a set: the exercise ended there, not when this page opened.
  if (progress && progress.running_at_ms !== null) {
    reports.media('session_start', BETWEEN, progress.running_at_ms)
    keep(kept)
  }

  return {
    get,
    enter,
    leave,
    close,
    isOpen: () => store.getState().outcomes[get().id] === undefined,
    repsOfSet: () => (done ? repsOfSet(done) : 0),
    /** Continues what an earlier page kept of the exercise. Returns its progress. */
    takeUp(exercise: RunExercise | undefined): Progress | null {
      done = kept?.id === exercise?.id ? kept : null
      return done
    },
    /** Returns whether a set had started. */
    finishSet(at_ms: number): boolean {
      if (!done) return false
      leave(at_ms)
      update(withSetDone(done))
      return true
    },
    countByPatient: (at_ms: number) => count((done?.repetitions ?? 0) + 1, 'patient', at_ms),
    countByCamera: (repetitions: number, at_ms: number) => count(notByCamera + repetitions, 'camera', at_ms),
    /** Keeps the time of exercise until now. */
    tick(at_ms: number): void {
      if (done && done.running_at_ms !== null) update(withWork(done, at_ms))
    },
    /** The session ends during the exercise. Those that did not start are abandoned by the server. */
    giveUp(now: () => number): void {
      const { phase, outcomes } = store.getState()
      // After a reload the exercise that had started is not entered again yet.
      if (phase === 'overview' && kept?.id === get().id) done = kept
      if (done && outcomes[get().id] === undefined) close('abandoned', now())
    },
    /** Nothing of it is reported. */
    drop(at_ms: number): void {
      counter.end(at_ms)
      update(null)
    },
  }
}
