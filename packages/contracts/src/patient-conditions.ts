import { type Static, Type } from 'typebox'
import { CLEARANCES, CONDITION_STAGES, CONTRAINDICATION_SEVERITIES } from './contraindications.ts'
import { Body, Enum, Id, Nullable, Paragraphs, RowVersion, Timestamp } from './shapes.ts'
import { ConditionSummary } from './tags.ts'

const Since = Type.String({
  format: 'date',
  pattern: '^(19|20)',
  'x-reason': 'must be a date from 1900-01-01 to today',
  description: 'The onset of the condition.',
  examples: ['2026-03-09'],
})
const Note = Paragraphs(2_000, 'Right knee, worse on stairs.')

/**
 * `active`: the patient has it. `resolved`: it has healed; lifts contraindications that hold for stages or until cleared.
 * `history`: the patient had it; contraindications become precautions.
 */
export const PATIENT_CONDITION_STATUSES = ['active', 'resolved', 'history'] as const
const Status = Enum(PATIENT_CONDITION_STATUSES)
const Stage = Enum(CONDITION_STAGES, 'subacute')
const ClearedFor = Type.Array(Enum(CLEARANCES), {
  maxItems: CLEARANCES.length,
  uniqueItems: true,
  description: 'What the patient is cleared for. Lifts contraindications that hold until then.',
  examples: [['movement', 'load']],
})

/** A condition of a patient, as recorded by the clinic. */
export const PatientCondition = Type.Object({
  id: Id,
  patient_id: Type.String({
    format: 'uuid',
    description: 'The record it belongs to: this one, or one that is linked to it.',
    examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'],
  }),
  condition: ConditionSummary,
  since: Nullable(Since),
  note: Nullable(Note),
  status: Status,
  stage: Nullable(Stage),
  cleared_for: ClearedFor,
  cleared_at: Nullable(Timestamp),
  cleared_by_principal_id: Nullable(Id),
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type PatientCondition = Static<typeof PatientCondition>

/** An active plan with exercises that are contraindicated by a condition. */
export const AffectedPlan = Type.Object({
  id: Id,
  title: Type.String({ examples: ['Knee, first weeks'] }),
  exercises: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String({ examples: ['Squat'] }),
      severity: Enum(CONTRAINDICATION_SEVERITIES, 'contraindicated'),
    }),
  ),
})
export type AffectedPlan = Static<typeof AffectedPlan>

export const RecordedCondition = Type.Object({
  data: PatientCondition,
  affected_plans: Type.Array(AffectedPlan, {
    description:
      'Active treatment plans with exercises that are contraindicated by the condition. They are not changed: review them.',
  }),
})

const details = {
  since: Type.Optional(Nullable(Since)),
  note: Type.Optional(Nullable(Note)),
  status: Type.Optional(Status),
  stage: Type.Optional(Nullable(Stage)),
  cleared_for: Type.Optional(ClearedFor),
}

export const NewPatientCondition = Body({ condition_id: Id, ...details })
export type NewPatientCondition = Static<typeof NewPatientCondition>

export const PatientConditionChanges = Type.Object(
  { ...details, version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type PatientConditionChanges = Static<typeof PatientConditionChanges>

export const ByPatientCondition = Type.Object({ id: Id, conditionId: Id })

export const patientConditionList = { sort: ['since', 'created_at', 'updated_at'] } as const
