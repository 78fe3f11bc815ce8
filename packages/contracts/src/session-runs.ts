import { type Static, Type } from 'typebox'
import { SIDES } from './programs.ts'
import { Pose, PoseSummary, Repetition } from './run-pose.ts'
import { Body, Enum, Id, Name, Nullable, Timestamp } from './shapes.ts'
import { exerciseForPatient } from './treatment-plans.ts'

export const RUN_STATUSES = ['in_progress', 'ended_naturally', 'ended_explicit', 'ended_auto'] as const
export type RunStatus = (typeof RUN_STATUSES)[number]
export const EXERCISE_EVENT_TYPES = ['started', 'completed', 'skipped', 'abandoned', 'paused_for_pain'] as const
/** With one of these an exercise has come to its end in a run. */
export const EXERCISE_OUTCOMES = ['completed', 'skipped', 'abandoned'] as const
export const PAIN_ACTIONS = ['continue', 'rest', 'skip_exercise', 'end_session'] as const
/** Of the severities 0, 1 to 3, 4 to 6 and 7 to 10. */
export const PAIN_BANDS = ['none', 'mild', 'moderate', 'severe'] as const
export type PainBand = (typeof PAIN_BANDS)[number]
export const NOTE_MAX_LENGTH = 2_000

const Count = Type.Integer({ examples: [3] })
const Score = Type.Integer({ minimum: 0, maximum: 10, description: '0 to 10', examples: [3] })
const ClientEventId = Type.String({
  ...Id,
  description: 'Made by the client, once per event: a repeat does nothing and is answered as the first was.',
})

export const ByRun = Type.Object({ runId: Id })

export const NewSessionRun = Body({ plan_session_id: Id })

const token = {
  telemetry_token: Type.String({ description: 'For the telemetry service, 90 minutes.', examples: ['v1.eyJhbGciOi…'] }),
  telemetry_token_expires_at: Timestamp,
}

export const StartedRun = Type.Object({ run_id: Id, ...token })
export type StartedRun = Static<typeof StartedRun>

const run = { status: Enum(RUN_STATUSES), started_at: Timestamp, ended_at: Nullable(Timestamp) }

const prescription = {
  position: Type.Integer({ examples: [1] }),
  exercise_id: Id,
  sets: Type.Integer({ examples: [3] }),
  reps: Nullable(Type.Integer({ examples: [10] })),
  hold_seconds: Nullable(Type.Integer({ examples: [20] })),
  rest_seconds: Type.Integer({ examples: [60] }),
  side: Nullable(Enum(SIDES)),
  notes: Nullable(Type.String({ examples: ['Slowly, without pain.'] })),
}

const PoseConfiguration = Type.Unsafe<Record<string, unknown> | null>({
  type: ['object', 'null'],
  additionalProperties: true,
  description: 'How the camera follows it, as it stood when the run began; null: it does not.',
})

export const RunPayload = Type.Object({
  run_id: Id,
  ...run,
  treatment_plan: Type.Object({ id: Id, title: Type.String({ examples: ['Knee, first weeks'] }) }),
  session: Type.Object({
    id: Id,
    title: Type.String({ examples: ['Monday'] }),
    notes: Nullable(Type.String({ examples: ['Slowly, without pain.'] })),
  }),
  exercises: Type.Array(
    Type.Object({
      id: Type.String({ ...Id, description: 'The session exercise; `media_id` of its media events.' }),
      ...prescription,
      ...exerciseForPatient,
      pose_config: PoseConfiguration,
    }),
  ),
  terminated_session_exercise_ids: Type.Array(Id, {
    description: 'Exercises that are over in this run. Whoever resumes it starts at the first that is not among them.',
  }),
  telemetry_url: Type.String({ examples: ['https://telemetry.tendon.example'] }),
  telemetry_token: Nullable(token.telemetry_token),
  telemetry_token_expires_at: Nullable(Timestamp),
})
export type RunPayload = Static<typeof RunPayload>

const EventData = Body({
  sets_completed: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000, examples: [3] })),
  repetitions_completed: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000, examples: [30] })),
  duration_seconds: Type.Optional(Type.Number({ minimum: 0, maximum: 86_400, examples: [95.5] })),
})

export const NewExerciseEvent = Body({
  client_event_id: ClientEventId,
  session_exercise_id: Id,
  type: Enum(EXERCISE_EVENT_TYPES),
  occurred_at: Type.Optional(
    Type.String({ ...Timestamp, description: 'By the client’s clock; kept between the start of the run and now.' }),
  ),
  data: Type.Optional(EventData),
})
export type NewExerciseEvent = Static<typeof NewExerciseEvent>

export const ExerciseEvent = Type.Object({
  id: Id,
  session_exercise_id: Id,
  type: Enum(EXERCISE_EVENT_TYPES),
  client_event_id: Nullable(Type.String({ ...Id, description: 'null: written by the platform.' })),
  occurred_at: Timestamp,
  data: Type.Object(EventData.properties),
})
export type ExerciseEvent = Static<typeof ExerciseEvent>

const Note = Name(NOTE_MAX_LENGTH, 'A sting in the left knee.')

export const NewPainReport = Body({
  severity: Score,
  action: Enum(PAIN_ACTIONS),
  session_exercise_id: Type.Optional(
    Nullable(Type.String({ ...Id, description: 'Required with action skip_exercise.' })),
  ),
  note: Type.Optional(Nullable(Note)),
  client_event_id: Type.Optional(Nullable(ClientEventId)),
})
export type NewPainReport = Static<typeof NewPainReport>

export const PainReport = Type.Object({
  id: Id,
  session_exercise_id: Nullable(Id),
  severity: Score,
  band: Enum(PAIN_BANDS, 'mild'),
  action: Enum(PAIN_ACTIONS),
  note: Nullable(Note),
  client_event_id: Nullable(Id),
  created_at: Timestamp,
})
export type PainReport = Static<typeof PainReport>

export const RunEnd = Body({ termination: Enum(['ended_naturally', 'ended_explicit']) })
export type RunEnd = Static<typeof RunEnd>
export const EndedRun = Type.Object({ id: Id, ...run })

const feedback = {
  perceived_exertion: Score,
  pain: Score,
  comment: Nullable(Name(NOTE_MAX_LENGTH, 'Went well.')),
}
export const NewSessionFeedback = Body({ ...feedback, comment: Type.Optional(feedback.comment) })
export type NewSessionFeedback = Static<typeof NewSessionFeedback>
export const SessionFeedback = Type.Object({ ...feedback, created_at: Timestamp, updated_at: Timestamp })
export type SessionFeedback = Static<typeof SessionFeedback>

// For readers.

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
  is_complete: Type.Boolean({ description: 'false: not everything of the run arrived.', examples: [true] }),
  end_reason: Nullable(Type.String({ examples: ['completed'] })),
  ...playback,
})
const summary = {
  id: Id,
  treatment_plan: Type.Object({ id: Id, title: Type.String({ examples: ['Knee, first weeks'] }) }),
  program_id: Nullable(Id),
  session: Type.Object({ id: Id, title: Type.String({ examples: ['Monday'] }) }),
  ...run,
  last_event_at: Timestamp,
  exercises: Type.Object({ total: Count, completed: Count, skipped: Count, abandoned: Count }),
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
    Type.Boolean({ description: 'Whether telemetry of the run is missing; null until it is written.' }),
  ),
  replay_available: Type.Boolean({ examples: [true] }),
  pain_reports: Type.Array(PainReport),
  exercise_results: Type.Array(
    Type.Object({
      session_exercise_id: Id,
      exercise_name: Type.String({ examples: ['Squat'] }),
      ...prescription,
      outcome: Nullable(Enum(EXERCISE_OUTCOMES)),
      events: Type.Array(ExerciseEvent),
      pose: Nullable(Pose),
      repetitions: Type.Array(Repetition),
      media: Nullable(Type.Object({ watched_pct: Count, ...playback })),
    }),
  ),
})
export type RunAnalytics = Static<typeof RunAnalytics>

export const Replay = Type.Object({
  url: Type.String({ description: 'Signed; open it before `expires_at`.', examples: ['https://…'] }),
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
