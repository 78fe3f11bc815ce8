import { type Static, Type } from 'typebox'
import { MAX_PURPOSE_TEXT_LENGTH, NewTranslations, Translations } from './consent-purposes.ts'
import { Body, Id, Name, Nullable, RowVersion, Slug, Text, Timestamp } from './shapes.ts'

export const MAX_PLACEHOLDERS = 50
export const MAX_SECTIONS = 30
export const MAX_PLACEHOLDER_VALUE_LENGTH = 2_000

const KEY = '^[a-z][a-z0-9_]{0,59}$'
const Key = (example: string) =>
  Type.String({
    pattern: KEY,
    'x-reason': 'must be lower-case letters, digits and "_", beginning with a letter',
    examples: [example],
  })
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] })
const Placeholder = { key: Key('legal_name'), required: Type.Boolean({ examples: [true] }) }
const Section = { key: Key('marketing'), default: Type.Boolean({ examples: [false] }) }

export const PrivacyNoticeTemplate = Type.Object({
  version: Version,
  body_with_placeholders: Translations,
  placeholders: Type.Array(Type.Object({ ...Placeholder, label: Translations })),
  toggleable_sections: Type.Array(Type.Object({ ...Section, name: Translations, body: Translations })),
  published_at: Timestamp,
  published_by_principal_id: Nullable(Id),
})
export type PrivacyNoticeTemplate = Static<typeof PrivacyNoticeTemplate>

export const NewPrivacyNoticeTemplate = Body({
  body_with_placeholders: NewTranslations(
    MAX_PURPOSE_TEXT_LENGTH,
    'The controller is {{legal_name}}. {{section:marketing}}',
    'Operatorul este {{legal_name}}. {{section:marketing}}',
  ),
  placeholders: Type.Array(
    Body({
      ...Placeholder,
      label: NewTranslations(200, 'Legal name of the company', 'Denumirea juridică a firmei', Name),
    }),
    { maxItems: MAX_PLACEHOLDERS },
  ),
  toggleable_sections: Type.Array(
    Body({
      ...Section,
      name: NewTranslations(200, 'News and offers', 'Noutăți și oferte', Name),
      body: NewTranslations(MAX_PURPOSE_TEXT_LENGTH, 'If you agree, …', 'Dacă sunteți de acord, …'),
    }),
    { maxItems: MAX_SECTIONS },
  ),
})
export type NewPrivacyNoticeTemplate = Static<typeof NewPrivacyNoticeTemplate>

export const ByVersion = Type.Object({ version: Version })
export const privacyNoticeTemplateList = { sort: ['version', 'published_at'], ranges: ['published_at'] } as const

const PlaceholderValues = Type.Record(Type.String(), Text(MAX_PLACEHOLDER_VALUE_LENGTH, 'Mlădița Medical SRL'), {
  maxProperties: MAX_PLACEHOLDERS,
  description: 'Placeholder → plain text, inserted as it is.',
  examples: [{ legal_name: 'Mlădița Medical SRL' }],
})
const IncludedSections = Type.Array(Key('marketing'), { maxItems: MAX_SECTIONS, uniqueItems: true })
const MissingPlaceholders = Type.Array(Key('legal_name'), {
  description:
    'Required placeholders without a value, or with one that has no letter and no digit. Publishing is refused until they have one.',
})

/** What a clinic fills in and chooses. */
export const PrivacyNoticeDraft = Body({
  template_version: Type.Optional(Type.Integer({ ...Version, description: 'Default: the newest version.' })),
  placeholder_values: PlaceholderValues,
  included_sections: IncludedSections,
  version: Type.Optional(RowVersion),
})
export type PrivacyNoticeDraft = Static<typeof PrivacyNoticeDraft>

/** What is left out comes from the draft: without a body, all of it. */
export const PrivacyNoticePreviewRequest = Nullable(Type.Partial(PrivacyNoticeDraft, { additionalProperties: false }))

/** Without a version the draft is published as it is stored. */
export const PrivacyNoticePublication = Nullable(Body({ version: Type.Optional(RowVersion) }))

export const PrivacyNoticePreview = Type.Object({
  source_template_version: Version,
  assembled_body: Translations,
  missing_placeholders: MissingPlaceholders,
  patients_to_ask: Nullable(
    Type.Integer({
      description:
        'Patients with an account, who must accept the text when it is published; null if you may not see patients.',
      examples: [42],
    }),
  ),
})

export const PrivacyNotice = Type.Object({
  organization_id: Id,
  version: RowVersion,
  published_version: Nullable(Version),
  published_at: Nullable(Timestamp),
  published_by_principal_id: Nullable(Id),
  source_template_version: Nullable(Version),
  placeholder_values: Nullable(PlaceholderValues),
  included_sections: Nullable(IncludedSections),
  assembled_body: Nullable(Translations),
  body: Nullable(Type.String({ description: 'In your language.', examples: ['Privacy notice of …'] })),
  latest_template_version: Version,
  republish_needed: Type.Boolean({
    description: 'Whether the platform has published a newer template since: review the draft and publish again.',
    examples: [false],
  }),
  draft: Type.Optional(
    Type.Object(
      {
        template_version: Version,
        placeholder_values: PlaceholderValues,
        included_sections: IncludedSections,
        missing_placeholders: MissingPlaceholders,
        suggested_values: Type.Record(Type.String(), Type.String(), {
          description: 'Suggested values from the organization’s own data, for placeholders without a value.',
          examples: [{ clinic_name: 'Clinica Mlădița' }],
        }),
        unpublished_changes: Type.Boolean({ examples: [true] }),
      },
      { description: 'Only with organizations.manage_privacy_notice.' },
    ),
  ),
})
export type PrivacyNotice = Static<typeof PrivacyNotice>

export const BySlug = Type.Object({ slug: Slug })

/** What anybody may read before becoming a patient. */
export const PublicPrivacyNotice = Type.Object({
  organization_name: Name(200, 'Clinica Mlădița'),
  version: Version,
  published_at: Timestamp,
  body: Type.String({ description: 'In the organization’s language.', examples: ['Nota de informare a clinicii …'] }),
  body_translations: Translations,
})
