import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const CONSENT_SOURCES = ['signup_checkbox', 'self_toggle', 'form', 'staff_action', 'api'] as const
export const LEGAL_BASES = ['contract', 'legitimate_interest', 'consent', 'legal_obligation', 'vital_interest'] as const
export const MAX_GRANTS = 50

const PurposeCode = Type.String({ minLength: 1, maxLength: 100, examples: ['marketing_email'] })
const PurposeVersion = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] })
const Source = Enum(CONSENT_SOURCES, 'self_toggle')

/** A row of the ledger. */
export const Consent = Type.Object({
  id: Id,
  organization_id: Nullable(Id),
  patient_profile_id: Id,
  purpose_code: PurposeCode,
  purpose_version: PurposeVersion,
  source: Source,
  source_form_id: Nullable(Id),
  granted_at: Timestamp,
  granted_by_principal_id: Nullable(Id),
  granted_via_ip: Nullable(Type.String({ examples: ['192.0.2.17'] })),
  withdrawn_at: Nullable(Timestamp),
  withdrawn_by_principal_id: Nullable(Id),
  withdrawal_reason: Nullable(Type.String({ examples: ['Too many messages'] })),
  created_at: Timestamp,
})
export type Consent = Static<typeof Consent>

export const WITHDRAWALS = ['withdraw', 'leave_clinic', 'erase_account'] as const
export const WITHDRAWAL_EFFECTS = [
  'sessions_at_home',
  'session_in_progress',
  'camera_measurement',
  'video_appointments',
  'marketing_mail',
  'consents',
  'record_access',
  'account',
] as const

const PurposeName = Type.String({ examples: ['News by e-mail'] })
const PurposeText = (description: string) =>
  Type.String({ description, examples: ['I agree to receive news by e-mail.'] })

/** What ends when the consent ends, as of now. */
export const WithdrawalPreview = Type.Object({
  how: Enum(WITHDRAWALS, 'withdraw'),
  stops: Type.Array(
    Type.Object({
      effect: Enum(WITHDRAWAL_EFFECTS, 'video_appointments'),
      count: Nullable(Type.Integer({ description: 'The current number; null when it is not counted.', examples: [2] })),
      text: Type.String({
        description: 'In your language.',
        examples: ['Your 2 future video appointments cannot take place by video.'],
      }),
    }),
    { description: 'Empty when nothing on the platform depends on this consent.' },
  ),
})
export type WithdrawalPreview = Static<typeof WithdrawalPreview>

/** What was agreed to for one purpose, at one clinic or (organization_id null) on the platform. */
export const ConsentState = Type.Object({
  organization_id: Nullable(Id),
  purpose_code: PurposeCode,
  scope: Enum(['platform', 'org']),
  legal_basis: Enum(LEGAL_BASES, 'consent'),
  withdrawable: Type.Boolean({ examples: [true] }),
  current: Nullable(Type.Object({ id: Id, purpose_version: PurposeVersion, granted_at: Timestamp, source: Source })),
  history: Type.Array(
    Type.Object({
      id: Id,
      purpose_version: PurposeVersion,
      granted_at: Timestamp,
      withdrawn_at: Nullable(Timestamp),
      source: Source,
    }),
  ),
})
export type ConsentState = Static<typeof ConsentState>

/** A purpose as shown to the patient, in their language. */
export const MyConsentState = Type.Object({
  ...ConsentState.properties,
  organization_name: Nullable(Type.String({ examples: ['Clinica Mlădița'] })),
  name: PurposeName,
  description: Type.String({ examples: ['News and offers of your clinic by e-mail.'] }),
  accepted_body: Nullable(PurposeText('The accepted text, in your language.')),
  text: Nullable(
    Type.Object(
      { version: PurposeVersion, body: PurposeText('In your language.'), published_at: Timestamp },
      { description: 'The current text; null when none is published.' },
    ),
  ),
  newer_text: Type.Boolean({
    description: 'Whether the current text differs from the accepted text.',
    examples: [false],
  }),
  withdrawal: Nullable(WithdrawalPreview),
})
export type MyConsentState = Static<typeof MyConsentState>

export const ConsentStates = Type.Object({ data: Type.Array(ConsentState) })
export const MyConsentStates = Type.Object({ data: Type.Array(MyConsentState) })
/** Proves what was agreed to and when. POST /v1/public/consent-receipts/verify checks the signature. */
export const ConsentReceipt = Type.Object(
  {
    consent_id: Id,
    patient_profile_id: Id,
    organization_id: Nullable(Id),
    organization_name: Nullable(Type.String({ maxLength: 200, examples: ['Clinica Mlădița'] })),
    purpose_code: PurposeCode,
    purpose_name: Type.String({ maxLength: 200, examples: ['News by e-mail'] }),
    purpose_version: PurposeVersion,
    language: Enum(['en', 'ro'], 'en'),
    body: Type.String({ maxLength: 50_000, examples: ['I agree to receive news by e-mail.'] }),
    source: Source,
    granted_at: Timestamp,
    withdrawn_at: Nullable(Timestamp),
    issued_at: Timestamp,
  },
  { additionalProperties: false },
)
export type ConsentReceipt = Static<typeof ConsentReceipt>

export const SignedConsentReceipt = Type.Object(
  {
    receipt: ConsentReceipt,
    key: Type.String({ maxLength: 100, description: 'The name of the key that signed.', examples: ['2026-01'] }),
    signature: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'HMAC-SHA256 in hexadecimal digits.',
      examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
    }),
  },
  { additionalProperties: false },
)
export type SignedConsentReceipt = Static<typeof SignedConsentReceipt>

export const ReceiptVerdict = Type.Object({
  valid: Type.Boolean({ description: 'Whether this platform issued exactly this receipt.', examples: [true] }),
})

export const Consents = Type.Object({ data: Type.Array(Consent) })

/** A patient's own grants. The other sources are set by the server, so that provenance cannot be forged. */
export const MyGrants = Body({
  grants: Type.Array(
    Body({
      organization_id: Nullable(Id),
      purpose_code: PurposeCode,
      purpose_version: PurposeVersion,
      source: Enum(['signup_checkbox', 'self_toggle'], 'self_toggle'),
    }),
    { minItems: 1, maxItems: MAX_GRANTS },
  ),
})
export type MyGrants = Static<typeof MyGrants>

/** Consents that staff record for a patient. */
export const StaffGrant = Body({ purpose_code: PurposeCode, purpose_version: PurposeVersion })
export const StaffGrants = Body({ grants: Type.Array(StaffGrant, { minItems: 1, maxItems: MAX_GRANTS }) })
export type StaffGrants = Static<typeof StaffGrants>

/** May be left out altogether. */
export const Withdrawal = Nullable(
  Body({ withdrawal_reason: Type.Optional(Nullable(Text(1000, 'Too many messages'))) }),
)

export const LeaveClinic = Body({
  confirm: Type.Unsafe<true>({
    type: 'boolean',
    enum: [true],
    description: 'Leaving ends every consent at the clinic.',
    examples: [true],
  }),
  reason: Type.Optional(Nullable(Text(1000, 'I moved to another city'))),
})
export const LeftClinic = Type.Object({ organization_id: Id, left_at: Timestamp })

export const EraseAccount = Body({
  confirm: Type.String({
    pattern: '^ERASE$',
    'x-reason': 'must be the word ERASE',
    examples: ['ERASE'],
  }),
})
export const ErasedAccount = Type.Object({ erased_at: Timestamp })

export const PatientInOrganization = Type.Object({ org_id: Id, patient_id: Id })
export const ConsentOfPatient = Type.Object({ org_id: Id, patient_id: Id, id: Id })
