import { type Static, Type } from 'typebox'
import { Repetition } from './run-pose.ts'
import { ExerciseEvent, PainReport } from './session-runs.ts'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'
import { MEDIA_EVENT_TYPES } from './telemetry.ts'

const AtMs = Nullable(
  Type.Integer({
    description: 'Milliseconds since `session_start_at`, as the frames of the replay and the repetitions count them.',
    examples: [12_500],
  }),
)
const SessionExerciseId = Type.String({ ...Id, description: 'The id of the session exercise.' })

/** Everything that happened in a run, on the clock of its replay. */
export const RunTimeline = Type.Object({
  run_id: Id,
  patient: Type.Object({ id: Id, name: Type.String({ examples: ['Maria Stan'] }) }),
  session_start_at: Nullable({
    ...Timestamp,
    description: 'Zero of the clock, by the client’s clock; the start of the run while no telemetry is written.',
  }),
  session_start_source: Nullable(Enum(['session_start', 'first_event', 'run_started'], 'session_start')),
  ended_at: Nullable(Timestamp),
  replay_available: Type.Boolean({ examples: [true] }),
  exercises: Type.Array(
    Type.Object({
      session_exercise_id: SessionExerciseId,
      exercise_id: Id,
      exercise_name: Type.String({ examples: ['Squat'] }),
      video_url: Nullable(Type.String({ examples: ['https://…'] })),
      video_provider: Nullable(Type.String({ examples: ['bunny'] })),
      video_thumbnail_url: Nullable(Type.String({ examples: ['https://…'] })),
      video_duration_seconds: Nullable(Type.Number({ examples: [30] })),
      from_ms: AtMs,
      to_ms: AtMs,
      repetitions: Type.Array(Repetition),
    }),
  ),
  media_events_available: Type.Boolean({
    description: 'false: they have not been written yet, or were deleted a week after the run.',
    examples: [true],
  }),
  media_events: Type.Array(
    Type.Object({
      event: Enum(MEDIA_EVENT_TYPES, 'video_played'),
      media_id: Type.String({ ...Id, description: 'The session exercise.' }),
      occurred_at: Timestamp,
      at_ms: AtMs,
      position_seconds: Nullable(Type.Number({ description: 'Position in the video.', examples: [4.2] })),
    }),
  ),
  exercise_events: Type.Array(Type.Object({ ...ExerciseEvent.properties, at_ms: AtMs })),
  pain_reports: Type.Array(Type.Object({ ...PainReport.properties, at_ms: AtMs })),
})
export type RunTimeline = Static<typeof RunTimeline>
