import { type Static, Type } from 'typebox'
import { Body, Email, Enum, Id, Name, Nullable, Timestamp } from './shapes.ts'

export const MEMBER_TYPES = ['human', 'service'] as const
/** `invited`: has not acted in this organization yet. */
export const MEMBER_STATUSES = ['invited', 'active'] as const

export const RoleSummary = Type.Object({
  id: Id,
  code: Type.String({ examples: ['specialist'] }),
  name: Type.String({ examples: ['Specialist'] }),
})

const MemberName = Nullable(Type.String({ examples: ['Ana Ionescu'] }))
const MemberEmail = Nullable(Type.String({ examples: ['ana.ionescu@mladita.example'] }))

export const Member = Type.Object({
  principal_id: Id,
  user_id: Id,
  type: Enum(MEMBER_TYPES),
  name: MemberName,
  email: MemberEmail,
  email_verified: Type.Boolean({ examples: [true] }),
  status: Enum(MEMBER_STATUSES, 'active'),
  role: RoleSummary,
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type Member = Static<typeof Member>

export const NewMember = Body({
  email: Email,
  role_id: Id,
  name: Type.Optional(Name(200, 'Ana Ionescu')),
})
export type NewMember = Static<typeof NewMember>

export const MemberParams = Type.Object({ id: Id, userId: Id })

export const memberList = {
  sort: ['name', 'email', 'created_at'],
  ranges: ['created_at'],
  filters: { role_id: 'uuid', status: MEMBER_STATUSES, type: MEMBER_TYPES },
  q: true,
} as const

export const MemberChoice = Type.Object({
  id: Id,
  name: MemberName,
  email: MemberEmail,
  role_name: Type.String({ examples: ['Specialist'] }),
})
export type MemberChoice = Static<typeof MemberChoice>
