import { type Static, Type } from 'typebox'
import { APPOINTMENT_MODES, OverLimit, Place, ServiceTranslations } from './services.ts'
import { Enum, Id, Nullable, Slug, Text, Timestamp } from './shapes.ts'

export const OFFER_STATUSES = ['open', 'accepted', 'declined', 'expired', 'ended', 'skipped'] as const
export const OFFER_REASONS = ['restricted', 'erased', 'no_address', 'patient_busy'] as const
export type OfferReason = (typeof OFFER_REASONS)[number]

const Status = Enum(OFFER_STATUSES)
const times = {
  starts_at: Timestamp,
  ends_at: Timestamp,
  expires_at: Type.Unsafe<string | null>({
    ...Nullable(Timestamp),
    description: 'Until then the time is kept; null when it was never offered (skipped).',
  }),
}

/** A freed time that is kept for a waitlist entry while the patient decides. */
export const WaitlistOffer = Type.Object({
  id: Id,
  appointment_id: Id,
  specialist_id: Id,
  location_id: Nullable(Id),
  ...times,
  status: Status,
  reason: Type.Unsafe<OfferReason | null>({
    ...Nullable(Enum(OFFER_REASONS)),
    description: 'Why the entry was skipped.',
  }),
  offered_by: Enum(['staff', 'auto'] as const),
  mail_at: Type.Unsafe<string | null>({
    ...Nullable(Timestamp),
    description: 'When the patient gets the mail: between 08:00 and 20:00 in the clinic’s time zone.',
  }),
  answered_at: Nullable(Timestamp),
  created_at: Timestamp,
})
export type WaitlistOffer = Static<typeof WaitlistOffer>

/** The time to offer. Without it, the freed time that matches the entry. */
export const NewWaitlistOffer = Type.Union([
  Type.Object(
    {
      starts_at: Type.Optional(Timestamp),
      specialist_id: Type.Optional(Id),
      over_limit: Type.Optional(OverLimit),
    },
    { additionalProperties: false },
  ),
  Type.Null(),
])

const Named = (example: string) => Type.Object({ id: Id, name: Text(200, example) })

/** What the link in the mail shows. It names no patient. */
export const PublicWaitlistOffer = Type.Object({
  ...times,
  status: Status,
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  mode: Enum(APPOINTMENT_MODES),
  organization: Type.Object({
    name: Text(200, 'Clinica Mlădița'),
    slug: Slug,
    phone: Nullable(Type.String({ examples: ['+40 21 555 0100'] })),
  }),
  service: Type.Object({ ...Named('Initial assessment').properties, translations: ServiceTranslations }),
  specialist: Named('Ana Ionescu'),
  location: Type.Union([Place, Type.Null()]),
})
export type PublicWaitlistOffer = Static<typeof PublicWaitlistOffer>

export const WaitlistOfferToken = Type.Object({
  token: Type.String({ minLength: 10, maxLength: 100, examples: ['pUb1icT0ken'] }),
})
