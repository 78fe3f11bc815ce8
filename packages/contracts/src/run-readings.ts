import { type Static, Type } from 'typebox'
import { Pose, PoseSummary, Repetition } from './run-pose.ts'
import {
  EXERCISE_OUTCOMES,
  ExerciseEvent,
  PainReport,
  prescription,
  RUN_STATUSES,
  runFields,
  Score,
  SessionFeedback,
} from './session-runs.ts'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'

// Runs as their readers see them.

const Count = Type.Integer({ examples: [3] })
const Seconds = Type.Number({ examples: [512.4] })
const Percent = Type.Number({ description: '0 to 100', examples: [1.8] })
const playback = {
  started_at: Nullable(Timestamp),
  ended_at: Nullable(Timestamp),
  startup_ms: Nullable(Type.Integer({ examples: [640] })),
  rebuffer_count: Count,
  rebuffer_ms: Count,
  rebuffer_pct: Nullable(Percent),
  watch_seconds: Seconds,
  unique_seconds: Seconds,
  quality_switches: Count,
  dropped_frame_pct: Nullable(Percent),
  hidden_ms: Count,
}
const MediaMetrics = Type.Object({
  is_complete: Type.Boolean({ description: 'false if part of the telemetry of the run is missing.', examples: [true] }),
  end_reason: Nullable(Type.String({ examples: ['completed'] })),
  ...playback,
})
export const ExerciseCounts = Type.Object({ total: Count, completed: Count, skipped: Count, abandoned: Count })
export const DoneRepetitions = Type.Object({
  measured: Nullable(
    Type.Integer({ description: 'Counted by the camera; null if no exercise was measured.', examples: [24] }),
  ),
  tapped: Nullable(
    Type.Integer({ description: 'Counted by the patient; null if the player reported none.', examples: [6] }),
  ),
})
const done = {
  exercises: ExerciseCounts,
  repetitions: DoneRepetitions,
  active_seconds: Type.Number({
    minimum: 0,
    description: 'Time of exercise without rests and pauses, as in the payload of the run.',
    examples: [412],
  }),
}
export type Done = Pick<RunSummary, keyof typeof done>

const summary = {
  id: Id,
  treatment_plan: Type.Object({ id: Id, title: Type.String({ examples: ['Knee, first weeks'] }) }),
  program_id: Nullable(Id),
  session: Type.Object({ id: Id, title: Type.String({ examples: ['Monday'] }) }),
  ...runFields,
  last_event_at: Timestamp,
  ...done,
  pain: Type.Object({ reports: Count, max_severity: Nullable(Score) }),
  feedback: Nullable(SessionFeedback),
  pose: Nullable(PoseSummary),
  media: Nullable(MediaMetrics),
}

export const RunSummary = Type.Object(summary)
export type RunSummary = Static<typeof RunSummary>

export const MyRunSummary = Type.Object({
  ...summary,
  organization: Type.Object({
    id: Id,
    name: Type.String({ examples: ['Clinica Mlădița'] }),
    slug: Type.String({ examples: ['clinica-mladita'] }),
  }),
})
export type MyRunSummary = Static<typeof MyRunSummary>

export const RunAnalytics = Type.Object({
  ...summary,
  patient: Type.Object({ id: Id, name: Type.String({ examples: ['Maria Stan'] }) }),
  incomplete: Nullable(
    Type.Boolean({ description: 'Whether telemetry of the run is missing; null until it is stored.' }),
  ),
  replay_available: Type.Boolean({ examples: [true] }),
  pain_reports: Type.Array(PainReport),
  exercise_results: Type.Array(
    Type.Object({
      session_exercise_id: Id,
      exercise_name: Type.String({ examples: ['Squat'] }),
      ...prescription,
      outcome: Nullable(Enum(EXERCISE_OUTCOMES)),
      repetitions_tapped: Nullable(
        Type.Integer({ description: 'Counted by the patient; null if not reported.', examples: [6] }),
      ),
      events: Type.Array(ExerciseEvent),
      pose: Nullable(Pose),
      repetitions: Type.Array(Repetition),
      media: Nullable(Type.Object({ watched_pct: Count, ...playback })),
    }),
  ),
})
export type RunAnalytics = Static<typeof RunAnalytics>

export const Replay = Type.Object({
  url: Type.String({ description: 'Signed URL, valid until `expires_at`.', examples: ['https://…'] }),
  expires_at: Timestamp,
  bytes: Type.Integer({ examples: [3_000_000] }),
  frame_count: Type.Integer({ examples: [54_000] }),
  batch_count: Type.Integer({ examples: [1_800] }),
})

export const sessionRunList = {
  sort: ['started_at', 'ended_at', 'status'],
  ranges: ['started_at'],
  filters: { status: RUN_STATUSES, treatment_plan_id: 'uuid', plan_session_id: 'uuid' },
} as const
