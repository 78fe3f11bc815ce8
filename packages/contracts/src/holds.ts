import { type Static, Type } from 'typebox'
import { CalendarUid } from './appointments.ts'
import { APPOINTMENT_MODES, OverLimit } from './services.ts'
import { Body, Enum, Id, Nullable, Slug, Timestamp } from './shapes.ts'

export const HOLD_STATUSES = ['active', 'converted', 'released', 'expired'] as const
export const MAX_STAFF_HOLD_MINUTES = 60

export const Hold = Type.Object({
  id: Type.String({
    format: 'uuid',
    description: 'Keep it secret: it books or releases the hold.',
    examples: ['5f0d6f1e-3b0a-4f43-9f57-0c8f4f2a9b1d'],
  }),
  service_id: Id,
  specialist_id: Id,
  location_id: Nullable(Id),
  mode: Enum(APPOINTMENT_MODES),
  starts_at: Timestamp,
  ends_at: Timestamp,
  status: Enum(HOLD_STATUSES),
  expires_at: Timestamp,
  created_at: Timestamp,
})
export type Hold = Static<typeof Hold>

const wanted = {
  service_id: Id,
  specialist_id: Type.Optional(Id),
  location_id: Type.Optional(Id),
  mode: Enum(APPOINTMENT_MODES),
  starts_at: Timestamp,
}
export const NewPublicHold = Body({
  organization: Slug,
  ...wanted,
  moves_calendar_uid: Type.Optional({
    ...CalendarUid,
    description:
      'The `calendar_uid` of a visit. The hold can then only move this visit, and the visit does not count for the limit of the day.',
  }),
})
export type NewPublicHold = Static<typeof NewPublicHold>
export const NewHold = Body({
  ...wanted,
  minutes: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_STAFF_HOLD_MINUTES, default: 5, examples: [15] })),
  over_limit: Type.Optional(OverLimit),
})
export type NewHold = Static<typeof NewHold>
