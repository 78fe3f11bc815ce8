import type { Seen } from '../camera/messages.ts'
import { createCurrentExercise } from './current-exercise.ts'
import { createPain } from './pain.ts'
import { BETWEEN, type PlayerDeps } from './player-deps.ts'
import { nextOpen, repsOf, startState } from './player-state.ts'
import { createPlayerStore } from './player-store.ts'
import { repsOfSet } from './progress.ts'

// The logic of a session, without a browser: the page shows its state and calls its actions; camera, voice and reports are
// passed in. The phases are here, the exercise that the session is at in current-exercise.ts, pain in pain.ts.

export type Player = ReturnType<typeof createPlayer>

export function createPlayer(deps: PlayerDeps) {
  const { exercises, now, reports, say } = deps
  const store = createPlayerStore(startState(exercises, deps.ended))
  const { getState, subscribe, change } = store
  const exercise = createCurrentExercise(deps, store)

  function next(): void {
    const index = nextOpen(exercises, getState().outcomes)
    if (index < 0) return finish('ended_naturally', 'completed')
    const done = exercise.takeUp(exercises[index])
    const set = Math.min(exercises[index]?.sets ?? 1, (done?.sets_done ?? 0) + 1)
    change({ phase: 'prepare', index, set, reps: done ? repsOfSet(done) : 0, paused: false })
  }

  function finish(termination: 'ended_naturally' | 'ended_explicit', reason: 'completed' | 'user_exit'): void {
    if (getState().phase === 'done') return
    const at_ms = now()
    reports.media('session_end', BETWEEN, at_ms, { reason })
    reports.end(termination)
    change({ phase: 'done', paused: false, pain: null })
    if (termination === 'ended_naturally') say('session_done')
  }

  function setDone(): void {
    if (getState().phase !== 'work') return
    const at_ms = now()
    if (!exercise.finishSet(at_ms)) return
    if (getState().set < exercise.get().sets) {
      change({ phase: 'rest', paused: false })
      say('rest')
      return
    }
    exercise.close('completed', at_ms)
    if (nextOpen(exercises, getState().outcomes) >= 0) say('exercise_done')
    next()
  }

  const isCounting = () => getState().phase === 'work' && !getState().paused

  function counted(reps: number | undefined): void {
    if (reps === undefined) return
    change({ reps })
    say({ count: reps })
    const wanted = repsOf(exercise.get())
    if (wanted !== null && reps >= wanted) setDone()
  }

  function resume(): void {
    if (!getState().paused) return
    change({ paused: false })
    if (getState().phase === 'work') exercise.enter(now())
  }

  return {
    getState,
    subscribe,
    current: exercise.get,
    /** Goes from the overview to the first unfinished exercise. */
    start() {
      if (getState().phase === 'overview') next()
    },
    /** The patient is ready: starts the countdown of three seconds. */
    ready() {
      const { phase, set } = getState()
      if (phase === 'prepare' || phase === 'rest')
        change({ phase: 'countdown', set: phase === 'rest' ? set + 1 : set, reps: exercise.repsOfSet() })
    },
    beginSet() {
      const { phase, paused } = getState()
      if (phase !== 'countdown' || paused) return
      exercise.enter(now())
      change({ phase: 'work', reps: exercise.repsOfSet() })
      say('begin')
    },
    setDone,
    /** Keeps the time of exercise until now. */
    tick: () => exercise.tick(now()),
    /** The patient counts. */
    tap() {
      if (isCounting()) counted(exercise.countByPatient(now()))
    },
    see(seen: Seen) {
      if (!isCounting()) return
      change({ seen })
      counted(exercise.countByCamera(seen.repetitions, now()))
    },
    pause() {
      const { paused, phase } = getState()
      if (paused || phase === 'overview' || phase === 'done') return
      const at_ms = now()
      if (phase === 'work') {
        reports.media('video_paused', exercise.get().id, at_ms, { reason: 'user' })
        exercise.leave(at_ms)
      }
      change({ paused: true })
    },
    resume,
    skip() {
      const at_ms = now()
      if (!exercise.isOpen()) return
      exercise.close('skipped', at_ms)
      next()
    },
    ...createPain({ store, exercise, now, reports, resume, next }),
    /** The consent to exercising at home was withdrawn: nothing more is reported, only that the session has ended. */
    withdraw() {
      if (getState().phase === 'done') return
      exercise.drop(now())
      reports.media('session_end', BETWEEN, now(), { reason: 'user_exit' })
      change({ phase: 'done', paused: false, pain: null, seen: null, withdrawn: true })
    },
    /** Ends the session early. */
    stop() {
      exercise.giveUp(now)
      finish('ended_explicit', 'user_exit')
    },
  }
}
