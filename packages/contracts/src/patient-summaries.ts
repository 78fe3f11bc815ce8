import { type Static, Type } from 'typebox'
import { APPOINTMENT_STATUSES } from './appointments.ts'
import { PatientCondition } from './patient-conditions.ts'
import { APPOINTMENT_MODES } from './services.ts'
import { RUN_STATUSES } from './session-runs.ts'
import { Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const MAX_PAIN_TREND = 8
/** Pain is looked for in this many of the newest runs. */
export const MAX_PAIN_RUNS = 20

export const PATIENT_INCLUDES = ['summary'] as const

const Severity = Type.Integer({ minimum: 0, maximum: 10, examples: [4] })
const named = (example: string) => Nullable(Type.Object({ id: Id, name: Text(400, example) }))

const Visit = Type.Object({
  id: Id,
  starts_at: Timestamp,
  ends_at: Timestamp,
  status: Enum(APPOINTMENT_STATUSES, 'confirmed'),
  mode: Enum(APPOINTMENT_MODES),
  specialist: named('Ana Ionescu'),
  service: named('Initial assessment'),
})
export type SummaryVisit = Static<typeof Visit>

const Pain = Type.Object({
  last: Type.Integer({
    ...Severity,
    description: 'The highest of the pain reports and the feedback of the newest run with one.',
  }),
  at: Type.String({ ...Timestamp, description: 'When it was reported.' }),
  worst: Type.Integer({ ...Severity, description: 'The highest of the trend.', examples: [7] }),
  trend: Type.Array(Severity, {
    maxItems: MAX_PAIN_TREND,
    description: `One number for each run with a report, oldest first, of the ${MAX_PAIN_RUNS} newest runs.`,
    examples: [[7, 6, 4]],
  }),
})
export type SummaryPain = Static<typeof Pain>

const Run = Type.Object({
  id: Id,
  status: Enum(RUN_STATUSES),
  started_at: Timestamp,
  ended_at: Nullable(Timestamp),
})
export type SummaryRun = Static<typeof Run>

const NULL = 'null: there is none, or you may not see it.'
const orNull = <Schema extends Parameters<typeof Nullable>[0]>(schema: Schema, words: string) =>
  Type.Unsafe<Static<Schema> | null>({ ...Nullable(schema), description: `${words} ${NULL}` })
const count = (words: string) =>
  Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: `${words} null: you may not see forms.`,
    examples: [1],
  })

const row = {
  next_visit: orNull(Visit, 'The next or current visit.'),
  last_visit: orNull(Visit, 'The last visit that was neither cancelled nor missed.'),
  last_run: orNull(Run, 'The newest session run.'),
  pain: orNull(Pain, 'Pain that the patient reported.'),
}
/** What a row of the list adds with include=summary. */
export const PatientRowSummary = Type.Object(row)
export type PatientRowSummary = Static<typeof PatientRowSummary>

const Plan = Type.Object({
  id: Id,
  title: Type.String({ examples: ['Knee, first weeks'] }),
  runs_14d: Type.Unsafe<number | null>({
    type: ['integer', 'null'],
    description: 'Runs of the plan in the last 14 days. null: you may not see runs.',
    examples: [5],
  }),
})

/** The state of a patient at a glance, linked records included. */
export const PatientOverview = Type.Object({
  conditions: Type.Array(Type.Pick(PatientCondition, ['id', 'condition', 'status', 'stage']), {
    description: 'Active conditions.',
  }),
  ...row,
  plan: orNull(Plan, 'The newest active treatment plan.'),
  forms_open: count('Forms that wait for answers, or for the signature of the patient.'),
  to_sign: count('Completed forms that the clinic has to sign.'),
  missing_consents: Type.Unsafe<string[] | null>({
    type: ['array', 'null'],
    items: { type: 'string' },
    description:
      'Codes of required purposes whose text in force is not accepted, and of those that a future visit needs. null: you may not see consents.',
    examples: [['telemedicine']],
  }),
})
export type PatientOverview = Static<typeof PatientOverview>
