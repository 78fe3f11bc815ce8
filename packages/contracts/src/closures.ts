import { type Static, Type } from 'typebox'
import { CalendarDate } from './calendars.ts'
import { Body, Id, Name, Nullable, RowVersion, Timestamp } from './shapes.ts'

const ClosureName = Name(200, 'Christmas')

export const Closure = Type.Object({
  id: Id,
  date: CalendarDate,
  date_to: Nullable(CalendarDate),
  location_id: Type.Unsafe<string | null>({ ...Nullable(Id), description: 'null means the whole clinic.' }),
  name: ClosureName,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Closure = Static<typeof Closure>

export const NewClosure = Body({
  date: CalendarDate,
  date_to: Type.Optional(Nullable(CalendarDate)),
  location_id: Type.Optional(Nullable(Id)),
  name: ClosureName,
})
export type NewClosure = Static<typeof NewClosure>

export const ClosureChanges = Type.Object(
  {
    date: Type.Optional(CalendarDate),
    date_to: Type.Optional(Nullable(CalendarDate)),
    location_id: Type.Optional(Nullable(Id)),
    name: Type.Optional(ClosureName),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ClosureChanges = Static<typeof ClosureChanges>

export const closureList = {
  sort: ['date', 'name', 'created_at'],
  ranges: ['date'],
  filters: { location_id: 'uuid' },
} as const
