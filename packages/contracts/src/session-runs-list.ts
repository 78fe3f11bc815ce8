import { type Static, Type } from 'typebox'
import { DoneRepetitions, ExerciseCounts } from './run-readings.ts'
import { RUN_STATUSES } from './session-runs.ts'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'

/** A run as a row of the clinic's list. */
export const ClinicRun = Type.Object({
  id: Id,
  patient: Type.Object({ id: Id, name: Type.String({ examples: ['Maria Stan'] }) }),
  treatment_plan_id: Id,
  plan_session_id: Id,
  session_title: Type.String({ examples: ['Monday'] }),
  exercise_names: Type.Array(Type.String({ examples: ['Squat'] })),
  status: Enum(RUN_STATUSES),
  exercises: ExerciseCounts,
  repetitions: DoneRepetitions,
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
  last_event_at: Timestamp,
  worst_pain: Nullable(
    Type.Integer({
      description: 'The highest of the pain reports and the feedback, 0 to 10; null: the patient reported nothing.',
      examples: [7],
    }),
  ),
  warning: Type.Boolean({ description: 'Whether the patient reported a warning sign.', examples: [false] }),
  incomplete: Nullable(
    Type.Boolean({ description: 'Whether telemetry of the run is missing; null until it is stored.' }),
  ),
  replay_available: Type.Boolean({ examples: [true] }),
})
export type ClinicRun = Static<typeof ClinicRun>

export const clinicRunList = {
  sort: ['worst_pain', 'started_at', 'ended_at', 'status'],
  unsorted: 'warning signs first, then the worst pain, then incomplete runs, then the newest',
  ranges: ['started_at'],
  filters: {
    patient_id: 'uuid',
    lead_specialist_id: 'uuid',
    status: RUN_STATUSES,
    treatment_plan_id: 'uuid',
    plan_session_id: 'uuid',
    incomplete: 'boolean',
  },
} as const
