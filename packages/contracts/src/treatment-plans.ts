import { type Static, Type } from 'typebox'
import { CONDITION_STAGES, CONTRAINDICATION_SEVERITIES, ContraindicationTranslations } from './contraindications.ts'
import { DIFFICULTIES, EXERCISE_KINDS } from './exercises.ts'
import { INSTRUCTION_TYPES } from './instructions.ts'
import { PATIENT_CONDITION_STATUSES } from './patient-conditions.ts'
import { PrerequisiteSummary } from './prerequisites.ts'
import { NewPlanSessions, PlannedExercise, PlanSession, PlanVersion } from './programs.ts'
import { Body, Enum, Id, Name, Nullable, Paragraphs, RowVersion, Timestamp } from './shapes.ts'
import { ConditionSummary, evidence } from './tags.ts'

export const TREATMENT_PLAN_STATUSES = ['draft', 'active', 'completed', 'archived'] as const
export type TreatmentPlanStatus = (typeof TREATMENT_PLAN_STATUSES)[number]
/** The statuses that patients can see. */
export const PATIENT_VISIBLE_PLAN_STATUSES = ['active', 'completed'] as const
export const MAX_SAFETY_CHECK_EXERCISES = 500

const Title = Name(200, 'Knee, first weeks')
const Description = Paragraphs(5_000, 'Three times a week, until the next visit.')
const Day = Type.String({ format: 'date', pattern: '^(19|20)', 'x-reason': 'must be a date', examples: ['2026-11-16'] })
const OverrideReason = Type.String({
  ...Paragraphs(2_000, 'Tried in the clinic under supervision, without pain.'),
  description: 'Why the exercise is prescribed despite the findings of the safety check.',
})

export const HasEnded = Type.Boolean({
  description:
    'Whether `ends_on` is before today in the clinic’s time zone. The status stays the same until staff complete or archive the plan.',
  examples: [false],
})

/**
 * `block`: the exercise cannot be given. `reason`: it takes an `override_reason`. `notice`: to be known.
 */
export const SAFETY_LEVELS = ['block', 'reason', 'notice'] as const

/** A safety finding for an exercise and a patient, with author, time and clinical basis. */
export const SafetyFinding = Type.Object({
  kind: Enum(['contraindication', 'prerequisite']),
  level: Enum(SAFETY_LEVELS),
  exercise_id: Id,
  contraindication_id: Nullable(Id),
  severity: Nullable(Enum(CONTRAINDICATION_SEVERITIES)),
  description: Nullable(Type.String({ examples: ['Deep bending presses on the irritated joint.'] })),
  patient_condition: Nullable(
    Type.Object({
      id: Id,
      condition: ConditionSummary,
      since: Nullable(Day),
      recorded_by_principal_id: Nullable(Id),
      recorded_at: Timestamp,
      status: Type.Optional(Enum(PATIENT_CONDITION_STATUSES)),
      stage: Type.Optional(Nullable(Enum(CONDITION_STAGES))),
    }),
  ),
  contraindicated_condition: Type.Optional(
    Type.Unsafe<ConditionSummary | null>({
      ...Nullable(ConditionSummary),
      description:
        'The condition of the contraindication. It differs from the patient’s when the two are related: one contains the other, or they have the same parent.',
    }),
  ),
  prerequisite: Nullable(PrerequisiteSummary),
  ...evidence,
  source: Type.Optional(Nullable(Type.String({ examples: ['ACSM Guidelines, 11th edition'] }))),
  translations: ContraindicationTranslations,
})
export type SafetyFinding = Static<typeof SafetyFinding>

const summary = {
  id: Id,
  patient: Type.Object({ id: Id, name: Type.String({ examples: ['Maria Stan'] }) }),
  program_id: Nullable(Id),
  title: Title,
  description: Nullable(Description),
  status: Enum(TREATMENT_PLAN_STATUSES),
  starts_on: Nullable(Day),
  ends_on: Nullable(Day),
  has_ended: HasEnded,
  version: PlanVersion,
  activated_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  archived_at: Nullable(Timestamp),
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
}
const counted = { sessions_count: Type.Integer({ examples: [3] }) }

export const TreatmentPlanSummary = Type.Object({
  ...summary,
  ...counted,
  last_active_at: Nullable(
    Type.String({
      ...Timestamp,
      description:
        'When the newest run of the plan started; before the first run, when the plan was activated or its first day begins. Null for a draft.',
    }),
  ),
  is_blocked: Type.Boolean({
    description:
      'Whether the plan (draft or active) contains an exercise that is contraindicated for the patient today.',
    examples: [false],
  }),
})
export type TreatmentPlanSummary = Static<typeof TreatmentPlanSummary>

export const TreatmentPlan = Type.Object({
  ...summary,
  sessions: Type.Array(
    PlanSession({
      exercise: PlannedExercise,
      override_reason: Nullable(OverrideReason),
      findings: Type.Array(SafetyFinding, { description: 'The findings of today’s safety check.' }),
    }),
  ),
})
export type TreatmentPlan = Static<typeof TreatmentPlan>

const Sessions = NewPlanSessions({ override_reason: Type.Optional(Nullable(OverrideReason)) })
const details = {
  description: Type.Optional(Nullable(Description)),
  starts_on: Type.Optional(Nullable(Day)),
  ends_on: Type.Optional(Nullable(Day)),
}

export const NewTreatmentPlan = Body({
  patient_id: Id,
  program_id: Type.Optional(
    Nullable(
      Type.String({
        ...Id,
        description: 'Its sessions are copied unless `sessions` is given. The plan keeps its id.',
      }),
    ),
  ),
  title: Type.Optional(Type.String({ ...Title, description: 'Default: the name of the program.' })),
  ...details,
  sessions: Type.Optional(Sessions),
})
export type NewTreatmentPlan = Static<typeof NewTreatmentPlan>

export const TreatmentPlanReplacement = Body({ version: PlanVersion, title: Title, ...details, sessions: Sessions })
export type TreatmentPlanReplacement = Static<typeof TreatmentPlanReplacement>

export const TreatmentPlanStatusChange = Body({
  status: Enum(TREATMENT_PLAN_STATUSES, 'active'),
  version: Type.Optional(RowVersion),
})

export const SafetyCheck = Body({
  patient_id: Id,
  exercise_ids: Type.Array(Id, {
    minItems: 1,
    maxItems: MAX_SAFETY_CHECK_EXERCISES,
    description: 'In the order of execution.',
  }),
})

export const SafetyCheckResult = Type.Object({ exercise_id: Id, findings: Type.Array(SafetyFinding) })

export const treatmentPlanList = {
  sort: ['title', 'status', 'starts_on', 'ends_on', 'last_active_at', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at', 'last_active_at'],
  filters: { patient_id: 'uuid', program_id: 'uuid', lead_specialist_id: 'uuid', status: TREATMENT_PLAN_STATUSES },
  q: true,
} as const

// For the patient: nothing of what was weighed for and against.

const mine = {
  id: Id,
  organization: Type.Object({
    id: Id,
    name: Type.String({ examples: ['Clinica Mlădița'] }),
    slug: Type.String({ examples: ['clinica-mladita'] }),
  }),
  title: Title,
  description: Nullable(Description),
  status: Enum(PATIENT_VISIBLE_PLAN_STATUSES),
  starts_on: Nullable(Day),
  ends_on: Nullable(Day),
  has_ended: HasEnded,
  activated_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const MyTreatmentPlanSummary = Type.Object({ ...mine, ...counted })
export type MyTreatmentPlanSummary = Static<typeof MyTreatmentPlanSummary>

const text = (example: string) => Nullable(Type.String({ examples: [example] }))

/** How to do an exercise, in the patient's language. */
export const exerciseForPatient = {
  name: Type.String({ description: 'In your language if there is a translation.', examples: ['Squat'] }),
  description: text('Strengthens thighs and hips.'),
  instructions_summary: text('Bend hips and knees, keep the back straight, come up again.'),
  kind: Enum(EXERCISE_KINDS),
  difficulty: Nullable(Enum(DIFFICULTIES)),
  tracking_enabled: Type.Boolean({ description: 'Whether the exercise can be tracked by camera.', examples: [true] }),
  video_url: text('https://video.example/squat/playlist.m3u8'),
  video_provider: text('local'),
  video_thumbnail_url: text('https://video.example/squat/thumbnail.jpg'),
  video_duration_seconds: Nullable(Type.Number({ examples: [42.5] })),
  instructions: Type.Array(
    Type.Object({
      id: Type.Integer({ examples: [1] }),
      sort_order: Type.Integer({ examples: [1] }),
      title: text('Stand tall'),
      content: Type.String({ examples: ['Stand with your feet as far apart as your hips.'] }),
      image_url: text('https://tendon.example/v1/public/objects/squat-1.png'),
      instruction_type: Enum(INSTRUCTION_TYPES, 'step'),
    }),
  ),
}

export const MyTreatmentPlan = Type.Object({ ...mine, sessions: Type.Array(PlanSession(exerciseForPatient)) })
export type MyTreatmentPlan = Static<typeof MyTreatmentPlan>

export const myTreatmentPlanList = {
  sort: ['title', 'starts_on', 'ends_on', 'activated_at', 'created_at', 'updated_at'],
  filters: { status: PATIENT_VISIBLE_PLAN_STATUSES },
} as const
