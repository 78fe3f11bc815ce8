import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

export const WEBHOOK_DELIVERY_STATUSES = [
  'pending',
  'delivering',
  'retrying',
  'delivered',
  'failed',
  'discarded',
] as const
export const WEBHOOK_FIELD_TYPES = ['id', 'time', 'number', 'boolean', 'choice'] as const
export const WEBHOOK_TRIGGERS = ['scheduled', 'manual'] as const
export const WEBHOOK_DISABLED_REASONS = ['manual', 'gone', 'failing'] as const
export const WEBHOOK_DISCARD_REASONS = ['patient_restricted', 'patient_erased', 'subscription_inactive'] as const

const Url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'https, without credentials. Redirects are not followed.',
  examples: ['https://hooks.mladita.example/tendon'],
})
const Description = Text(500, 'Copies appointments to our calendar')
const Events = Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['appointment.created'] }), {
  minItems: 1,
  maxItems: 100,
  uniqueItems: true,
  description: 'Names from `GET /v1/webhook-events`, or `*` for all.',
})
const RateLimit = Type.Integer({
  minimum: 1,
  maximum: 1_000,
  description: 'Maximum requests per second. Null for no limit except four at a time.',
  examples: [10],
})

export const WebhookSubscription = Type.Object({
  uid: Id,
  url: Url,
  description: Description,
  events: Events,
  is_active: Type.Boolean({ examples: [true] }),
  disabled_reason: Nullable(
    Type.Unsafe<(typeof WEBHOOK_DISABLED_REASONS)[number]>({
      ...Enum(WEBHOOK_DISABLED_REASONS, 'failing'),
      description: '`manual`: by a member. `gone`: the URL answered 410. `failing`: all attempts failed for five days.',
    }),
  ),
  first_failure_at: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  rate_limit_per_second: Nullable(RateLimit),
  secret_hint: Type.String({ description: 'The end of the signing secret.', examples: ['…b2c='] }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type WebhookSubscription = Static<typeof WebhookSubscription>

export const WebhookSubscriptionWithSecret = Type.Object({
  ...WebhookSubscription.properties,
  secret: Type.String({
    description: 'The signing secret. Shown in this response only.',
    examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
  }),
})
export type WebhookSubscriptionWithSecret = Static<typeof WebhookSubscriptionWithSecret>

export const NewWebhookSubscription = Type.Object(
  {
    url: Url,
    description: Type.Optional(Description),
    events: Events,
    rate_limit_per_second: Type.Optional(Nullable(RateLimit)),
  },
  { additionalProperties: false },
)
export type NewWebhookSubscription = Static<typeof NewWebhookSubscription>

export const WebhookSubscriptionChanges = Type.Object(
  {
    url: Type.Optional(Url),
    description: Type.Optional(Description),
    events: Type.Optional(Events),
    is_active: Type.Optional(Type.Boolean({ examples: [false] })),
    rate_limit_per_second: Type.Optional(Nullable(RateLimit)),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type WebhookSubscriptionChanges = Static<typeof WebhookSubscriptionChanges>

export const WebhookParams = Type.Object({ uid: Id })
export const WebhookDeliveryParams = Type.Object({ uid: Id, deliveryId: Id })

export const WebhookAttempt = Type.Object({
  attempt_number: Type.Integer({ examples: [1] }),
  trigger: Enum(WEBHOOK_TRIGGERS),
  requested_at: Timestamp,
  duration_ms: Type.Integer({ examples: [84] }),
  response_status: Nullable(Type.Integer({ examples: [200] })),
  response_body: Nullable(
    Type.String({
      description: 'The first 1,000 characters in lists, the first 20,000 bytes of a single delivery.',
      examples: ['ok'],
    }),
  ),
  error: Nullable(
    Type.String({
      description: 'Why the attempt failed, as a name such as `timeout`, `redirect` or `http_status`.',
      examples: ['timeout'],
    }),
  ),
})
export type WebhookAttempt = Static<typeof WebhookAttempt>

export const WebhookDelivery = Type.Object({
  id: Id,
  event_id: Id,
  event: Type.String({ examples: ['appointment.created'] }),
  status: Enum(WEBHOOK_DELIVERY_STATUSES, 'delivered'),
  attempt_count: Type.Integer({ examples: [1] }),
  next_attempt_at: Nullable(Timestamp),
  created_at: Timestamp,
  delivered_at: Nullable(Timestamp),
  discard_reason: Nullable(Enum(WEBHOOK_DISCARD_REASONS)),
  attempts: Type.Array(WebhookAttempt),
})
export type WebhookDelivery = Static<typeof WebhookDelivery>

export const webhookSubscriptionList = {
  sort: ['created_at', 'updated_at'],
  ranges: ['created_at'],
  filters: { is_active: 'boolean' },
} as const

export const webhookDeliveryList = {
  sort: ['created_at', 'delivered_at'],
  ranges: ['created_at', 'delivered_at'],
  filters: { status: WEBHOOK_DELIVERY_STATUSES, event: 'text' },
} as const

export const WebhookRecovery = Type.Object(
  {
    since: Type.String({ format: 'date-time', examples: ['2026-11-14T00:00:00.000Z'] }),
    until: Type.Optional(Type.String({ format: 'date-time', examples: ['2026-11-15T00:00:00.000Z'] })),
  },
  { additionalProperties: false },
)
export const WebhookRecovered = Type.Object({
  deliveries: Type.Integer({ description: 'The number of deliveries that will be sent again.', examples: [12] }),
  left_out: Type.Integer({
    description:
      'The number of events in the period that occurred before the subscription was created. They are not sent.',
    examples: [0],
  }),
})
export type WebhookRecovered = Static<typeof WebhookRecovered>

const Count = Type.Integer({ minimum: 0, examples: [3] })
export const WebhookStats = Type.Object({
  since: Timestamp,
  deliveries: Type.Object(
    Object.fromEntries(WEBHOOK_DELIVERY_STATUSES.map((status) => [status, Count])) as Record<
      (typeof WEBHOOK_DELIVERY_STATUSES)[number],
      typeof Count
    >,
  ),
  attempts: Type.Object({ total: Count, failed: Count }),
  duration_ms: Type.Object({
    p50: Nullable(Type.Integer({ examples: [80] })),
    p95: Nullable(Type.Integer({ examples: [240] })),
  }),
  oldest_waiting_at: Nullable(Timestamp),
})
export type WebhookStats = Static<typeof WebhookStats>

export const WebhookEventType = Type.Object({
  event: Type.String({ examples: ['appointment.created'] }),
  description: Type.String({ examples: ['An appointment was booked.'] }),
  always_delivered: Type.Boolean({
    description: 'Also sent about patients whose processing is restricted or who were erased.',
    examples: [false],
  }),
  fields: Type.Array(
    Type.Object({
      name: Type.String({ examples: ['patient_id'] }),
      type: Enum(WEBHOOK_FIELD_TYPES, 'id'),
      nullable: Type.Boolean({
        description: 'False: the field always has a value. A booking without an account has no patient, for example.',
        examples: [true],
      }),
      choices: Nullable(Type.Array(Type.String({ examples: ['telerehab'] }))),
    }),
    { description: 'The fields of `data`.' },
  ),
  example: Type.Object(
    { id: Id, event: Type.String({ examples: ['appointment.created'] }), created_at: Timestamp, organization_id: Id },
    { additionalProperties: true, description: 'An example of the body.' },
  ),
})

const Base64 = (example: string) => Type.String({ examples: [example] })
export const WebhookCatalogue = Type.Object({
  events: Type.Array(WebhookEventType),
  signature_test_vector: Type.Object({
    secret: Base64('whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='),
    body: Type.String({ examples: ['{"id":"019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17"}'] }),
    headers: Type.Record(Type.String(), Type.String(), {
      examples: [{ 'x-webhook-signature': 'sha256=2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae' }],
    }),
  }),
})
export type WebhookCatalogue = Static<typeof WebhookCatalogue>
