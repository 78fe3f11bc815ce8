import { type Static, Type } from 'typebox'
import { Address, Email, Id, Line, Name, Nullable, RowVersion, Timestamp } from './shapes.ts'

const LocationName = Name(200, 'Mlădița Centru')
const Phone = Line(40, '+40 21 555 0100')
const TimeZone = Type.String({
  format: 'time-zone',
  description: 'IANA name; null means the time zone of the organization.',
  examples: ['Europe/Bucharest'],
})

export const Location = Type.Object({
  id: Id,
  name: LocationName,
  address: Nullable(Address),
  phone: Nullable(Phone),
  email: Nullable(Email),
  time_zone: Nullable(TimeZone),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
})
export type Location = Static<typeof Location>

const details = {
  address: Type.Optional(Nullable(Address)),
  phone: Type.Optional(Nullable(Phone)),
  email: Type.Optional(Nullable(Email)),
  time_zone: Type.Optional(Nullable(TimeZone)),
}

export const NewLocation = Type.Object({ name: LocationName, ...details }, { additionalProperties: false })
export type NewLocation = Static<typeof NewLocation>

export const LocationChanges = Type.Object(
  { name: Type.Optional(LocationName), ...details, version: Type.Optional(RowVersion) },
  { additionalProperties: false, minProperties: 1 },
)
export type LocationChanges = Static<typeof LocationChanges>

export const LocationChoice = Type.Object({ id: Id, name: LocationName })

export const LocationParams = Type.Object({ id: Id, locationId: Id })

export const locationList = {
  sort: ['name', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { deleted: 'boolean' },
  q: true,
} as const
