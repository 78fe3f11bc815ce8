import { type Static, Type } from 'typebox'
import { CalendarUid } from './appointments.ts'
import { CalendarDate } from './calendars.ts'
import { APPOINTMENT_MODES } from './services.ts'
import { Enum, Id, Nullable, Slug, Timestamp } from './shapes.ts'

export const MAX_AVAILABILITY_LIMIT = 1000
export const AVAILABILITY_WINDOW_DAYS = 31

const TimeZone = Type.String({ format: 'time-zone', examples: ['Europe/Bucharest'] })
const query = {
  service_id: Id,
  specialist_id: Type.Optional(Id),
  location_id: Type.Optional(Id),
  mode: Type.Optional(Enum(APPOINTMENT_MODES)),
  from: Timestamp,
  to: Timestamp,
  timezone: Type.Optional(TimeZone),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_AVAILABILITY_LIMIT, default: 20, examples: [20] })),
}

export const PublicAvailabilityQuery = Type.Object(
  {
    organization: Slug,
    ...query,
    moves_calendar_uid: Type.Optional({
      ...CalendarUid,
      description: 'The `calendar_uid` of a visit that is moved. It does not count for the limit of its day.',
    }),
  },
  { additionalProperties: false },
)
export const AvailabilityQuery = Type.Object(
  { ...query, explain: Type.Optional(Type.Boolean({ examples: [true] })) },
  { additionalProperties: false },
)
export type AvailabilityQuery = Static<typeof AvailabilityQuery>

export const AvailableSlot = Type.Object({
  starts_at: Timestamp,
  ends_at: Timestamp,
  specialist_id: Id,
  location_id: Nullable(Id),
})
export type AvailableSlot = Static<typeof AvailableSlot>

const Day = Type.Object({
  date: CalendarDate,
  free: Type.Integer({ description: 'How many slots are free on this day.', examples: [6] }),
})

export const UNAVAILABLE_REASONS = [
  'outside_hours',
  'override',
  'closure',
  'notice',
  'too_far_ahead',
  'taken',
  'max_per_day',
] as const

export const UnavailableSlot = Type.Object({
  starts_at: Timestamp,
  specialist_id: Id,
  reason: Enum(UNAVAILABLE_REASONS, 'taken'),
})
export type UnavailableSlot = Static<typeof UnavailableSlot>

export const Availability = Type.Object({ data: Type.Array(AvailableSlot), days: Type.Array(Day) })
export const ExplainedAvailability = Type.Object({
  data: Type.Array(AvailableSlot),
  days: Type.Array(Day),
  unavailable: Type.Optional(
    Type.Array(UnavailableSlot, { description: 'With explain=true: times on the grid that are not free.' }),
  ),
})
