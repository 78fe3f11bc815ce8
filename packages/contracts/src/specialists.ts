import { type Static, Type } from 'typebox'
import { Body, Id, Line, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'
import { DirectorySlug, SpecialtySummary } from './specialties.ts'

const SpecialistName = Name(200, 'Ana Ionescu')
const SpecialistSlug = Type.String({ ...DirectorySlug, examples: ['ana-ionescu'] })
const Title = Line(200, 'Fizioterapeut')
const RegistrationNumber = {
  ...Line(50, 'B 12345'),
  description: 'The number at the professional body. Printed on letters and certificates.',
}
const Description = Text(5_000, 'Recuperare sportivă și posturală')
const CrmName = Line(200, 'A. Ionescu')
const TimeZone = Type.String({
  format: 'time-zone',
  description: 'IANA name. Default: the time zone of the organization.',
  examples: ['Europe/Bucharest'],
})
const SchedulingActive = Type.Boolean({ examples: [true] })
export const MeetingUrl = Type.String({
  format: 'uri',
  pattern: '^https://',
  maxLength: 2048,
  examples: ['https://meet.example/abc'],
})
const FileUrl = Nullable(Type.String({ description: 'Read-only.', examples: [null] }))

/** What a list of specialists can hold besides their own fields. */
export const SPECIALIST_LIST_INCLUDES = ['specialties', 'human'] as const
export const SPECIALIST_INCLUDES = [...SPECIALIST_LIST_INCLUDES, 'weekly_hours', 'overrides'] as const
export type SpecialistInclude = (typeof SPECIALIST_INCLUDES)[number]

const Hours = Type.Array(Type.Object({}, { additionalProperties: true }), {
  description: 'In the time zone of the specialist.',
  examples: [[]],
})

export const SpecialistHuman = Type.Object({
  id: Id,
  name: Nullable(Type.String({ examples: ['Ana Ionescu'] })),
  email: Nullable(Type.String({ examples: ['ana.ionescu@mladita.example'] })),
})

export const Specialist = Type.Object({
  id: Id,
  organization_id: Id,
  human_id: Nullable(Id),
  name: SpecialistName,
  title: Nullable(Title),
  registration_number: Nullable(RegistrationNumber),
  description: Nullable(Description),
  slug: SpecialistSlug,
  signature_url: FileUrl,
  avatar_url: FileUrl,
  scheduling_timezone: TimeZone,
  scheduling_active: SchedulingActive,
  crm_name: Nullable(CrmName),
  meeting_url: Type.Unsafe<string | null>({
    ...Nullable(MeetingUrl),
    description: 'For video appointments that have no link of their own.',
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
  specialties: Type.Optional(Type.Array(SpecialtySummary)),
  human: Type.Optional(Nullable(SpecialistHuman)),
  weekly_hours: Type.Optional(Hours),
  overrides: Type.Optional(Hours),
})
export type Specialist = Static<typeof Specialist>

const details = {
  title: Type.Optional(Nullable(Title)),
  registration_number: Type.Optional(Nullable(RegistrationNumber)),
  description: Type.Optional(Nullable(Description)),
  human_id: Type.Optional(Nullable(Type.String({ ...Id, description: 'A member of the organization.' }))),
  specialty_ids: Type.Optional(Type.Array(Id, { maxItems: 100, description: 'Replaces the previous list.' })),
  scheduling_timezone: Type.Optional(TimeZone),
  scheduling_active: Type.Optional(SchedulingActive),
  crm_name: Type.Optional(Nullable(CrmName)),
  meeting_url: Type.Optional(Nullable(MeetingUrl)),
}

export const NewSpecialist = Body({ name: SpecialistName, slug: SpecialistSlug, ...details })
export type NewSpecialist = Static<typeof NewSpecialist>

export const SpecialistChanges = Type.Object(
  {
    name: Type.Optional(SpecialistName),
    slug: Type.Optional(SpecialistSlug),
    ...details,
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type SpecialistChanges = Static<typeof SpecialistChanges>

export const DeletedSpecialist = Type.Object({
  id: Id,
  message: Type.String({ examples: ['The specialist Ana Ionescu is deleted.'] }),
  deleted_at: Timestamp,
})

export const SpecialistChoice = Type.Object({ id: Id, name: SpecialistName, title: Nullable(Title) })

export const specialistList = {
  sort: ['name', 'slug', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { include: SPECIALIST_LIST_INCLUDES, deleted: 'boolean', ids: 'uuid' },
  q: true,
} as const
