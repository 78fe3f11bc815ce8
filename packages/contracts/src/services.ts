import { type Static, type TSchema, Type } from 'typebox'
import { ReminderOffsets } from './settings.ts'
import { Address, Body, Enum, Id, Line, Name, Nullable, RowVersion, Slug, Text, Timestamp } from './shapes.ts'

export const APPOINTMENT_MODES = ['in_person', 'video', 'phone'] as const
export type AppointmentMode = (typeof APPOINTMENT_MODES)[number]
export const MAX_MONEY_CENTS = 100_000_000

const Minutes = (minimum: number, maximum: number, example: number, description?: string) =>
  Type.Integer({ minimum, maximum, examples: [example], ...(description ? { description } : {}) })

/** For staff: books although the service's limit per day is reached. */
export const OverLimit = Type.Boolean({
  description: 'Goes beyond the limit of the service per day (max_per_day). Audited.',
  examples: [false],
})

export const PriceCents = Type.Integer({
  minimum: 0,
  maximum: MAX_MONEY_CENTS,
  description: 'In minor units of the currency.',
  examples: [15000],
})
export const Currency = Type.String({
  format: 'currency',
  description: 'ISO 4217. A row keeps the code of a currency that has ended since.',
  examples: ['RON'],
})

const ServiceName = Name(200, 'Initial assessment')
const Description = Text(4000, 'History, examination and a first plan.')
const Words = { name: Type.Optional(ServiceName), description: Type.Optional(Description) }
export const ServiceTranslations = Type.Object(
  { en: Type.Optional(Body(Words)), ro: Type.Optional(Body(Words)) },
  { additionalProperties: false, examples: [{ ro: { name: 'Evaluare inițială' } }] },
)
const Modes = Type.Array(Enum(APPOINTMENT_MODES), {
  minItems: 1,
  maxItems: APPOINTMENT_MODES.length,
  uniqueItems: true,
  examples: [['in_person', 'video']],
})
const Ids = (description: string) =>
  Type.Array(Id, {
    maxItems: 200,
    uniqueItems: true,
    description,
    examples: [['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17']],
  })
const Status = Enum(['active', 'archived'] as const)
const Color = Type.String({ pattern: '^#[0-9a-f]{6}$', examples: ['#0b7a61'] })

/** What a clinic can set; every field but these two has a default. */
const settings = {
  description: Nullable(Description),
  translations: ServiceTranslations,
  buffer_before_minutes: Minutes(0, 240, 0, 'Kept free before the appointment.'),
  buffer_after_minutes: Minutes(0, 240, 10, 'Kept free after the appointment.'),
  slot_interval_minutes: Minutes(5, 1440, 60, 'Interval between bookable times, counted from local midnight.'),
  min_notice_minutes: Minutes(0, 43_200, 120, 'How long before the start a patient can still book.'),
  max_days_ahead: Type.Integer({ minimum: 1, maximum: 730, examples: [60] }),
  modes: Modes,
  specialist_ids: Ids('Specialists who offer the service; empty means every specialist.'),
  location_ids: Ids('Locations that offer it; empty means every location.'),
  specialty_id: Nullable(Id),
  requires_confirmation: Type.Boolean({
    description: 'Bookings wait for the clinic to confirm them.',
    examples: [false],
  }),
  cancel_notice_minutes: Minutes(0, 43_200, 1440, 'How long before the start a patient can still cancel.'),
  reschedule_notice_minutes: Minutes(0, 43_200, 1440, 'How long before the start a patient can still reschedule.'),
  reminder_offsets_minutes: Type.Unsafe<number[] | null>({
    ...Nullable(ReminderOffsets),
    description: 'Minutes before the start at which patients get a mail; null for the setting of the clinic.',
  }),
  max_per_day: Nullable(Type.Integer({ minimum: 1, maximum: 200, examples: [8] })),
  is_public: Type.Boolean({ description: 'Can be booked online by patients.', examples: [true] }),
  status: Status,
  color: Nullable(Color),
  intake_form_template_id: Nullable(Id),
  price_cents: Nullable(PriceCents),
  currency: Currency,
}
const Duration = Minutes(5, 480, 50)

const optional = <Fields extends Record<string, TSchema>>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, schema]) => [name, Type.Optional(schema)])) as {
    [Name in keyof Fields]: ReturnType<typeof Type.Optional<Fields[Name]>>
  }

export const Service = Type.Object({
  id: Id,
  organization_id: Id,
  name: ServiceName,
  slug: Slug,
  duration_minutes: Duration,
  ...settings,
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
})
export type Service = Static<typeof Service>

export const NewService = Body({
  name: ServiceName,
  slug: Type.Optional(Slug),
  duration_minutes: Duration,
  ...optional(settings),
})
export type NewService = Static<typeof NewService>

export const ServiceChanges = Type.Object(
  {
    ...optional({ name: ServiceName, slug: Slug, duration_minutes: Duration, version: RowVersion }),
    ...optional(settings),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type ServiceChanges = Static<typeof ServiceChanges>

export const serviceList = {
  sort: ['name', 'created_at', 'updated_at', 'duration_minutes'],
  ranges: ['created_at', 'updated_at'],
  filters: { deleted: 'boolean', status: ['active', 'archived'], is_public: 'boolean' },
  q: true,
} as const

export const PublicServicesQuery = Type.Object({ organization: Slug }, { additionalProperties: false })

/** Where a visit takes place, as patients see it. */
export const Place = Type.Object({
  id: Id,
  name: Text(200, 'Mlădița Centru'),
  address: Nullable(Address),
  phone: Nullable(Line(40, '+40 21 555 0100')),
})

/** What booking without an account starts with: nothing internal, no counts. */
export const PublicService = Type.Object({
  id: Id,
  name: ServiceName,
  slug: Slug,
  description: Nullable(Description),
  translations: ServiceTranslations,
  duration_minutes: Duration,
  modes: Modes,
  requires_confirmation: Type.Boolean({ examples: [false] }),
  cancel_notice_minutes: Minutes(0, 43_200, 1440),
  reschedule_notice_minutes: Minutes(0, 43_200, 1440),
  max_days_ahead: Type.Integer({ examples: [60] }),
  color: Nullable(Color),
  price_cents: Nullable(PriceCents),
  currency: Currency,
  time_zone: Type.String({
    description: 'The time zone of the clinic, in which its free times are shown.',
    examples: ['Europe/Bucharest'],
  }),
  specialists: Type.Array(
    Type.Object({ id: Id, name: Text(200, 'Ana Ionescu'), title: Nullable(Text(200, 'Physiotherapist')) }),
  ),
  locations: Type.Array(Type.Object({ ...Place.properties, city: Nullable(Text(120, 'București')) })),
})
export type PublicService = Static<typeof PublicService>
