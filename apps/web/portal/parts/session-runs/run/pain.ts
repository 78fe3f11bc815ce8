import type { NewPainReport } from '@tendon/sdk'
import type { CurrentExercise } from './current-exercise.ts'
import { BETWEEN, type PlayerDeps } from './player-deps.ts'
import type { PlayerStore } from './player-store.ts'

interface Parts extends Pick<PlayerDeps, 'now' | 'reports'> {
  store: PlayerStore
  exercise: CurrentExercise
  resume(): void
  next(): void
}

/** "It hurts": the session pauses, the patient reports or not, and chooses how to go on. */
export function createPain({ store, exercise, now, reports, resume, next }: Parts) {
  return {
    hurts() {
      const { pain, phase, paused } = store.getState()
      if (pain || phase === 'done') return
      const at_ms = now()
      const was_running = !paused
      if (phase === 'work' && !paused) {
        const { id } = exercise.get()
        reports.media('video_paused', id, at_ms, { reason: 'pain' })
        reports.exercise('paused_for_pain', id, at_ms)
        exercise.leave(at_ms)
      }
      store.change({ pain: { at_ms, was_running }, paused: phase !== 'overview' })
    },
    /** The pain sheet was closed without a report. After a warning sign the session stays paused. */
    noPain(isWarned = false) {
      const was_running = store.getState().pain?.was_running ?? false
      store.change({ pain: null })
      if (was_running && !isWarned) resume()
    },
    reportPain(report: Pick<NewPainReport, 'severity' | 'action' | 'note' | 'warning_signs'>) {
      const { pain, phase, worst_pain } = store.getState()
      if (!pain) return
      const { action, severity } = report
      const session_exercise_id = phase !== 'overview' && exercise.isOpen() ? exercise.get().id : null
      // Before the report, because the report itself ends the exercise or the run, without what was done of it.
      if (action === 'skip_exercise') exercise.close('skipped', now())
      if (action === 'end_session') {
        exercise.giveUp(now)
        reports.media('session_end', BETWEEN, Math.max(now(), pain.at_ms + 1), { reason: 'user_exit' })
      }
      reports.pain({ ...report, session_exercise_id }, pain.at_ms)
      store.change({ pain: null, worst_pain: Math.max(severity, worst_pain ?? 0) })
      if (action === 'continue' && pain.was_running) resume()
      if (action === 'skip_exercise') next()
      if (action === 'end_session') store.change({ phase: 'done', paused: false })
    },
  }
}
