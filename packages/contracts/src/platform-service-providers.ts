import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, RowVersion, Timestamp } from './shapes.ts'

export const PROVIDER_STATUSES = ['active', 'error', 'inactive'] as const

const Capability = Type.String({
  minLength: 1,
  maxLength: 80,
  pattern: '^[a-z][a-z0-9_]*$',
  'x-reason': 'must be lower-case letters, digits and underscores',
  examples: ['email'],
})
const Settings = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 50,
  examples: [{ region: 'eu-central-1', from_address: 'no-reply@tendon.example' }],
})
const Credentials = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  maxProperties: 20,
  writeOnly: true,
  description: 'Never returned.',
  examples: [{ access_key_id: 'AKIAEXAMPLE', secret_access_key: 'a secret' }],
})

export const PlatformServiceProvider = Type.Object({
  id: Id,
  capability: Capability,
  provider: Type.String({ examples: ['ses'] }),
  config: Settings,
  has_credentials: Type.Boolean({ examples: [true] }),
  status: Enum(PROVIDER_STATUSES),
  last_error: Nullable(Type.String({ examples: ['authentication'] })),
  last_error_at: Nullable(Timestamp),
  last_health_check_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type PlatformServiceProvider = Static<typeof PlatformServiceProvider>

export const NewPlatformServiceProvider = Body({
  capability: Capability,
  provider: Type.String({ minLength: 1, maxLength: 40, examples: ['ses'] }),
  credentials: Type.Optional(Credentials),
  config: Type.Optional(Settings),
})
export type NewPlatformServiceProvider = Static<typeof NewPlatformServiceProvider>

export const PlatformServiceProviderChanges = Type.Object(
  {
    credentials: Type.Optional(Credentials),
    config: Type.Optional(Settings),
    status: Type.Optional(Enum(['active', 'inactive'] as const)),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type PlatformServiceProviderChanges = Static<typeof PlatformServiceProviderChanges>

export const platformServiceProviderList = {
  sort: ['capability', 'created_at'],
  filters: { capability: 'text', status: PROVIDER_STATUSES },
} as const
