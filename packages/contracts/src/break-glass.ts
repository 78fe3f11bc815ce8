import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Timestamp } from './shapes.ts'

export const BREAK_GLASS_MINUTES_DEFAULT = 30
const MAX_BREAK_GLASS_MINUTES = 60
const MAX_REASON_LENGTH = 1000

const Reason = Type.String({
  maxLength: MAX_REASON_LENGTH,
  pattern: '^\\s*\\S[\\s\\S]{18,}\\S\\s*$',
  'x-reason': 'must give a reason of at least 20 characters',
  description: 'Shown to the clinic and to the patients whose records are opened. Do not name anybody in it.',
  examples: ['Support ticket 4711: appointments do not show in the record'],
})

export const BREAK_GLASS_STATUSES = ['active', 'ended', 'expired'] as const

export const BreakGlassGrant = Type.Object({
  id: Id,
  organization: Type.Object({ id: Id, name: Type.String({ examples: ['Clinica Mlădița'] }) }),
  patient_id: Nullable(Id),
  opened_by: Type.Object({ principal_id: Id, name: Nullable(Type.String({ examples: ['Olivia Stone'] })) }),
  reason: Reason,
  status: Enum(BREAK_GLASS_STATUSES),
  created_at: Timestamp,
  expires_at: Timestamp,
  ended_at: Nullable(Timestamp),
})
export type BreakGlassGrant = Static<typeof BreakGlassGrant>

export const NewBreakGlassGrant = Body({
  organization_id: Id,
  patient_id: Type.Optional(Nullable(Id)),
  reason: Reason,
  minutes: Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_BREAK_GLASS_MINUTES, default: BREAK_GLASS_MINUTES_DEFAULT }),
  ),
})
export type NewBreakGlassGrant = Static<typeof NewBreakGlassGrant>

export const clinicBreakGlassList = {
  sort: ['created_at', 'expires_at'],
  ranges: ['created_at'],
  filters: { status: BREAK_GLASS_STATUSES, patient_id: 'uuid', principal_id: 'uuid' },
} as const

export const breakGlassList = {
  ...clinicBreakGlassList,
  filters: { ...clinicBreakGlassList.filters, organization_id: 'uuid' },
} as const
