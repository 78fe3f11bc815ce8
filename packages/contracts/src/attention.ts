import { type Static, Type } from 'typebox'
import { WARNING_SIGNS } from './session-runs.ts'
import { Body, Enum, Id, Nullable, Timestamp } from './shapes.ts'

/** What needs attention, the heaviest first. */
export const ATTENTION_KINDS = [
  'pain',
  'not_exercising',
  'to_sign',
  'to_confirm',
  'unlinked',
  'slot_freed',
  'not_closed',
  'plan_ends',
  'incomplete',
  'integration_broken',
  'webhook_failing',
  'mails_failed',
  'notice_outdated',
  'domain_failing',
  'request_due',
  'limit_reached',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

export const MAX_ATTENTION_ITEMS = 100
export const MAX_SNOOZE_DAYS = 30

const ATTENTION_SCOPES = ['clinic', 'mine'] as const
const MARK_STATES = ['done', 'snoozed', 'open'] as const

const NamedText = (example: string) => Type.Object({ id: Id, name: Type.String({ examples: [example] }) })
const Translations = Type.Record(Type.String(), Type.Record(Type.String(), Type.String()), {
  description: 'Language → field → text.',
})

/** Each kind has some of these. */
const AttentionParams = Type.Object({
  severity: Type.Optional(Type.Integer({ description: 'Of pain, 0 to 10.', examples: [7] })),
  warning_signs: Type.Optional(Type.Array(Enum(WARNING_SIGNS))),
  session_run_id: Type.Optional(Id),
  treatment_plan_id: Type.Optional(Id),
  form_id: Type.Optional(Id),
  appointment_id: Type.Optional(Id),
  integration_id: Type.Optional(Id),
  webhook_subscription_id: Type.Optional(Id),
  domain_id: Type.Optional(Id),
  privacy_request_id: Type.Optional(Id),
  title: Type.Optional(
    Type.String({ description: 'Of the plan, form or integration.', examples: ['Knee, first weeks'] }),
  ),
  translations: Type.Optional(Translations),
  last_run_at: Type.Optional(Nullable(Timestamp)),
  starts_at: Type.Optional(Timestamp),
  ends_at: Type.Optional(Timestamp),
  ends_on: Type.Optional(Type.String({ description: 'The last day of the plan.', examples: ['2026-11-30'] })),
  status: Type.Optional(
    Type.String({ description: 'Of the visit, integration, domain or privacy request.', examples: ['pending'] }),
  ),
  booker_name: Type.Optional(Nullable(Type.String({ examples: ['Ion Popescu'] }))),
  service: Type.Optional(
    Type.Union([
      Type.Object({
        id: Id,
        name: Type.String({ examples: ['First visit'] }),
        translations: Type.Optional(Translations),
      }),
      Type.Null(),
    ]),
  ),
  specialist: Type.Optional(Type.Union([NamedText('Dr. Radu Pop'), Type.Null()])),
  service_slug: Type.Optional(Type.String({ description: 'Of the integration.', examples: ['google_calendar'] })),
  error: Type.Optional(Nullable(Type.String({ examples: ['authentication'] }))),
  host: Type.Optional(
    Type.String({ description: 'Of the webhook, whose URL may hold a secret.', examples: ['hooks.clinic.example'] }),
  ),
  domain: Type.Optional(Type.String({ examples: ['portal.clinic.example'] })),
  count: Type.Optional(Type.Integer({ description: 'How many mails, or attempts of the webhook, failed.' })),
  version: Type.Optional(Type.Integer({ description: 'The newest version of the template of privacy notices.' })),
  request: Type.Optional(Enum(['export', 'erase'])),
  due_at: Type.Optional(Timestamp),
  limit: Type.Optional(Type.String({ description: 'The name of the limit.', examples: ['max_specialists'] })),
  max: Type.Optional(Type.Integer({ examples: [10] })),
  current: Type.Optional(Type.Integer({ examples: [10] })),
})
export type AttentionParams = Static<typeof AttentionParams>

const AttentionKey = Type.String({
  maxLength: 120,
  pattern: `^(${ATTENTION_KINDS.join('|')})(\\.[0-9a-z_-]{1,60}){1,3}$`,
  'x-reason': 'must be the key of an item of GET /v1/attention',
  examples: ['pain.019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'],
})

const AttentionMark = Type.Object({
  state: Enum(MARK_STATES),
  by: Type.Object({
    id: Id,
    name: Nullable(Type.String({ description: 'null: no longer a member.', examples: ['Ana Ionescu'] })),
  }),
  at: Timestamp,
  until: Nullable({ ...Timestamp, description: 'When a snoozed item appears again.' }),
})
export type AttentionMark = Static<typeof AttentionMark>

export const AttentionItem = Type.Object({
  key: Type.String({ ...AttentionKey, description: 'Of this fact: a new fact has a new key.' }),
  kind: Enum(ATTENTION_KINDS),
  patient: Type.Union([NamedText('Maria Stan'), Type.Null()]),
  at: Nullable({ ...Timestamp, description: 'When it happened, or when it is due.' }),
  params: AttentionParams,
  mark: Type.Union([AttentionMark, Type.Null()], { description: 'Done today, and by whom; null: open.' }),
})
export type AttentionItem = Static<typeof AttentionItem>

export const AttentionQuery = Type.Object({
  scope: Type.Optional(
    Type.Unsafe<(typeof ATTENTION_SCOPES)[number]>({
      ...Enum(ATTENTION_SCOPES),
      description: 'mine: patients whom you lead or who have a visit with you, and what concerns no patient.',
    }),
  ),
})

export const AttentionParameters = Type.Object({ key: AttentionKey })

export const AttentionMarkChange = Body({
  state: Enum(MARK_STATES),
  until: Type.Optional({
    ...Timestamp,
    description: `Only to snooze: in the future, at most ${MAX_SNOOZE_DAYS} days.`,
  }),
})
export type AttentionMarkChange = Static<typeof AttentionMarkChange>

export const MarkedAttention = Type.Object({ key: AttentionKey, mark: AttentionMark })
