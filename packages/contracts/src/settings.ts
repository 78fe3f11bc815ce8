import { type Static, Type } from 'typebox'
import { ClinicFormats, ClinicFormatsChanges } from './formats.ts'
import { Enum, Id, Name, Nullable, RowVersion, Slug, Text, Timestamp } from './shapes.ts'

const ImageUrl = (description: string) =>
  Nullable(
    Type.String({
      description,
      examples: ['https://api.tendon.example/v1/public/images/3f0c5d2e-8a17-4c1b-9b64-7c1d7e2a9a8f'],
    }),
  )
const BrandColor = Type.String({
  pattern: '^#[0-9a-fA-F]{6}$',
  'x-reason': 'must be a colour such as #0b7a61',
  description: 'Used in documents, mails and on the sign-in page.',
  examples: ['#0b7a61'],
})
export const ReminderOffsets = Type.Array(Type.Integer({ minimum: 10, maximum: 43_200, examples: [1440] }), {
  maxItems: 5,
  uniqueItems: true,
  description: 'Minutes before the start at which patients get a mail; empty: no reminders.',
  examples: [[1440, 120]],
})
const FeedShowsDetails = Type.Boolean({
  description: 'Calendar feeds of specialists show the service and the initials of the patient, not only “Booked”.',
  examples: [false],
})
const WAITLIST_OFFER_SETTINGS = ['off', 'auto'] as const
const WaitlistOffers = Type.Unsafe<(typeof WAITLIST_OFFER_SETTINGS)[number]>({
  ...Enum(WAITLIST_OFFER_SETTINGS),
  description:
    'auto: a freed time is offered to the patients on the waitlist, one after the other, by waiting time. off: staff offer it.',
})
export const EmergencyNumber = Type.String({
  pattern: '^[0-9]{2,15}$',
  'x-reason': 'must be digits only, such as 112',
  description: 'Shown to patients who report a warning sign.',
  examples: ['112'],
})
const LogoUrl = ImageUrl('Public. Changes with each upload.')

export const OrganizationSettings = Type.Object({
  brand_color: Nullable(BrandColor),
  logo_url: LogoUrl,
  reminder_offsets_minutes: ReminderOffsets,
  feed_shows_details: FeedShowsDetails,
  waitlist_offers: WaitlistOffers,
  emergency_number: EmergencyNumber,
  formats: ClinicFormats,
  updated_at: Nullable(Timestamp),
  version: RowVersion,
})
export type OrganizationSettings = Static<typeof OrganizationSettings>

export const OrganizationSettingsChanges = Type.Object(
  {
    brand_color: Type.Optional(Nullable(BrandColor)),
    reminder_offsets_minutes: Type.Optional(ReminderOffsets),
    feed_shows_details: Type.Optional(FeedShowsDetails),
    waitlist_offers: Type.Optional(WaitlistOffers),
    emergency_number: Type.Optional(EmergencyNumber),
    formats: Type.Optional(ClinicFormatsChanges),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)

/** The data of a clinic's sign-in page. */
export const Branding = Type.Object({
  name: Name(200, 'Clinica Mlădița'),
  slug: Slug,
  language_code: Type.String({ examples: ['ro'] }),
  brand_color: Nullable(BrandColor),
  logo_url: LogoUrl,
  phone: Nullable(Type.String({ description: 'The telephone number of the clinic.', examples: ['+40 21 555 0100'] })),
  emergency_number: EmergencyNumber,
  formats: ClinicFormats,
})
export const BrandingParams = Type.Object({
  slug: Type.String({ minLength: 1, maxLength: 63, examples: ['clinica-mladita'] }),
})

export const IMAGE_PURPOSES = ['logo', 'avatar', 'signature', 'template'] as const
export type ImagePurpose = (typeof IMAGE_PURPOSES)[number]
export const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** An image for PDF templates. */
export const ClinicImage = Type.Object({
  id: Id,
  name: Text(200, 'Map.png'),
  mime: Type.String({ examples: ['image/png'] }),
  size: Type.Integer({ description: 'Bytes', examples: [48_213] }),
  width: Type.Integer({ examples: [800] }),
  height: Type.Integer({ examples: [600] }),
  created_at: Timestamp,
})
export type ClinicImage = Static<typeof ClinicImage>
export const ClinicImageParams = Type.Object({ id: Id, imageId: Id })
export const clinicImageList = { sort: ['created_at', 'name'], ranges: ['created_at'], q: true } as const

export const SpecialistImage = Type.Object({
  avatar_url: Nullable(Type.String({ examples: ['/v1/public/images/3f0c5d2e-8a17-4c1b-9b64-7c1d7e2a9a8f'] })),
  signature_url: Nullable(Type.String({ examples: [null] })),
})
