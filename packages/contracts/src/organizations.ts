import { type Static, Type } from 'typebox'
import { Address, Body, Email, Enum, Id, Line, Name, Nullable, RowVersion, Slug, Timestamp } from './shapes.ts'

export const PLANS = ['free', 'pro', 'dedicated'] as const
export type Plan = (typeof PLANS)[number]

const LanguageCode = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  'x-reason': 'must be a language code such as en or ro',
  maxLength: 35,
  description: 'BCP 47. Supported for now: en, ro; anything else shows in English.',
  examples: ['ro'],
})
const TimeZone = Type.String({ format: 'time-zone', examples: ['Europe/Bucharest'] })
const Website = Type.String({
  format: 'uri',
  pattern: '^https?://',
  'x-reason': 'must begin with https:// or http://',
  maxLength: 300,
  examples: ['https://mladita.example'],
})

export const Organization = Type.Object({
  id: Id,
  name: Name(200, 'Clinica Mlădița'),
  slug: Slug,
  language_code: LanguageCode,
  time_zone: TimeZone,
  legal_name: Nullable(Line(200, 'Mlădița Medical SRL')),
  contact_email: Nullable(Email),
  phone: Nullable(Line(40, '+40 21 555 0100')),
  website: Nullable(Website),
  address: Nullable(Address),
  plan: Enum(PLANS),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
})
export type Organization = Static<typeof Organization>

const details = {
  language_code: Type.Optional(LanguageCode),
  time_zone: Type.Optional(TimeZone),
  legal_name: Type.Optional(Nullable(Line(200, 'Mlădița Medical SRL'))),
  contact_email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Line(40, '+40 21 555 0100'))),
  website: Type.Optional(Nullable(Website)),
  address: Type.Optional(Nullable(Address)),
}

export const NewOrganization = Body({
  name: Name(200, 'Clinica Mlădița'),
  slug: Slug,
  plan: Type.Optional(Enum(PLANS)),
  ...details,
})
export type NewOrganization = Static<typeof NewOrganization>

export const OrganizationChanges = Type.Object(
  {
    name: Type.Optional(Name(200, 'Clinica Mlădița')),
    slug: Type.Optional(Slug),
    ...details,
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type OrganizationChanges = Static<typeof OrganizationChanges>

export const organizationList = {
  sort: ['name', 'slug', 'created_at', 'updated_at'],
  ranges: ['created_at', 'updated_at'],
  filters: { plan: PLANS, language_code: 'text' },
  q: true,
} as const

/** What anybody may know: enough for a sign-in page. */
export const PublicOrganization = Type.Object({
  id: Id,
  name: Name(200, 'Clinica Mlădița'),
  slug: Slug,
  language_code: LanguageCode,
})

export const ResolveQuery = Type.Object({
  slug: Type.Optional(Type.String({ minLength: 1, maxLength: 63, examples: ['clinica-mladita'] })),
  domain: Type.Optional(Type.String({ minLength: 1, maxLength: 253, examples: ['clinic.example'] })),
})
