import type { MediaEvent, NewExerciseEvent, NewPainReport } from '@tendon/sdk'
import type { Seen } from '../camera/messages.ts'
import {
  type Ended,
  nextOpen,
  type Outcome,
  type PlayerState,
  type RunExercise,
  repsOf,
  startState,
} from './player-state.ts'
import { doneOf, freshProgress, type Progress, repsOfSet, withRepetitions, withSetDone, withWork } from './progress.ts'

// The logic of a session, without a browser: the page shows its state and calls its actions; camera, voice and reports are
// passed in. All times are milliseconds of the run.

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

export type Player = ReturnType<typeof createPlayer>

export function createPlayer({ exercises, ended, progress, keep, now, reports, counter, say }: PlayerDeps) {
  let state = startState(exercises, ended)
  const listeners = new Set<() => void>()
  const kept = progress && { ...progress, running_at_ms: null }
  /** Of the current exercise; none before its first set. */
  let done: Progress | null = null
  /** Repetitions of the current exercise that the camera did not count: before it started, or by the patient since. */
  let notByCamera = 0

  function update(next: Progress | null): void {
    done = next
    keep(next)
  }

  function change(changed: Partial<PlayerState>): void {
    state = { ...state, ...changed }
    for (const listener of listeners) listener()
  }
  const current = (): RunExercise => {
    const exercise = exercises[state.index]
    if (!exercise) throw new Error('the session has no such exercise')
    return exercise
  }

  /** Makes the exercise the current one, when its set starts or resumes. */
  function enter(at_ms: number): void {
    const exercise = current()
    if (!done) reports.exercise('started', exercise.id, at_ms)
    const seconds = exercise.video_duration_seconds
    reports.media('session_start', exercise.id, at_ms, seconds === null ? {} : { total_duration_seconds: seconds })
    const begun = done ?? freshProgress(exercise.id)
    if (counter.enter(exercise, at_ms)) notByCamera = begun.repetitions
    update({ ...begun, running_at_ms: at_ms })
  }

  /** Ends the current exercise. */
  function leave(at_ms: number): void {
    if (!done || done.running_at_ms === null) return
    update({ ...withWork(done, at_ms), running_at_ms: null })
    reports.media('session_start', BETWEEN, at_ms)
    counter.pause(at_ms)
  }

  /** Reports the end of the current exercise, with what was done of it. */
  function close(outcome: Outcome, at_ms: number): void {
    leave(at_ms)
    const { id } = current()
    const data = done ? doneOf(done) : undefined
    reports.exercise(outcome, id, at_ms, data)
    if (done) counter.end(at_ms)
    update(null)
    change({
      outcomes: { ...state.outcomes, [id]: outcome },
      repetitions: { ...state.repetitions, [id]: data?.repetitions_completed ?? 0 },
      active_seconds: state.active_seconds + (data?.duration_seconds ?? 0),
      seen: null,
    })
  }

  /** The session ends during an exercise. Those that did not start are abandoned by the server. */
  function giveUp(): void {
    // After a reload the exercise that had started is not entered again yet.
    if (state.phase === 'overview' && kept?.id === current().id) done = kept
    if (done && state.outcomes[current().id] === undefined) close('abandoned', now())
  }

  function next(): void {
    const index = nextOpen(exercises, state.outcomes)
    if (index < 0) return finish('ended_naturally', 'completed')
    done = kept?.id === exercises[index]?.id ? kept : null
    const set = Math.min(exercises[index]?.sets ?? 1, (done?.sets_done ?? 0) + 1)
    change({ phase: 'prepare', index, set, reps: done ? repsOfSet(done) : 0, paused: false })
  }

  function finish(termination: 'ended_naturally' | 'ended_explicit', reason: 'completed' | 'user_exit'): void {
    if (state.phase === 'done') return
    const at_ms = now()
    reports.media('session_end', BETWEEN, at_ms, { reason })
    reports.end(termination)
    change({ phase: 'done', paused: false, pain: null })
    if (termination === 'ended_naturally') say('session_done')
  }

  function setDone(): void {
    if (state.phase !== 'work' || !done) return
    const at_ms = now()
    leave(at_ms)
    update(withSetDone(done))
    if (state.set < current().sets) {
      change({ phase: 'rest', paused: false })
      say('rest')
      return
    }
    close('completed', at_ms)
    if (nextOpen(exercises, state.outcomes) >= 0) say('exercise_done')
    next()
  }

  function count(repetitions: number, by: 'camera' | 'patient'): void {
    if (state.phase !== 'work' || state.paused || !done || repetitions <= done.repetitions) return
    if (by === 'patient') notByCamera += repetitions - done.repetitions
    const counted = withRepetitions(withWork(done, now()), repetitions, by)
    update(counted)
    const reps = repsOfSet(counted)
    change({ reps })
    say({ count: reps })
    const wanted = repsOf(current())
    if (wanted !== null && reps >= wanted) setDone()
  }

  function pause(): void {
    if (state.paused || state.phase === 'overview' || state.phase === 'done') return
    const at_ms = now()
    if (state.phase === 'work') {
      reports.media('video_paused', current().id, at_ms, { reason: 'user' })
      leave(at_ms)
    }
    change({ paused: true })
  }

  function resume(): void {
    if (!state.paused) return
    change({ paused: false })
    if (state.phase === 'work') enter(now())
  }

  function skip(): void {
    const at_ms = now()
    if (state.outcomes[current().id] !== undefined) return
    close('skipped', at_ms)
    next()
  }

  const setReps = () => (done ? repsOfSet(done) : 0)

  // The earlier page was closed during a set: the exercise ended there, not when this page opened.
  if (progress && progress.running_at_ms !== null) {
    reports.media('session_start', BETWEEN, progress.running_at_ms)
    keep(kept)
  }

  return {
    getState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    current,
    /** Goes from the overview to the first unfinished exercise. */
    start() {
      if (state.phase === 'overview') next()
    },
    /** The patient is ready: starts the countdown of three seconds. */
    ready() {
      if (state.phase === 'prepare' || state.phase === 'rest')
        change({ phase: 'countdown', set: state.phase === 'rest' ? state.set + 1 : state.set, reps: setReps() })
    },
    beginSet() {
      if (state.phase !== 'countdown' || state.paused) return
      enter(now())
      change({ phase: 'work', reps: setReps() })
      say('begin')
    },
    setDone,
    /** Keeps the time of exercise until now. */
    tick() {
      if (done && done.running_at_ms !== null) update(withWork(done, now()))
    },
    /** The patient counts. */
    tap: () => count((done?.repetitions ?? 0) + 1, 'patient'),
    see(seen: Seen) {
      if (state.phase !== 'work' || state.paused) return
      change({ seen })
      count(notByCamera + seen.repetitions, 'camera')
    },
    pause,
    resume,
    skip,
    hurts() {
      if (state.pain || state.phase === 'done') return
      const at_ms = now()
      const was_running = !state.paused
      if (state.phase === 'work' && !state.paused) {
        reports.media('video_paused', current().id, at_ms, { reason: 'pain' })
        reports.exercise('paused_for_pain', current().id, at_ms)
        leave(at_ms)
      }
      change({ pain: { at_ms, was_running }, paused: state.phase !== 'overview' })
    },
    /** The pain sheet was closed without a report. After a warning sign the session stays paused. */
    noPain(isWarned = false) {
      const was_running = state.pain?.was_running ?? false
      change({ pain: null })
      if (was_running && !isWarned) resume()
    },
    reportPain(report: Pick<NewPainReport, 'severity' | 'action' | 'note' | 'warning_signs'>) {
      const { pain } = state
      if (!pain) return
      const { action, severity } = report
      const ofExercise = state.phase !== 'overview' && state.outcomes[current().id] === undefined
      const session_exercise_id = ofExercise ? current().id : null
      // Before the report, because the report itself ends the exercise or the run, without what was done of it.
      if (action === 'skip_exercise') close('skipped', now())
      if (action === 'end_session') {
        giveUp()
        reports.media('session_end', BETWEEN, Math.max(now(), pain.at_ms + 1), { reason: 'user_exit' })
      }
      reports.pain({ ...report, session_exercise_id }, pain.at_ms)
      change({ pain: null, worst_pain: Math.max(severity, state.worst_pain ?? 0) })
      if (action === 'continue' && pain.was_running) resume()
      if (action === 'skip_exercise') next()
      if (action === 'end_session') change({ phase: 'done', paused: false })
    },
    /** The consent to exercising at home was withdrawn: nothing more is reported, only that the session has ended. */
    withdraw() {
      if (state.phase === 'done') return
      counter.end(now())
      update(null)
      reports.media('session_end', BETWEEN, now(), { reason: 'user_exit' })
      change({ phase: 'done', paused: false, pain: null, seen: null, withdrawn: true })
    },
    /** Ends the session early. */
    stop() {
      giveUp()
      finish('ended_explicit', 'user_exit')
    },
  }
}
