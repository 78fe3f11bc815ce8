import { type Static, Type } from 'typebox'
import { FIELD_TYPES } from './field-values.ts'
import { FormFile } from './form-files.ts'
import { FORM_SIGNERS, FORM_TYPES, FormField, FormTranslations, MAX_FORM_FIELDS } from './form-templates.ts'
import { Body, Enum, Id, Nullable, RowVersion, Timestamp } from './shapes.ts'

export const FORM_STATUSES = ['pending', 'in_progress', 'completed', 'signed'] as const

const Title = Type.String({ description: 'Copied from the template.', examples: ['First questionnaire'] })
const FormType = Enum(FORM_TYPES, 'intake')
const Status = Enum(FORM_STATUSES, 'in_progress')
const SignedBy = Enum(FORM_SIGNERS, 'staff')
const CompletedAt = Nullable({ ...Timestamp, description: 'When the form was last saved as complete.' })
const AMENDED = {
  amends_form_id: Nullable({ ...Id, description: 'The signed form that this one corrects.' }),
  amended_by_form_id: Nullable({ ...Id, description: 'The last signed form that corrects this one.' }),
  amended_at: Nullable({ ...Timestamp, description: 'When that form was signed.' }),
}
const VALUES_EXAMPLE = { field_smoker: 'No' }
const Values = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Keys are `field_<custom_field_id>`, or `field_<key>` for fields without a custom field.',
  examples: [VALUES_EXAMPLE],
})

/** A question as it was when the form was made; of a custom field also its version. */
export const FormQuestion = Type.Object({
  ...FormField.properties,
  version: Type.Optional(Type.Integer({ description: 'The version of the custom field.', examples: [3] })),
  field_type: Type.Optional(Enum(FIELD_TYPES)),
})
export type FormQuestion = Static<typeof FormQuestion>

export const FormConsent = Type.Object({
  purpose_code: Type.String({ examples: ['telerehab'] }),
  purpose_version: Type.Integer({ examples: [1] }),
})
export type FormConsent = Static<typeof FormConsent>

export const Form = Type.Object({
  id: Id,
  title: Title,
  type: FormType,
  status: Status,
  template_version: Type.Integer({ examples: [1] }),
  form_template_id: Id,
  appointment_id: Nullable(Id),
  patient_profile_id: Id,
  ...AMENDED,
  fields: Type.Array(FormQuestion),
  translations: FormTranslations,
  values: Values,
  files: Type.Record(Type.String(), FormFile),
  consent_purposes: Type.Array(FormConsent),
  completed_at: CompletedAt,
  signed_by: SignedBy,
  signed_at: Nullable(Timestamp),
  signed_by_principal_id: Nullable(Id),
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  version: RowVersion,
})
export type Form = Static<typeof Form>

/** Its members are scheduling's. */
const Appointment = Nullable(Type.Object({ id: Id }, { additionalProperties: true }))

export const FormSummary = Type.Object({
  id: Id,
  title: Title,
  type: FormType,
  status: Status,
  appointment_id: Nullable(Id),
  patient_profile_id: Id,
  patient: Type.Object({ id: Id, name: Type.String({ examples: ['Maria Stan'] }) }),
  form_template_id: Id,
  translations: Type.Record(Type.String(), Type.Object({ title: Type.String({ examples: ['Chestionar'] }) }), {
    description: 'The title by language, where the template has it.',
    examples: [{ ro: { title: 'Chestionar' } }],
  }),
  ...AMENDED,
  created_at: Timestamp,
  completed_at: CompletedAt,
  signed_at: Nullable(Timestamp),
  appointment: Type.Optional(Appointment),
})
export type FormSummary = Static<typeof FormSummary>

export const NewForm = Body({
  form_template_id: Id,
  patient_profile_id: Id,
  appointment_id: Type.Optional(Nullable(Id)),
  amends_form_id: Type.Optional(
    Nullable({
      ...Id,
      description: 'The signed form to correct, of the same patient and template. Its values are copied.',
    }),
  ),
})
export type NewForm = Static<typeof NewForm>

/** What is left out stays; null, blank text and an empty list clear. */
export const FormSave = Body({
  values: Type.Record(Type.String(), Type.Unknown(), { maxProperties: MAX_FORM_FIELDS, examples: [VALUES_EXAMPLE] }),
  version: Type.Optional(RowVersion),
})

export const FormSignature = Nullable(
  Body({
    completed_at: Type.Optional({
      ...Timestamp,
      description:
        'The value that the signer read. If the form was saved since, the signature is refused (409 stale_version).',
    }),
  }),
)

export const SavedForm = Type.Object({ id: Id, status: Status, completed_at: CompletedAt, version: RowVersion })
export const SignedForm = Type.Object({ id: Id, status: Status, signed_at: Timestamp })
export const DeletedForm = Type.Object({ id: Id, message: Type.String({ examples: ['The form was deleted.'] }) })

export const FormVerification = Type.Object({
  id: Id,
  status: Status,
  valid: Type.Boolean({
    description: 'Whether the form is signed and nothing in it has changed since.',
    examples: [true],
  }),
  changed_files: Type.Array(Type.String({ examples: ['field_scan'] }), {
    description: 'Keys of the fields whose file was replaced or is missing. Patients do not see private fields here.',
    examples: [[]],
  }),
  seal: Nullable(Type.String({ description: 'SHA-256 of what was signed, in hexadecimal.', examples: ['9f86d081…'] })),
  signed_at: Nullable(Timestamp),
  signed_by_principal_id: Nullable(Id),
})

export const formList = {
  sort: ['created_at', 'title', 'type', 'status', 'completed_at', 'signed_at'],
  ranges: ['created_at', 'completed_at', 'signed_at'],
  filters: {
    status: FORM_STATUSES,
    type: FORM_TYPES,
    signed_by: FORM_SIGNERS,
    appointment_id: 'uuid',
    patient_profile_id: 'uuid',
    lead_specialist_id: 'uuid',
    form_template_id: 'uuid',
    amends_form_id: 'uuid',
    include: ['appointment'],
  },
  q: true,
} as const
