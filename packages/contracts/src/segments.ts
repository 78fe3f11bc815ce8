import { type Static, Type } from 'typebox'
import { APPOINTMENT_STATUSES } from './appointments.ts'
import { LENIENT } from './list.ts'
import { Body, Email, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

// Segments: groups of patients by rules. Which operators a rule may use follows from what it looks at.

export const MAX_SEGMENT_NAME_LENGTH = 255
export const MAX_SEGMENT_DESCRIPTION_LENGTH = 2000
export const MAX_SEGMENT_RULES = 50
export const MAX_SEGMENT_VALUES = 100
export const MAX_SEGMENT_TEXT_LENGTH = 500
export const MAX_SEGMENT_AMOUNT = 1000
export const SEGMENT_MEMBERS_PAGE_DEFAULT = 50
export const MAX_SEGMENT_MEMBERS_PAGE = 200
export const SEGMENT_PREVIEW_SAMPLE = 10

export const MATCH_MODES = ['all', 'any'] as const
export const RULE_SOURCES = ['profile', 'form', 'appointments'] as const
export const APPOINTMENT_METRICS = ['count', 'last_date'] as const
export const RULE_UNITS = ['days', 'weeks', 'months', 'years'] as const
export const EVALUATION_STATUSES = ['queued', 'running', 'completed', 'failed'] as const

export const RULE_OPERATORS = {
  text: ['eq', 'neq', 'contains', 'not_contains', 'starts_with', 'ends_with', 'in', 'not_in', 'is_set', 'is_not_set'],
  number: ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'between', 'not_between', 'is_set', 'is_not_set'],
  date: ['eq', 'before', 'after', 'gte', 'lte', 'between', 'in_last', 'not_in_last', 'in_next', 'is_set', 'is_not_set'],
  choice: ['eq', 'neq', 'in', 'not_in', 'is_set', 'is_not_set'],
  choices: ['contains', 'not_contains', 'contains_any', 'contains_all', 'is_set', 'is_not_set'],
} as const
/** What a rule looks at: a custom field of a type, or a metric of appointments. */
export type RuleValueKind = keyof typeof RULE_OPERATORS
export type RuleOperator = (typeof RULE_OPERATORS)[RuleValueKind][number]

export const RULE_KIND_OF_FIELD: Readonly<Record<string, RuleValueKind>> = {
  text: 'text',
  textarea: 'text',
  email: 'text',
  phone: 'text',
  number: 'number',
  date: 'date',
  select: 'choice',
  radio: 'choice',
  checkbox: 'choices',
}
export const RULE_KIND_OF_METRIC = { count: 'number', last_date: 'date' } as const

/** So long before or after today, in the clinic's time zone. */
export interface RelativeTime {
  amount: number
  unit: (typeof RULE_UNITS)[number]
}
export type RuleValue = string | number | string[] | number[] | RelativeTime

interface Asked {
  op: RuleOperator
  /** None for is_set and is_not_set. */
  value?: RuleValue
}
export type SegmentRule =
  | ({ source: 'profile'; custom_field_id: string } & Asked)
  | ({ source: 'form'; template_id: string; custom_field_id: string } & Asked)
  | ({
      source: 'appointments'
      metric: (typeof APPOINTMENT_METRICS)[number]
      filters?: { status?: string | string[] }
    } & Asked)

/** A stored rule, with the members of all sources: serialisers are slower with a choice of schemas. */
const Rule = Type.Unsafe<SegmentRule>(
  Type.Object(
    {
      source: Enum(RULE_SOURCES),
      custom_field_id: Type.Optional(Id),
      template_id: Type.Optional(
        Type.String({ format: 'uuid', description: 'For source `form`; the newest completed or signed form is used.' }),
      ),
      metric: Type.Optional(Type.String({ enum: [...APPOINTMENT_METRICS], description: 'For source `appointments`.' })),
      op: Type.String({ enum: [...new Set(Object.values(RULE_OPERATORS).flat())], examples: ['gte'] }),
      value: Type.Optional(
        Type.Unknown({
          description:
            'Text, a number, a date (YYYY-MM-DD), a list of texts, [from, to], or {amount, unit} counted from today; none for `is_set` and `is_not_set`.',
          examples: [7],
        }),
      ),
      filters: Type.Optional(
        Type.Object(
          {
            status: Type.Optional(
              Type.Unknown({ description: `One or a list of ${APPOINTMENT_STATUSES.join(', ')}.` }),
            ),
          },
          { description: 'For source `appointments`.' },
        ),
      ),
    },
    {
      examples: [{ source: 'profile', custom_field_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17', op: 'gte', value: 7 }],
    },
  ),
)
const asked = {
  op: Enum([...new Set(Object.values(RULE_OPERATORS).flat())], 'gte'),
  value: Type.Optional(
    Type.Unsafe<RuleValue>({
      description:
        'Text, a number, a date (YYYY-MM-DD), a list of texts, [from, to], or {amount, unit} counted from today; none for `is_set` and `is_not_set`. Which of them, and which `op`, depends on the type of the field.',
      examples: [7],
    }),
  ),
}
const Status = Enum(APPOINTMENT_STATUSES, 'completed')
const Filters = Body({
  status: Type.Optional(
    Type.Unsafe<string | string[]>({
      anyOf: [Status, Type.Array(Status, { minItems: 1, maxItems: APPOINTMENT_STATUSES.length })],
      'x-reason': `must be one of ${APPOINTMENT_STATUSES.join(', ')}, or a list of them`,
      description: 'One status or a list of them.',
      examples: ['completed'],
    }),
  ),
})
export const SegmentRuleOfProfile = Body({ source: Enum(['profile']), custom_field_id: Id, ...asked })
export const SegmentRuleOfForm = Body({
  source: Enum(['form']),
  template_id: { ...Id, description: 'The newest completed or signed form of this template is used.' },
  custom_field_id: Id,
  ...asked,
})
export const SegmentRuleOfAppointments = Body({
  source: Enum(['appointments']),
  metric: Enum(APPOINTMENT_METRICS),
  ...asked,
  filters: Type.Optional(Filters),
})
/** A rule in a request. Which operators and values its field allows depends on rows: definition-rules.ts of the feature. */
const GivenRule = Type.Unsafe<SegmentRule>({
  type: 'object',
  discriminator: { propertyName: 'source' },
  oneOf: [SegmentRuleOfProfile, SegmentRuleOfForm, SegmentRuleOfAppointments],
  examples: [{ source: 'profile', custom_field_id: '019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17', op: 'gte', value: 7 }],
})
const Rules = Type.Array(Rule, { minItems: 1, maxItems: MAX_SEGMENT_RULES })
const SegmentName = Name(MAX_SEGMENT_NAME_LENGTH, 'Knee pain above 6')
const Description = Text(MAX_SEGMENT_DESCRIPTION_LENGTH, 'Patients to call back this week')
const MatchMode = Enum(MATCH_MODES)

const segment = {
  id: Id,
  organization_id: Id,
  name: SegmentName,
  description: Description,
  match_mode: MatchMode,
  rules: Rules,
  version: Type.Integer({ examples: [1] }),
  created_at: Timestamp,
  updated_at: Timestamp,
}
export const Segment = Type.Object(segment)
export type Segment = Static<typeof Segment>
export const SegmentWithCount = Type.Object({ ...segment, member_count: Type.Integer({ examples: [12] }) })
export const SegmentList = Type.Object({ segments: Type.Array(Segment) })

/** LENIENT: the feature checks them together with what the rules name, so that all problems are reported at once. */
const Given = { [LENIENT]: true, additionalProperties: false } as const
const definition = {
  match_mode: MatchMode,
  rules: Type.Array(GivenRule, { minItems: 1, maxItems: MAX_SEGMENT_RULES }),
}
const details = { name: SegmentName, description: Type.Optional(Description), ...definition }
export const NewSegment = Type.Object(details, Given)
export type NewSegment = Static<typeof NewSegment>
export const SegmentDetails = Type.Object({ ...details, version: Type.Optional(RowVersion) }, Given)
export const SegmentPreviewRequest = Type.Object(definition, Given)
export interface SegmentDefinition {
  match_mode: (typeof MATCH_MODES)[number]
  rules: SegmentRule[]
}

export const SegmentMember = Type.Object({
  patient_id: Id,
  name: Type.String({ examples: ['Maria Stan'] }),
  email: Nullable(Email),
  matched_at: Timestamp,
})
export type SegmentMember = Static<typeof SegmentMember>
export const SegmentMembers = Type.Object({
  members: Type.Array(SegmentMember),
  pagination: Type.Object({
    page: Type.Integer({ examples: [1] }),
    per_page: Type.Integer({ examples: [50] }),
    total: Type.Integer({ examples: [12] }),
    total_pages: Type.Integer({ examples: [1] }),
  }),
})
export const segmentMemberParameters = Type.Object(
  {
    page: Type.Optional(
      Type.Integer({ default: 1, description: 'Starts at 1. Values out of range mean 1.', examples: [1] }),
    ),
    per_page: Type.Optional(
      Type.Integer({
        default: SEGMENT_MEMBERS_PAGE_DEFAULT,
        description: `1 to ${MAX_SEGMENT_MEMBERS_PAGE}; larger values are clamped.`,
        examples: [50],
      }),
    ),
    fresh: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'Re-evaluates the segment first, at most once a minute.',
        examples: [false],
      }),
    ),
  },
  { [LENIENT]: true },
)

export const PatientSegments = Type.Object({
  segments: Type.Array(Type.Object({ id: Id, name: SegmentName, description: Description, matched_at: Timestamp })),
})

const versioned = {
  version: Type.Integer({ examples: [1] }),
  rules: Rules,
  match_mode: MatchMode,
  changed_by: Type.Object({ id: Nullable(Id), name: Nullable(Type.String({ examples: ['Ana Ionescu'] })) }),
  created_at: Timestamp,
}
export const SegmentVersions = Type.Object({ versions: Type.Array(Type.Object(versioned)) })
export const SegmentVersion = Type.Object({ segment_id: Id, ...versioned })
export type SegmentVersion = Static<typeof SegmentVersion>
export const SegmentVersionParams = Type.Object({ id: Id, version: Type.Integer({ minimum: 1, maximum: 2147483647 }) })

export const EvaluationQueued = Type.Object({
  status: Enum(EVALUATION_STATUSES),
  job_id: Id,
  estimated_time: Type.Integer({ description: 'In seconds.', examples: [2] }),
})
export const EvaluationStatus = Type.Object({
  job_id: Id,
  status: Enum(EVALUATION_STATUSES, 'completed'),
  started_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  duration_ms: Nullable(Type.Integer({ examples: [840] })),
  members_added: Nullable(Type.Integer({ examples: [3] })),
  members_removed: Nullable(Type.Integer({ examples: [1] })),
  failing_rule: Nullable(
    Type.Object({}, { additionalProperties: true, description: 'Only for failed evaluations.', examples: [null] }),
  ),
  error: Nullable(Type.String({ description: 'Only for failed evaluations.', examples: [null] })),
})
export type EvaluationStatus = Static<typeof EvaluationStatus>

export const PatientEvaluation = Type.Object({
  evaluated: Type.Integer({ description: 'How many segments.', examples: [4] }),
  added_to: Type.Array(Id),
  removed_from: Type.Array(Id),
})
export type PatientEvaluation = Static<typeof PatientEvaluation>

export const SegmentPreview = Type.Object({
  count: Type.Integer({ examples: [12] }),
  sample: Type.Array(Type.Omit(SegmentMember, ['matched_at']), { maxItems: SEGMENT_PREVIEW_SAMPLE }),
})
export type SegmentPreview = Static<typeof SegmentPreview>

export const SegmentExplainParams = Type.Object({ id: Id, patientId: Id })
export const SegmentExplanation = Type.Object({
  segment_id: Id,
  patient_id: Id,
  match_mode: MatchMode,
  matches: Type.Boolean({ description: 'Evaluated by the rules now.', examples: [true] }),
  is_member: Type.Boolean({ description: 'The stored result of the last evaluation.', examples: [true] }),
  rules: Type.Array(
    Type.Object({
      rule: Rule,
      value: Type.Unknown({
        description: 'The value found; null if there is none of the right type.',
        examples: [8],
      }),
      withheld: Type.Boolean({ description: 'There is a value, but you may not see it.', examples: [false] }),
      result: Type.Boolean({ examples: [true] }),
    }),
  ),
})
export type SegmentExplanation = Static<typeof SegmentExplanation>
