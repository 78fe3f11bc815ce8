import { type Static, Type } from 'typebox'
import { Body, Email, Enum, Id, Nullable, Timestamp } from './shapes.ts'

const PersonName = Nullable(Type.String({ examples: ['Olivia Stone'] }))

export const PlatformMembership = Type.Object({
  principal_id: Id,
  name: PersonName,
  email: Nullable(Type.String({ examples: ['olivia.stone@tendon.example'] })),
  role: Enum(['superadmin']),
  granted_by_principal_id: Nullable(Id),
  granted_by: Nullable(Type.Object({ principal_id: Id, name: PersonName })),
  granted_at: Timestamp,
})
export type PlatformMembership = Static<typeof PlatformMembership>

export const NewPlatformMembership = Body({
  email: Type.Optional(Email),
  principal_id: Type.Optional(Id),
})

export const ByPrincipal = Type.Object({ principalId: Id })

export const platformMembershipList = {
  sort: ['name', 'email', 'granted_at'],
  ranges: ['granted_at'],
  q: true,
} as const
