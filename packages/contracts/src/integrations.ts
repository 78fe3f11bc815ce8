import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Name, Nullable, RowVersion, Timestamp } from './shapes.ts'

export const INTEGRATION_STATUSES = ['pending', 'connected', 'expired', 'revoked', 'error'] as const
export const INTEGRATION_AUTH_TYPES = ['api_key', 'webhook_in_only', 'oauth2'] as const

const ServiceSlug = Type.String({ minLength: 1, maxLength: 63, examples: ['smtp'] })
const Title = Name(120, 'Our mail server')
/** What the service's schema describes; checked by its connector. */
const Settings = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 50,
  examples: [{ host: 'smtp.mladita.example', port: 587, security: 'starttls', from_address: 'clinic@mladita.example' }],
})
const Credentials = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 50,
  writeOnly: true,
  description: 'Never returned.',
  examples: [{ username: 'clinic', password: 'a password' }],
})
const JsonSchema = Type.Record(Type.String(), Type.Unknown(), { examples: [{ type: 'object' }] })

export const IntegrationService = Type.Object({
  slug: ServiceSlug,
  name: Type.String({ examples: ['Mail server (SMTP)'] }),
  description: Type.String({ examples: ['Sends the mails of your clinic through your own mail server.'] }),
  auth_type: Enum(INTEGRATION_AUTH_TYPES),
  provider: Nullable(Type.String({ description: 'Only for an oauth2 service.', examples: ['google'] })),
  config_schema: JsonSchema,
  credentials_schema: JsonSchema,
  scopes: Type.Array(Type.String(), { examples: [[]] }),
  capabilities: Type.Array(Type.String(), { examples: [['email']] }),
  is_available: Type.Boolean({ description: 'Whether it can be connected today.', examples: [true] }),
})
export type IntegrationService = Static<typeof IntegrationService>

export const Integration = Type.Object({
  id: Id,
  organization_id: Id,
  service_slug: ServiceSlug,
  auth_type: Enum(INTEGRATION_AUTH_TYPES),
  status: Enum(INTEGRATION_STATUSES, 'connected'),
  title: Title,
  config: Settings,
  external_account: Nullable(
    Type.Object({
      id: Type.String({ examples: ['1093'] }),
      label: Nullable(Type.String({ examples: ['ana@mail.example'] })),
    }),
  ),
  scopes: Type.Array(Type.String(), { examples: [[]] }),
  has_credentials: Type.Boolean({ examples: [true] }),
  token_expires_at: Nullable(Timestamp),
  connected_at: Nullable(Timestamp),
  last_health_check_at: Nullable(Timestamp),
  last_error_code: Nullable(Type.String({ examples: ['authentication'] })),
  last_error_at: Nullable(Timestamp),
  failure_count: Type.Integer({ examples: [0] }),
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Integration = Static<typeof Integration>

/** Shown once: the URL that receives messages, and the key that signs them. */
export const InboundAccess = Type.Object({
  url: Type.String({ examples: ['https://api.example/v1/public/inbound/c2VjcmV0'] }),
  signing_secret: Type.String({ examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='] }),
})
export type InboundAccess = Static<typeof InboundAccess>

export const CreatedIntegration = Type.Object({
  ...Integration.properties,
  inbound: Type.Optional(InboundAccess),
})

export const NewIntegration = Body({
  service_slug: ServiceSlug,
  title: Title,
  config: Type.Optional(Settings),
  credentials: Type.Optional(Credentials),
})
export type NewIntegration = Static<typeof NewIntegration>

export const IntegrationChanges = Type.Object(
  { title: Type.Optional(Title), config: Type.Optional(Settings), version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type IntegrationChanges = Static<typeof IntegrationChanges>

export const NewIntegrationCredentials = Body({
  credentials: Type.Optional(Credentials),
  version: Type.Optional(RowVersion),
  config: Type.Optional(Settings),
})

const ReturnPath = Type.String({
  maxLength: 500,
  pattern: '^/(?![/\\\\])(?![^?]*//)[^\\\\\\s]*$',
  'x-reason': 'must be a path on this site, such as /console/integrations',
  description: 'Where the browser goes afterwards; `status` or `error` is added to it.',
  examples: ['/console/integrations'],
})

export const NewAuthorization = Body({
  service_slug: ServiceSlug,
  title: Title,
  config: Type.Optional(Settings),
  return_path: Type.Optional(ReturnPath),
})
export const NewReauthorization = Body({ return_path: Type.Optional(ReturnPath) })

export const AuthorizationUrl = Type.Object({
  authorization_url: Type.String({ examples: ['https://accounts.google.com/o/oauth2/v2/auth?state=…'] }),
  integration_id: Id,
})

export const IntegrationParams = Type.Object({ id: Id, integrationId: Id })

export const ConnectionTest = Type.Object({
  ok: Type.Boolean({ examples: [true] }),
  error_code: Nullable(
    Type.String({
      description:
        'What does not work, such as `not_configured` (an endpoint or the credentials are missing), `authentication` (they were refused), `unavailable` or `timeout`.',
      examples: ['authentication'],
    }),
  ),
  duration_ms: Type.Integer({ examples: [120] }),
})

export const IntegrationEvent = Type.Object({
  id: Id,
  from_status: Nullable(Enum(INTEGRATION_STATUSES)),
  to_status: Enum(INTEGRATION_STATUSES, 'connected'),
  reason: Type.String({ examples: ['created'] }),
  actor_principal_id: Nullable(Id),
  occurred_at: Timestamp,
})

export type IntegrationEvent = Static<typeof IntegrationEvent>

export const integrationList = {
  sort: ['created_at', 'title'],
  filters: { status: INTEGRATION_STATUSES, service_slug: 'text' },
} as const
export const integrationEventList = { sort: ['occurred_at'] } as const

/** The specification's `limit` and `offset`, besides `page`. */
export const IntegrationPagination = Type.Object({
  page: Type.Integer({ examples: [1] }),
  limit: Type.Integer({ examples: [50] }),
  offset: Type.Integer({ examples: [0] }),
  total: Type.Integer({ examples: [1] }),
})

export const InboundParams = Type.Object({ token: Type.String({ maxLength: 200, examples: ['c2VjcmV0'] }) })
export const InboundReceipt = Type.Object({
  id: Id,
  duplicate: Type.Boolean({
    description: 'A message with this `webhook-id` was received before; `id` is that of the first one.',
    examples: [false],
  }),
})

export const OauthCallbackParams = Type.Object({ provider: Type.String({ maxLength: 63, examples: ['google'] }) })
