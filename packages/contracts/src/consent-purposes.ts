import { type Static, Type } from 'typebox'
import { LEGAL_BASES } from './consents.ts'
import { Enum, Id, Nullable, Paragraphs, Timestamp } from './shapes.ts'

/** Purposes are shipped by deployments (database/seed), never through the API. */
export const PURPOSES = [
  'platform_terms',
  'platform_privacy_notice',
  'org_terms',
  'org_privacy_notice',
  'marketing_email',
  'marketing_sms',
  'analytics',
  'ai_processing',
  'telemedicine',
  'video_recording',
  'biometric_capture',
  'telerehab',
] as const
export const PURPOSE_SCOPES = ['platform', 'org'] as const
export const MAX_PURPOSE_TEXT_LENGTH = 50_000

const Purpose = Enum(PURPOSES, 'telerehab')
const Version = Type.Integer({ examples: [2] })

/** Language code → text. */
export const Translations = Type.Record(Type.String(), Type.String(), {
  description: 'Language code → text.',
  examples: [{ en: 'I agree to …', ro: 'Sunt de acord cu …' }],
})

/** Language code → text, as it comes in: the supported languages, at least one. */
export const NewTranslations = (maxLength: number, en: string, ro: string, text: typeof Paragraphs = Paragraphs) =>
  Type.Object(
    { en: Type.Optional(text(maxLength, en)), ro: Type.Optional(text(maxLength, ro)) },
    { additionalProperties: false, minProperties: 1 },
  )
export type NewTranslations = Static<ReturnType<typeof NewTranslations>>

/** Language code → name and description, for languages other than English. */
export type PurposeTranslations = Partial<Record<string, { name: string; description: string }>>

export const ConsentPurpose = Type.Object({
  code: Purpose,
  scope: Enum(PURPOSE_SCOPES, 'org'),
  name: Type.String({ examples: ['Exercise at home'] }),
  description: Type.String({ examples: ['Exercise sessions at home, recorded for your clinic.'] }),
  legal_basis: Enum(LEGAL_BASES, 'consent'),
  withdrawable: Type.Boolean({ examples: [true] }),
  required: Type.Boolean({
    description: 'Must be accepted before anything else; its legal basis is not consent.',
    examples: [false],
  }),
  created_at: Timestamp,
  current: Nullable(
    Type.Object(
      {
        organization_id: Nullable(Id),
        version: Version,
        body: Type.String({ description: 'In your language.', examples: ['I agree to …'] }),
        body_translations: Translations,
        published_at: Timestamp,
      },
      { description: 'The text in effect at your organization; null until a clinic publishes its privacy notice.' },
    ),
  ),
})
export type ConsentPurpose = Static<typeof ConsentPurpose>

export const ConsentPurposeVersion = Type.Object({
  id: Id,
  purpose_code: Purpose,
  organization_id: Nullable(Id),
  version: Version,
  body_translations: Translations,
  published_at: Timestamp,
  published_by_principal_id: Nullable(Id),
})
export type ConsentPurposeVersion = Static<typeof ConsentPurposeVersion>

export const NewConsentPurposeVersion = Type.Object(
  { body_translations: NewTranslations(MAX_PURPOSE_TEXT_LENGTH, 'I agree to …', 'Sunt de acord cu …') },
  { additionalProperties: false },
)

export const ByPurpose = Type.Object({ code: Purpose })

export const consentPurposeList = {
  sort: ['code', 'name', 'created_at'],
  filters: { scope: PURPOSE_SCOPES, legal_basis: LEGAL_BASES, withdrawable: 'boolean' },
} as const
export const consentPurposeVersionList = { sort: ['version', 'published_at'], ranges: ['published_at'] } as const
