import { type Static, Type } from 'typebox'
import { APPOINTMENT_STATUSES, Appointment } from './appointments.ts'
import { Body, Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const SeriesCancellation = Body({
  from: { ...Timestamp, description: 'Visits of the series that start at this time or later are cancelled.' },
  reason: Type.Optional(Nullable(Text(500, 'The specialist is ill.'))),
})
export const LEFT_REASONS = ['has_begun', 'is_over'] as const
export const CancelledSeries = Type.Object({
  cancelled: Type.Array(Appointment),
  left: Type.Array(
    Type.Object({
      id: Id,
      starts_at: Nullable(Timestamp),
      status: Enum(APPOINTMENT_STATUSES, 'completed'),
      reason: Enum(LEFT_REASONS, 'is_over'),
    }),
    { description: 'Visits that were not cancelled, and why.' },
  ),
})
export type CancelledSeries = Static<typeof CancelledSeries>
