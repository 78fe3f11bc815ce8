import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const ACCESS_KINDS = ['staff', 'service', 'operator', 'system', 'you'] as const
export const ACCESS_WAYS = ['normal', 'break_glass', 'impersonation'] as const

/** Who opened or changed a patient's record, in words for that patient. */
export const AccessLogEntry = Type.Object({
  occurred_at: Timestamp,
  organization: Nullable(Type.Object({ id: Id, name: Type.String({ examples: ['Clinica Mlădița'] }) })),
  who: Type.Object({
    name: Nullable(Text(200, 'Ana Ionescu')),
    kind: Enum(ACCESS_KINDS),
  }),
  role_name: Nullable(Type.String({ description: 'The role at that time.', examples: ['Specialist'] })),
  what: Type.String({
    description: 'A sentence in the language of the patient.',
    examples: ['Your record was opened.'],
  }),
  how: Enum(ACCESS_WAYS),
  reason: Nullable(
    Type.String({
      description: 'Set for `break_glass` and `impersonation`.',
      examples: ['The patient cannot find an appointment in the portal'],
    }),
  ),
})
export type AccessLogEntry = Static<typeof AccessLogEntry>

export const accessLogList = {
  sort: ['occurred_at'],
  ranges: ['occurred_at'],
  filters: { organization_id: 'uuid' },
} as const
