import { type Static, Type } from 'typebox'
import { membersByType, optional } from './by-type.ts'
import { MATCH_MODES, RULE_OPERATORS } from './segments.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

export const MAX_AUTOMATION_ACTIONS = 10
export const MAX_AUTOMATION_CONDITIONS = 20
export const MAX_FILTER_FIELDS = 5
export const MAX_FILTER_VALUES = 20
export const AUTOMATION_ACTIONS = ['send_mail', 'notify_members', 'create_form', 'send_webhook', 'wait'] as const
export const EXECUTION_STATUSES = [
  'queued',
  'running',
  'paused',
  'succeeded',
  'failed',
  'skipped',
  'canceled',
  'timed_out',
] as const
export const STEP_STATUSES = ['running', 'waiting', 'succeeded', 'failed', 'skipped'] as const
export const SKIP_REASONS = [
  'conditions',
  'loop',
  'quota',
  'patient_restricted',
  'appointment_cancelled',
  'late',
] as const

const OPERATORS = [...new Set(Object.values(RULE_OPERATORS).flat())]

const AutomationCondition = Type.Object(
  {
    path: Type.String({
      maxLength: 300,
      description:
        '`data.…`: a field of the event; `patient.…` and `appointment.…`: read when the rule runs; `message.…`: a member of the JSON message that `integration.received` announces.',
      examples: ['data.severity_band'],
    }),
    op: Enum(OPERATORS, 'eq'),
    value: Type.Optional(
      Type.Unknown({ description: 'The same format as in rules of segments.', examples: ['severe'] }),
    ),
  },
  { additionalProperties: false },
)
export type AutomationCondition = Static<typeof AutomationCondition>

const MAX_WAIT_MINUTES = 43_200
const Minutes = Type.Integer({ minimum: 1, maximum: MAX_WAIT_MINUTES, examples: [60] })
const params = {
  to: Enum(['patient', 'members'] as const),
  permission: Type.String({
    maxLength: 100,
    description: 'Members with this permission get the mail.',
    examples: ['patients.view_org'],
  }),
  kind: Enum(['care', 'marketing'] as const),
  subject: Name(200, 'Your session'),
  text: Text(4_000, 'Hello {{patient.first_name}}, how do you feel today?'),
  form_template_id: Id,
  subscription_uid: Id,
  minutes: Minutes,
  before_appointment_minutes: { ...Minutes, examples: [1440] },
}
const { to, permission, kind, subject, text, form_template_id, subscription_uid } = params
const given = optional(params)

/** The params of an action of each type. */
export const ACTION_PARAMS = {
  send_mail: Body({ to, kind, subject, text, permission: given.permission }),
  notify_members: Body({ permission, text: given.text }),
  create_form: Body({ form_template_id }),
  send_webhook: Body({ subscription_uid }),
  wait: Body({ minutes: given.minutes, before_appointment_minutes: given.before_appointment_minutes }),
}

const AutomationAction = Type.Object(
  {
    type: Enum(AUTOMATION_ACTIONS),
    params: Type.Object(given, {
      additionalProperties: false,
      description: `The members depend on the type. ${membersByType(ACTION_PARAMS)}.`,
    }),
    on_error: Type.Optional(Enum(['stop', 'continue'] as const)),
    max_retries: Type.Optional(Type.Integer({ minimum: 0, maximum: 5, examples: [2] })),
  },
  {
    additionalProperties: false,
    examples: [
      {
        type: 'send_mail',
        params: { to: 'patient', kind: 'care', subject: 'Your session', text: 'Hello {{patient.first_name}}' },
        on_error: 'stop',
        max_retries: 2,
      },
    ],
  },
)
export type AutomationAction = Static<typeof AutomationAction>

const definition = {
  name: Name(200, 'Ask after severe pain'),
  trigger: Type.Object(
    {
      event: Type.String({
        maxLength: 100,
        description: 'From `GET /v1/webhook-events`, or `integration.received`: a message to an inbound webhook.',
        examples: ['pain.reported'],
      }),
      filter: Type.Optional(
        Type.Record(
          Type.String({ maxLength: 100 }),
          Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { minItems: 1, maxItems: MAX_FILTER_VALUES }),
          {
            maxProperties: MAX_FILTER_FIELDS,
            description:
              'Fields of the event and the values that start the rule. Other events do not start the rule and create no execution.',
            examples: [{ severity_band: ['severe'] }],
          },
        ),
      ),
    },
    { additionalProperties: false },
  ),
  conditions: Type.Object(
    { mode: Enum(MATCH_MODES), rules: Type.Array(AutomationCondition, { maxItems: MAX_AUTOMATION_CONDITIONS }) },
    { additionalProperties: false },
  ),
  actions: Type.Array(AutomationAction, { minItems: 1, maxItems: MAX_AUTOMATION_ACTIONS }),
  delay_minutes: Type.Integer({ minimum: 0, maximum: MAX_WAIT_MINUTES, examples: [0] }),
}
const IsActive = Type.Boolean({ examples: [true] })

export const RULE_PROBLEMS = [
  'subscription_not_found',
  'subscription_inactive',
  'form_template_not_usable',
  'permission_not_found',
  'permission_not_held',
] as const
const RuleProblem = Type.Object({
  field: Type.String({ examples: ['actions.0.params'] }),
  code: Enum(RULE_PROBLEMS),
  message: Type.String({ examples: ['subscription_uid must name a webhook subscription of your organization'] }),
})
export type RuleProblem = Static<typeof RuleProblem>

export const StoredAutomationRule = Type.Object({
  id: Id,
  ...definition,
  is_active: IsActive,
  version: Type.Integer({ examples: [1] }),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type StoredAutomationRule = Static<typeof StoredAutomationRule>

export const AutomationRule = Type.Object({
  ...StoredAutomationRule.properties,
  problems: Type.Array(RuleProblem, {
    description: 'Actions that cannot work now, because what they name was deleted, archived or deactivated.',
  }),
})
export type AutomationRule = Static<typeof AutomationRule>

export const NewAutomationRule = Type.Object(
  {
    name: definition.name,
    trigger: definition.trigger,
    conditions: Type.Optional(definition.conditions),
    actions: definition.actions,
    delay_minutes: Type.Optional(definition.delay_minutes),
    is_active: Type.Optional(IsActive),
  },
  { additionalProperties: false },
)
export type NewAutomationRule = Static<typeof NewAutomationRule>

export const AutomationRuleChanges = Type.Object(
  {
    name: Type.Optional(definition.name),
    trigger: Type.Optional(definition.trigger),
    conditions: Type.Optional(definition.conditions),
    actions: Type.Optional(definition.actions),
    delay_minutes: Type.Optional(definition.delay_minutes),
    is_active: Type.Optional(IsActive),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)

export const AutomationDefinition = Type.Object(definition)
export type AutomationDefinition = Static<typeof AutomationDefinition>
export const AutomationRuleVersion = Type.Object({
  version: Type.Integer({ examples: [1] }),
  definition: AutomationDefinition,
  created_at: Timestamp,
})

export const automationRuleList = {
  sort: ['name', 'created_at', 'updated_at'],
  ranges: ['created_at'],
  filters: { is_active: 'boolean' },
  q: true,
} as const
export const automationVersionList = { sort: ['version'], ranges: ['created_at'] } as const

export const AutomationStep = Type.Object({
  index: Type.Integer({ examples: [0] }),
  type: Enum(AUTOMATION_ACTIONS),
  status: Enum(STEP_STATUSES, 'succeeded'),
  attempts: Type.Integer({ examples: [1] }),
  error: Nullable(Type.String({ examples: ['webhook_inactive'] })),
  started_at: Timestamp,
  finished_at: Nullable(Timestamp),
})

export const AutomationExecution = Type.Object({
  id: Id,
  rule_id: Id,
  rule_version: Type.Integer({ examples: [1] }),
  event_id: Id,
  event: Type.String({ examples: ['pain.reported'] }),
  status: Enum(EXECUTION_STATUSES, 'succeeded'),
  skip_reason: Nullable(Enum(SKIP_REASONS)),
  patient_profile_id: Nullable(Id),
  started_at: Nullable(Timestamp),
  finished_at: Nullable(Timestamp),
  retried_from_id: Nullable(Id),
  is_held: Type.Boolean({
    description: 'The rule is switched off: the execution does nothing until it is switched on again.',
    examples: [false],
  }),
  created_at: Timestamp,
  steps: Type.Array(AutomationStep),
})
export type AutomationExecution = Static<typeof AutomationExecution>

export const automationExecutionList = {
  sort: ['created_at', 'finished_at'],
  ranges: ['created_at'],
  filters: { status: EXECUTION_STATUSES, skip_reason: SKIP_REASONS, rule_id: 'uuid' },
} as const

export const MAX_BULK_EXECUTIONS = 500
const Remaining = Type.Integer({ description: 'How many are left for the next request.', examples: [0] })
const createdAt = (description: string) =>
  Type.Optional(Type.String({ format: 'date-time', description, examples: ['2026-11-14T00:00:00.000Z'] }))
export const ExecutionBulkRetry = Type.Object(
  {
    since: createdAt('Only executions created at or after this time.'),
    until: createdAt('Only executions created at or before this time.'),
  },
  { additionalProperties: false },
)
export const RetriedExecutions = Type.Object({ retried: Type.Integer({ examples: [42] }), remaining: Remaining })
export const CanceledExecutions = Type.Object({ canceled: Type.Integer({ examples: [42] }), remaining: Remaining })

export const ExecutionRetry = Type.Object(
  { from: Enum(['start', 'failed_step'] as const) },
  { additionalProperties: false },
)
export const AutomationSimulation = Type.Object(
  {
    since: Type.String({
      format: 'date-time',
      description: 'At most 30 days ago.',
      examples: ['2026-11-14T00:00:00.000Z'],
    }),
    patient_id: Type.Optional({ ...Id, description: 'Only events about this patient.' }),
  },
  { additionalProperties: false },
)
export const SimulatedEvent = Type.Object({
  event_id: Id,
  occurred_at: Timestamp,
  would_run: Type.Boolean({ examples: [true] }),
  skip_reason: Nullable(Enum(SKIP_REASONS)),
})
export type SimulatedEvent = Static<typeof SimulatedEvent>
