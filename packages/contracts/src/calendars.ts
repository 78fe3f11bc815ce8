import { type Static, Type } from 'typebox'
import { Body, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

export const CLOCK_PATTERN = '^([01][0-9]|2[0-3]):[0-5][0-9]$'
const Start = Type.String({ pattern: CLOCK_PATTERN, examples: ['09:00'] })
const End = Type.String({
  pattern: '^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$',
  description: 'At or before the start: on the next day. 24:00 ends the day.',
  examples: ['17:00'],
})
export const CalendarDate = Type.String({ format: 'date', examples: ['2026-12-24'] })
const CalendarName = Name(200, 'Mondays at Centru')

export const HoursWindow = Body({ start: Start, end: End })
export type HoursWindow = Static<typeof HoursWindow>

export const WeeklyWindow = Body({
  weekday: Type.Integer({ minimum: 1, maximum: 7, description: '1 is Monday.', examples: [1] }),
  start: Start,
  end: End,
})
export type WeeklyWindow = Static<typeof WeeklyWindow>
export const WeeklyHours = Type.Array(WeeklyWindow, { maxItems: 70 })

export const CalendarOverride = Type.Object({
  id: Id,
  date: CalendarDate,
  date_to: Nullable(CalendarDate),
  windows: Type.Array(HoursWindow, { description: 'Hours of these days; empty means closed.' }),
  service_id: Nullable(Id),
  reason: Nullable(Text(500, 'Conference')),
})
export type CalendarOverride = Static<typeof CalendarOverride>

export const NewCalendarOverride = Body({
  date: CalendarDate,
  date_to: Type.Optional(Nullable(CalendarDate)),
  windows: Type.Array(HoursWindow, { maxItems: 10 }),
  service_id: Type.Optional(Nullable(Id)),
  reason: Type.Optional(Nullable(Text(500, 'Conference'))),
})
export type NewCalendarOverride = Static<typeof NewCalendarOverride>

export const Calendar = Type.Object({
  id: Id,
  organization_id: Id,
  specialist_id: Id,
  name: CalendarName,
  location_id: Nullable(Id),
  service_ids: Type.Array(Id, { description: 'Empty means every service.' }),
  is_active: Type.Boolean({ examples: [true] }),
  time_zone: Type.String({ description: 'The specialist’s.', examples: ['Europe/Bucharest'] }),
  weekly_hours: WeeklyHours,
  overrides: Type.Array(CalendarOverride),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Calendar = Static<typeof Calendar>

const settings = {
  location_id: Type.Optional(Nullable(Id)),
  service_ids: Type.Optional(Type.Array(Id, { maxItems: 200, uniqueItems: true })),
  is_active: Type.Optional(Type.Boolean({ examples: [true] })),
}

export const NewCalendar = Body({
  specialist_id: Id,
  name: CalendarName,
  ...settings,
  weekly_hours: Type.Optional(WeeklyHours),
})
export type NewCalendar = Static<typeof NewCalendar>

export const CalendarChanges = Type.Object(
  { name: Type.Optional(CalendarName), ...settings, version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type CalendarChanges = Static<typeof CalendarChanges>

export const WeeklyHoursBody = Body({ weekly_hours: WeeklyHours, version: Type.Optional(RowVersion) })
export const CalendarOverrideParams = Type.Object({ id: Id, overrideId: Id })

export const calendarList = {
  sort: ['name', 'created_at', 'updated_at'],
  filters: { specialist_id: 'uuid', location_id: 'uuid', is_active: 'boolean' },
  q: true,
} as const
