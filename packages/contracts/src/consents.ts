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
      purpose_version: PurposeVersion,
      granted_at: Timestamp,
      withdrawn_at: Nullable(Timestamp),
      source: Source,
    }),
  ),
})
export type ConsentState = Static<typeof ConsentState>

export const ConsentStates = Type.Object({ data: Type.Array(ConsentState) })
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
