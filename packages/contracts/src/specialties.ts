import { type Static, Type } from 'typebox'
import { Body, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

/** Lower-case letters, digits and hyphens. */
export const DirectorySlug = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[a-z0-9]+(-+[a-z0-9]+)*$',
  'x-reason': 'must be lower-case letters and digits, with hyphens between them',
  examples: ['fizioterapie'],
})

const SpecialtyTitle = Name(200, 'Fizioterapie')
const Description = Text(5_000, 'Recuperare după accidentări')

export const SpecialtySummary = Type.Object({ id: Id, title: SpecialtyTitle, slug: DirectorySlug })
export type SpecialtySummary = Static<typeof SpecialtySummary>

export const Specialty = Type.Object({
  id: Id,
  organization_id: Id,
  title: SpecialtyTitle,
  slug: DirectorySlug,
  description: Nullable(Description),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Specialty = Static<typeof Specialty>

export const SpecialtyWithSpecialists = Type.Object({
  ...Specialty.properties,
  specialists: Type.Array(
    Type.Object({
      id: Id,
      name: Type.String({ examples: ['Ana Ionescu'] }),
      title: Nullable(Type.String({ examples: ['Fizioterapeut'] })),
      slug: Type.String({ examples: ['ana-ionescu'] }),
    }),
    { description: 'Sorted by name, without deleted ones.' },
  ),
})
export type SpecialtyWithSpecialists = Static<typeof SpecialtyWithSpecialists>

const details = { description: Type.Optional(Nullable(Description)) }

export const NewSpecialty = Body({ title: SpecialtyTitle, slug: DirectorySlug, ...details })
export type NewSpecialty = Static<typeof NewSpecialty>

export const SpecialtyChanges = Type.Object(
  {
    title: Type.Optional(SpecialtyTitle),
    slug: Type.Optional(DirectorySlug),
    ...details,
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type SpecialtyChanges = Static<typeof SpecialtyChanges>

export const specialtyList = {
  sort: ['title', 'slug', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  q: true,
} as const
