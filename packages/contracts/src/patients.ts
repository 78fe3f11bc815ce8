import { type Static, Type } from 'typebox'
import { MAX_GRANTS, StaffGrant } from './consents.ts'
import { PATIENT_INCLUDES, PatientOverview, PatientRowSummary } from './patient-summaries.ts'
import { Address, Body, Email, Enum, Id, Line, Name, Nullable, RowVersion, Slug, Text, Timestamp } from './shapes.ts'

export const SEXES = ['female', 'male', 'other', 'unknown'] as const
/** Whether the person has an account: not yet asked, asked by e-mail, or signed in with that address. */
export const PATIENT_STATUSES = ['unclaimed', 'invited', 'claimed'] as const
export const MIN_NATIONAL_ID_LENGTH = 4
export const MAX_NATIONAL_ID_LENGTH = 32
export const MIN_IMPERSONATION_REASON_LENGTH = 10

const FirstName = Name(100, 'Maria')
const LastName = Name(100, 'Stan')
const Phone = Line(40, '+40 722 555 010')
const Notes = Text(5000, 'Prefers the morning.')
const BirthDate = Type.String({
  format: 'date',
  pattern: '^(19|20)',
  'x-reason': 'must be a date from 1900-01-01 to today',
  examples: ['1984-03-09'],
})
const LanguageCode = Type.String({
  pattern: '^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$',
  'x-reason': 'must be a language code such as en or ro',
  maxLength: 35,
  examples: ['ro'],
})
const NationalId = Type.String({
  minLength: MIN_NATIONAL_ID_LENGTH,
  maxLength: MAX_NATIONAL_ID_LENGTH,
  description: 'National identification number. 13 digits are validated as a Romanian CNP.',
  examples: ['2840309410017'],
})

const person = {
  first_name: FirstName,
  last_name: LastName,
  name: Type.String({ examples: ['Maria Stan'] }),
  email: Nullable(Email),
  phone: Nullable(Phone),
  birth_date: Nullable(BirthDate),
  sex: Nullable(Enum(SEXES)),
  language_code: Nullable(LanguageCode),
  address: Nullable(Address),
}

/** The specialist who leads the care, with the name: readers need not see specialists. */
const lead = {
  lead_specialist_id: Nullable(Id),
  lead_specialist: Nullable(Type.Object({ id: Id, name: Name(400, 'Andrei Popescu') })),
}

/** The clinic's record of a person. The identification number itself is shown by the profile alone. */
export const Patient = Type.Object({
  id: Id,
  patient_profile_id: Id,
  ...person,
  notes: Nullable(Notes),
  ...lead,
  status: Enum(PATIENT_STATUSES, 'claimed'),
  has_national_id: Type.Boolean({ examples: [true] }),
  restricted_at: Nullable(Timestamp),
  merged_into_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: RowVersion,
  deleted_at: Nullable(Timestamp),
})
export type Patient = Static<typeof Patient>

/** Another record of the same person at the clinic. */
export const LinkedRecord = Type.Object({
  id: Id,
  patient_profile_id: Id,
  name: Type.String({ examples: ['Maria Stan'] }),
  created_at: Timestamp,
  deleted_at: Nullable(Timestamp),
  is_main: Type.Boolean({
    description: 'Whether this is the main record, to which the others are linked.',
    examples: [true],
  }),
})
export type LinkedRecord = Static<typeof LinkedRecord>

/** A record with the records linked to it. */
export const PatientRecord = Type.Object({
  ...Patient.properties,
  linked_records: Type.Array(LinkedRecord),
  summary: Type.Optional(PatientOverview),
})
export type PatientRecord = Static<typeof PatientRecord>

export const PatientMerge = Body({
  patient_id: Type.String({
    format: 'uuid',
    description: 'The record of the same person that this one is linked to.',
    examples: ['019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17'],
  }),
  version: Type.Optional(RowVersion),
})

/** A row of the list: enough to find somebody. The whole record is opened one by one, and each opening is logged. */
export const PatientSummary = Type.Object({
  ...Type.Omit(Patient, ['notes', 'address']).properties,
  summary: Type.Optional(PatientRowSummary),
})

/** The whole person: what is left out is empty. */
const details = {
  first_name: FirstName,
  last_name: LastName,
  email: Type.Optional(Nullable(Email)),
  phone: Type.Optional(Nullable(Phone)),
  birth_date: Type.Optional(Nullable(BirthDate)),
  sex: Type.Optional(Nullable(Enum(SEXES))),
  language_code: Type.Optional(Nullable(LanguageCode)),
  address: Type.Optional(Nullable(Address)),
  notes: Type.Optional(Nullable(Notes)),
}
const leadOf = (description: string) => ({
  lead_specialist_id: Type.Optional(Type.Unsafe<string | null>({ ...Nullable(Id), description })),
})
export const PatientDetails = Body({
  ...details,
  ...leadOf('The specialist who leads the care; null: nobody. Left out, it stays.'),
  version: Type.Optional(RowVersion),
})
export type PatientDetails = Static<typeof PatientDetails>

export const NewPatient = Body({
  ...details,
  ...leadOf(
    'The specialist who leads the care. Without one, the first treatment plan written by a specialist or the first completed visit decides.',
  ),
  national_id: Type.Optional(Nullable(NationalId)),
  invite: Type.Optional(
    Type.Boolean({ description: 'Invites the person by e-mail to the patient portal.', examples: [true] }),
  ),
  allow_duplicate: Type.Optional(
    Type.Boolean({
      description: 'Creates the record even if another record of the clinic has this e-mail address.',
      examples: [false],
    }),
  ),
  consents: Type.Optional(Type.Array(StaffGrant, { maxItems: MAX_GRANTS, description: 'Consents given in person.' })),
})
export type NewPatient = Static<typeof NewPatient>

/** How to delete a patient. */
export const PatientDeletion = Type.Object({
  cancel_visits: Type.Optional(
    Type.Boolean({
      description: 'Cancels the future visits and waitlist entries of the patient first.',
      examples: [true],
    }),
  ),
})

export const PatientChoice = Type.Object({ id: Id, name: person.name, birth_date: Nullable(BirthDate) })
export type PatientChoice = Static<typeof PatientChoice>

export const patientList = {
  sort: ['last_name', 'first_name', 'created_at', 'updated_at', 'birth_date'],
  ranges: ['created_at', 'updated_at', 'birth_date'],
  filters: {
    patient_profile_id: 'uuid',
    sex: SEXES,
    language_code: 'text',
    lead_specialist_id: 'uuid',
    claimed: 'boolean',
    restricted: 'boolean',
    deleted: 'boolean',
    merged: 'boolean',
    include: PATIENT_INCLUDES,
  },
  q: true,
} as const

export const ImpersonationRequest = Body({
  reason: Type.String({
    minLength: MIN_IMPERSONATION_REASON_LENGTH,
    maxLength: 500,
    pattern: '\\S',
    examples: ['The patient asked why the plan is empty'],
  }),
})

export const Impersonation = Type.Object({
  token: Type.String({
    description: 'Send as "Authorization: Bearer <token>". Shown once; reads only.',
    examples: ['ti_k3J0q9…'],
  }),
  expires_at: Timestamp,
})
export type Impersonation = Static<typeof Impersonation>

/** A record as its owner sees it: the clinic's notes are the clinic's own. */
export const MyPatientRecord = Type.Object({
  id: Id,
  patient_profile_id: Id,
  organization: Type.Object({ id: Id, name: Name(200, 'Clinica Mlădița'), slug: Slug }),
  ...person,
  has_national_id: Type.Boolean({ examples: [true] }),
  restricted_at: Nullable(Timestamp),
  created_at: Timestamp,
  updated_at: Timestamp,
})
export type MyPatientRecord = Static<typeof MyPatientRecord>

export const myPatientRecordList = { sort: ['created_at', 'updated_at'] } as const
