import { type Static, Type } from 'typebox'
import { RoleSummary } from './members.ts'
import { Body, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

const AccountName = Name(120, 'Laboratory import')
const Description = Nullable(Text(1000, 'Reads results from the laboratory every night.'))

export const ServiceAccount = Type.Object({
  id: Id,
  name: AccountName,
  description: Description,
  role: RoleSummary,
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type ServiceAccount = Static<typeof ServiceAccount>

export const NewServiceAccount = Body({
  name: AccountName,
  description: Type.Optional(Description),
  role_id: Id,
})
export type NewServiceAccount = Static<typeof NewServiceAccount>

export const ServiceAccountChanges = Type.Object(
  {
    name: Type.Optional(AccountName),
    description: Type.Optional(Description),
    role_id: Type.Optional(Id),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ServiceAccountChanges = Static<typeof ServiceAccountChanges>

export const ServiceAccountParams = Type.Object({ id: Id, serviceAccountId: Id })

export const serviceAccountList = {
  sort: ['name', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { role_id: 'uuid' },
  q: true,
} as const

const apiKey = {
  id: Id,
  name: Name(120, 'Night job'),
  prefix: Type.String({ description: 'The first characters of the key.', examples: ['tk_9sJ2mQx1'] }),
  created_at: Timestamp,
  expires_at: Nullable(Timestamp),
  last_used_at: Nullable(Timestamp),
  revoked_at: Nullable(Timestamp),
}
export const ApiKey = Type.Object(apiKey)
export type ApiKey = Static<typeof ApiKey>

/** The only answer that ever holds the key itself. */
export const CreatedApiKey = Type.Object({
  ...apiKey,
  key: Type.String({
    description: 'Shown only once. Send it as "Authorization: Bearer tk_…".',
    examples: ['tk_9sJ2mQx1VbT0c5yK8wZr3hNfLgD7eUaPiO4MjS6tXEk'],
  }),
})

export const NewApiKey = Body({
  name: Name(120, 'Night job'),
  expires_at: Type.Optional(Nullable(Timestamp)),
})
export type NewApiKey = Static<typeof NewApiKey>

export const ApiKeyParams = Type.Object({ id: Id, serviceAccountId: Id, keyId: Id })

export const apiKeyList = {
  sort: ['name', 'created_at', 'expires_at', 'last_used_at'],
  ranges: ['created_at'],
  q: true,
} as const
