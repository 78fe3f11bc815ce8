import { type Static, Type } from 'typebox'
import { Body, Enum, Id, Nullable, Paragraphs, Text, Timestamp } from './shapes.ts'

export const PRIVACY_REQUEST_KINDS = ['export', 'erase'] as const
export const PRIVACY_REQUEST_STATES = ['accepted', 'active', 'completed', 'error', 'cancelled'] as const
export const ERASE_STRATEGIES = ['delete', 'null', 'pseudonymise', 'keep'] as const

const Reason = Paragraphs(1000, 'Asked for in writing by the patient on 12 November')
const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

const ExportedFile = Type.Object({
  name: Type.String({ examples: ['consents.ndjson'] }),
  rows: Nullable(Type.Integer({ description: 'Only for files with rows.', examples: [4] })),
  bytes: Type.Integer({ examples: [1893] }),
  sha256: Sha256,
})
export type ExportedFile = Static<typeof ExportedFile>

const LeftOut = Type.Object({
  name: Type.String({ examples: ['audit_keys'] }),
  reason: Text(1000, 'Keys, not data about the person.'),
})

/** manifest.json in the ZIP of an export. */
export const ExportManifest = Type.Object({
  created_at: Timestamp,
  organization: Type.Object({ id: Id, name: Text(200, 'Clinica Mlădița') }),
  patient_id: Id,
  request_id: Id,
  files: Type.Array(ExportedFile),
  left_out: Type.Array(LeftOut),
})
export type ExportManifest = Static<typeof ExportManifest>

const ErasedClass = Type.Object({
  name: Type.String({ examples: ['patients'] }),
  label: Type.String({ examples: ['Patient record'] }),
  strategy: Enum(ERASE_STRATEGIES),
  rows: Type.Integer({ description: 'Number of rows affected; rows that are kept are not counted.', examples: [1] }),
  legal_reason: Nullable(Text(1000, 'Proof of what was agreed to (GDPR, article 7.1).')),
})

/** `hash` is over the JSON of everything else, the keys of each object in alphabetical order. */
export const ErasureCertificate = Type.Object({
  request_id: Id,
  organization_id: Id,
  patient_id: Id,
  requested_at: Timestamp,
  erased_at: Timestamp,
  classes: Type.Array(ErasedClass),
  files_deleted: Type.Integer({ examples: [0] }),
  hash: Sha256,
})
export type ErasureCertificate = Static<typeof ErasureCertificate>

const facts = {
  id: Id,
  kind: Enum(PRIVACY_REQUEST_KINDS),
  patient_id: Id,
  status: Enum(PRIVACY_REQUEST_STATES),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent.', examples: [0] }),
  reason: Nullable(Reason),
  error: Nullable(Type.String({ description: 'The type of the last error.', examples: ['ObjectTooLarge'] })),
  requested_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  completed_at: Nullable(Timestamp),
  expires_at: Nullable(Timestamp),
}

export const PrivacyRequest = Type.Object(facts)
export type PrivacyRequest = Static<typeof PrivacyRequest>

export const AcceptedPrivacyRequest = Type.Object({
  ...facts,
  linked_request_ids: Type.Array(Id, { description: 'The requests of records that are linked to the patient.' }),
})

/** A request with its result. */
export const PrivacyRequestDetails = Type.Object({
  ...facts,
  manifest: Nullable(ExportManifest),
  certificate: Nullable(ErasureCertificate),
  download_url: Nullable(
    Type.String({
      description: 'For completed exports and callers with gdpr.export_data; valid for 15 minutes.',
      examples: ['https://api.tendon.example/v1/public/objects/…'],
    }),
  ),
})

/** An export that a patient asked for. */
export const MyExport = Type.Object({
  id: Id,
  organization_id: Id,
  status: Enum(PRIVACY_REQUEST_STATES),
  progress: Type.Integer({ minimum: 0, maximum: 100, description: 'Per cent.', examples: [0] }),
  created_at: Timestamp,
  completed_at: Nullable(Timestamp),
  expires_at: Nullable({ ...Timestamp, description: 'When the file is deleted.' }),
})
export type MyExport = Static<typeof MyExport>
export const MyExportDetails = Type.Object({
  ...MyExport.properties,
  download_url: Nullable(
    Type.String({
      description: 'Only for a completed export. Valid for 15 minutes.',
      examples: ['https://api.tendon.example/v1/public/objects/…'],
    }),
  ),
})
export const myExportList = { sort: ['created_at', 'completed_at', 'status'], ranges: ['created_at'] } as const

export const NewExport = Body({ patient_id: Id, reason: Type.Optional(Nullable(Reason)) })

export const NewErasure = Body({
  patient_id: Id,
  reason: Reason,
  confirm: Enum(['ERASE']),
})

export const Restriction = Body({
  patient_id: Id,
  restricted: Type.Boolean({ description: 'false lifts the restriction.', examples: [true] }),
  reason: Reason,
})
export type Restriction = Static<typeof Restriction>

export const RestrictedPatient = Type.Object({ patient_id: Id, restricted_at: Nullable(Timestamp) })

export const privacyRequestList = {
  sort: ['created_at', 'completed_at', 'kind', 'status'],
  ranges: ['created_at', 'completed_at'],
  filters: { kind: PRIVACY_REQUEST_KINDS, status: PRIVACY_REQUEST_STATES, patient_id: 'uuid' },
} as const
