import type { EndedExercise, ExerciseEvent, PainBand, RunStatus } from '@tendon/contracts'

/** "Run exercise events: 200 per hour per run", "run pain reports: 50 per hour per run". */
export const EXERCISE_EVENTS_PER_HOUR = 200
export const PAIN_REPORTS_PER_HOUR = 50

/** A run is stale two hours after its last event. */
export const STALE_AFTER_MS = 2 * 60 * 60 * 1000

export const isStale = ({ last_event_at }: { last_event_at: string }, now: Date): boolean =>
  Date.parse(last_event_at) < now.getTime() - STALE_AFTER_MS

export const REPLAY_URL_SECONDS = 300

/** Bands of the numeric rating scale: 0, 1 to 3, 4 to 6, 7 to 10. */
export function bandOf(severity: number): PainBand {
  if (severity === 0) return 'none'
  if (severity <= 3) return 'mild'
  return severity <= 6 ? 'moderate' : 'severe'
}

export const isRunning = ({ status }: { status: RunStatus }): boolean => status === 'in_progress'

interface Planned {
  id: string
  exercise_id: string
  side: string | null
  pose_config: { id: string; version: number; tracking_enabled: boolean; engine_code: string; config: object } | null
}

/** What telemetry needs to know of an exercise of the run; nothing changes it later. */
export interface ManifestItem {
  media_id: string
  exercise_id: string
  /** The configuration for packages/pose; null when the exercise is not tracked. */
  pose_config: Record<string, unknown> | null
  pose_config_id: string | null
  pose_config_version: number | null
}

export const manifestOf = (exercises: readonly Planned[]): ManifestItem[] =>
  exercises.map(({ id, exercise_id, side, pose_config }) => {
    const followed = pose_config?.tracking_enabled ? pose_config : null
    return {
      media_id: id,
      exercise_id,
      // The side that the plan asks for is the one that counts.
      pose_config: followed && { engine_code: followed.engine_code, ...followed.config, ...(side && { side }) },
      pose_config_id: followed?.id ?? null,
      pose_config_version: followed?.version ?? null,
    }
  })

/** The event with which an exercise came to its end. */
export type OutcomeEvent = Pick<ExerciseEvent, 'session_exercise_id' | 'data'> & {
  type: EndedExercise['outcome']
  created_at: string
}

export const endedExercises = (outcomes: readonly OutcomeEvent[]): EndedExercise[] =>
  outcomes.map(({ session_exercise_id: id, type: outcome, data }) => ({
    id,
    outcome,
    repetitions: data.repetitions_completed ?? null,
  }))

/** The reported time of exercise, at most the time that has passed: of an exercise until it was reported, of all until `until`. */
export function activeSeconds(outcomes: readonly OutcomeEvent[], run: { started_at: string; until: string }): number {
  const secondsTo = (time: string) => Math.max(0, (Date.parse(time) - Date.parse(run.started_at)) / 1000)
  const sum = outcomes
    .map(({ data, created_at }) => Math.min(data.duration_seconds ?? 0, secondsTo(created_at)))
    .reduce((all, one) => all + one, 0)
  return Math.min(sum, secondsTo(run.until))
}

/** The exercises of a run that have not come to an end. */
export const openExercises = (all: readonly string[], outcomes: readonly OutcomeEvent[]): string[] =>
  all.filter((id) => !outcomes.some(({ session_exercise_id }) => session_exercise_id === id))

/** A consent that ended. */
export interface Withdrawal {
  withdrawn_at: string
  /** null: it was not given again. */
  granted_again_at: string | null
}

/**
 * Whether it happened while the consent was withdrawn. What happened before may still arrive; a report without a time happened
 * now, and none happened before its run.
 */
export function isWithoutConsent(
  withdrawals: readonly Withdrawal[],
  { started_at }: { started_at: string },
  occurredAt: string | undefined,
): boolean {
  const told = Date.parse(occurredAt ?? '')
  const at = Number.isNaN(told) ? Number.POSITIVE_INFINITY : Math.max(told, Date.parse(started_at))
  return withdrawals.some(
    ({ withdrawn_at, granted_again_at: again }) =>
      at > Date.parse(withdrawn_at) && (again === null || at <= Date.parse(again)),
  )
}

interface Consents {
  telerehab: boolean
  restricted: boolean
}

/** A token is issued only for a run in progress, with consent, and without a restriction. */
export const mayHaveToken = (run: { status: RunStatus }, { telerehab, restricted }: Consents): boolean =>
  isRunning(run) && telerehab && !restricted
