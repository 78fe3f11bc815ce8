import { type Static, Type } from 'typebox'
import { DOCUMENT_KINDS, DOCUMENT_LANGUAGES } from './pdf-templates.ts'
import { Body, Enum, Id, Nullable, Timestamp } from './shapes.ts'

const Sha256 = Type.String({
  description: 'SHA-256 of the file, in hexadecimal.',
  examples: ['9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08'],
})

/** A PDF that was made from a form, an appointment or a treatment plan. It does not change. */
export const AppointmentDocument = Type.Object({
  id: Id,
  kind: Enum(DOCUMENT_KINDS),
  appointment_id: Nullable(Id),
  form_id: Nullable(Id),
  treatment_plan_id: Nullable(Id),
  patient_profile_id: Nullable(Id),
  pdf_template_id: Nullable({ ...Id, description: 'Null for the built-in template.' }),
  template_version: Type.Integer({ description: '0 for the built-in template.', examples: [1] }),
  language: Enum(DOCUMENT_LANGUAGES),
  pages: Type.Integer({ examples: [1] }),
  size: Type.Integer({ description: 'Bytes', examples: [48_213] }),
  sha256: Sha256,
  verification_code: Type.String({ examples: ['3f0c5d2e8a174c1b9b647c1d7e2a9a8f'] }),
  created_at: Timestamp,
})
export type AppointmentDocument = Static<typeof AppointmentDocument>

const choice = {
  pdf_template_id: Type.Optional({
    ...Id,
    description: 'A published template. Default: the latest one of this kind and language, otherwise the built-in one.',
  }),
  language: Type.Optional(Enum(DOCUMENT_LANGUAGES)),
}
/** A null body is treated as an empty object. */
export const DocumentRequest = Nullable(Body(choice))
export const AppointmentDocumentRequest = Nullable(
  Body({
    kind: Type.Optional(Enum(['appointment_letter', 'attendance_certificate'] as const)),
    ...choice,
  }),
)
export type DocumentRequest = Static<typeof DocumentRequest>
export type AppointmentDocumentRequest = Static<typeof AppointmentDocumentRequest>

export const appointmentDocumentList = {
  sort: ['created_at', 'kind'],
  ranges: ['created_at'],
  filters: {
    kind: DOCUMENT_KINDS,
    appointment_id: 'uuid',
    form_id: 'uuid',
    treatment_plan_id: 'uuid',
    patient_profile_id: 'uuid',
  },
} as const

export const DocumentCodeParams = Type.Object({
  code: Type.String({ minLength: 1, maxLength: 64, examples: ['3f0c5d2e8a174c1b9b647c1d7e2a9a8f'] }),
})

export const VerificationQuery = Type.Object({
  language: Type.Optional({
    ...Enum(DOCUMENT_LANGUAGES),
    description: 'The language of the page. Default: the language of the browser, otherwise of the document.',
  }),
})

/** What anyone with the code can read about a document. Contains nothing about a person. */
export const DocumentVerification = Type.Object({
  valid: Type.Boolean({
    description: 'Whether a clinic issued a document with this code. Says nothing about a file or paper that shows it.',
    examples: [true],
  }),
  issued_at: Nullable(Timestamp),
  issued_by: Nullable(
    Type.String({
      description: 'The name of the clinic on the document. null: issued before the name was kept.',
      examples: ['Clinica Mlădița'],
    }),
  ),
  clinic: Nullable(Type.String({ description: 'The name of the clinic today.', examples: ['Clinica Mlădița'] })),
  sha256: Nullable({ ...Sha256, description: 'Compare it with the SHA-256 of the file you have.' }),
  kind: Nullable(Enum(DOCUMENT_KINDS)),
  pages: Nullable(Type.Integer({ examples: [1] })),
  size: Nullable(Type.Integer({ description: 'Bytes', examples: [48_213] })),
})
