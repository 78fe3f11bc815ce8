import type { MediaEvent, NewPainReport } from '@tendon/sdk'
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

// The logic of a session, without a browser: the page shows its state and calls its actions; camera, voice and reports are
// passed in. All times are milliseconds of the run.

export interface Reports {
  exercise(
    type: 'started' | 'paused_for_pain' | Outcome,
    id: string,
    at_ms: number,
    data?: { sets_completed?: number; repetitions_completed?: number; duration_seconds?: number },
  ): void
  pain(report: Omit<NewPainReport, 'client_event_id' | 'occurred_at'>, at_ms: number): void
  media(event: MediaEvent['event'], media_id: string, at_ms: number, data?: MediaEvent['data']): void
  end(termination: 'ended_naturally' | 'ended_explicit'): void
}

/** Counts repetitions while it is on. */
export interface RepetitionCounter {
  begin(exercise: RunExercise, at_ms: number): void
  pause(at_ms: number): void
  resume(at_ms: number): void
  end(at_ms: number): void
}

export type Cue = 'begin' | 'rest' | 'set_done' | 'exercise_done' | 'session_done' | 'paused' | { count: number }

export interface PlayerDeps {
  exercises: readonly RunExercise[]
  /** What is known of exercises that ended earlier in this run. */
  ended: Ended
  now: () => number
  reports: Reports
  counter: RepetitionCounter
  say: (cue: Cue) => void
}

/** Between exercises and during rests and pauses no exercise is current, and movements count for none. */
export const BETWEEN = 'between-exercises'

export type Player = ReturnType<typeof createPlayer>

export function createPlayer({ exercises, ended, now, reports, counter, say }: PlayerDeps) {
  let state = startState(exercises, ended)
  const listeners = new Set<() => void>()
  /** State of the current exercise. */
  let begun = {
    started: false,
    work_ms: 0,
    since_ms: undefined as number | undefined,
    counted: 0,
    base: 0,
    setsDone: 0,
  }
  const freshExercise = () => {
    begun = { started: false, work_ms: 0, since_ms: undefined, counted: 0, base: 0, setsDone: 0 }
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
    if (!begun.started) reports.exercise('started', exercise.id, at_ms)
    const seconds = exercise.video_duration_seconds
    reports.media('session_start', exercise.id, at_ms, seconds === null ? {} : { total_duration_seconds: seconds })
    if (begun.started) counter.resume(at_ms)
    else counter.begin(exercise, at_ms)
    begun.started = true
    begun.since_ms = at_ms
  }

  /** Ends the current exercise. */
  function leave(at_ms: number): void {
    if (begun.since_ms === undefined) return
    begun.work_ms += at_ms - begun.since_ms
    begun.since_ms = undefined
    reports.media('session_start', BETWEEN, at_ms)
    counter.pause(at_ms)
  }

  /** Reports the end of the current exercise, with what was done of it. */
  function close(outcome: Outcome, at_ms: number): void {
    leave(at_ms)
    const { id } = current()
    const duration_seconds = Math.round(begun.work_ms / 100) / 10
    const data = { sets_completed: begun.setsDone, repetitions_completed: begun.counted, duration_seconds }
    reports.exercise(outcome, id, at_ms, begun.started ? data : undefined)
    if (begun.started) counter.end(at_ms)
    change({
      outcomes: { ...state.outcomes, [id]: outcome },
      repetitions: { ...state.repetitions, [id]: begun.counted },
      active_seconds: state.active_seconds + duration_seconds,
      seen: null,
    })
  }

  /** The session ends during an exercise. Those that did not start are abandoned by the server. */
  function giveUp(): void {
    if (begun.started && state.outcomes[current().id] === undefined) close('abandoned', now())
  }

  function next(): void {
    freshExercise()
    const index = nextOpen(exercises, state.outcomes)
    if (index < 0) finish('ended_naturally', 'completed')
    else change({ phase: 'prepare', index, set: 1, reps: 0, paused: false })
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
    if (state.phase !== 'work') return
    const at_ms = now()
    leave(at_ms)
    begun.setsDone += 1
    begun.base = begun.counted
    if (state.set < current().sets) {
      change({ phase: 'rest', paused: false })
      say('rest')
      return
    }
    close('completed', at_ms)
    if (nextOpen(exercises, state.outcomes) >= 0) say('exercise_done')
    next()
  }

  function count(counted: number): void {
    if (state.phase !== 'work' || state.paused || counted <= begun.counted) return
    begun.counted = counted
    const reps = counted - begun.base
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
        change({ phase: 'countdown', set: state.phase === 'rest' ? state.set + 1 : state.set, reps: 0 })
    },
    beginSet() {
      if (state.phase !== 'countdown' || state.paused) return
      enter(now())
      change({ phase: 'work', reps: 0 })
      say('begin')
    },
    setDone,
    /** The patient counts. */
    tap: () => count(begun.counted + 1),
    see(seen: Seen) {
      if (state.phase !== 'work' || state.paused) return
      change({ seen })
      count(seen.repetitions)
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
    /** The pain sheet was closed without a report. */
    noPain() {
      const was_running = state.pain?.was_running ?? false
      change({ pain: null })
      if (was_running) resume()
    },
    reportPain(report: Pick<NewPainReport, 'severity' | 'action' | 'note'>) {
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
    /** Ends the session early. */
    stop() {
      giveUp()
      finish('ended_explicit', 'user_exit')
    },
  }
}
