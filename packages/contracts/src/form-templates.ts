import { type Static, type TObject, type TSchema, Type } from 'typebox'
import { MAX_FIELD_OPTIONS } from './custom-fields.ts'
import { FIELD_TYPES } from './field-values.ts'
import { DEFAULT_MAX_FORM_FILE_BYTES } from './form-file-limits.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'
import { TEMPLATE_STATUSES } from './versioned-templates.ts'

export const FORM_TYPES = ['survey', 'intake', 'assessment', 'consent', 'feedback', 'clinical_note'] as const
export const FORM_FIELD_TYPES = [...FIELD_TYPES, 'file'] as const
export const CONDITION_OPS = ['exists', 'eq', 'neq', 'gt', 'gte', 'lt', 'lte'] as const

export const MAX_FORM_FIELDS = 200
export const MAX_FORM_FILE_BYTES = 50 * 1024 * 1024

const LANGUAGE = '^[a-z]{2}(-[A-Z]{2})?$'

export const FormFieldKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  'x-reason': 'must be lower-case letters, digits and _, beginning with a letter, at most 63 of them',
  examples: ['smoker'],
})
const Option = Name(200, 'Yes')
/**
 * A value of one type or another, which rules check: a serialiser that knows several types turns one into another. Readers of
 * the document, such as the client, find the types in `x-any-of`.
 */
const AnyOf = <Choices extends TSchema[]>(
  choices: [...Choices],
  description: string,
  example: Static<Choices[number]>,
) => Type.Unsafe<Static<Choices[number]>>({ description, examples: [example], 'x-any-of': choices })
/** Null means the same as leaving it out. */
const May = <Schema extends TSchema>(schema: Schema) => Type.Optional(Nullable(schema))

export const VisibleWhen = Body({
  mode: Enum(['all', 'any']),
  conditions: Type.Array(
    Body({
      field_key: FormFieldKey,
      op: Enum(CONDITION_OPS, 'eq'),
      value: Type.Optional(
        AnyOf(
          [Type.String(), Type.Number(), Type.Boolean(), Type.Null()],
          'A value of the field’s type; for `exists`, true (the default) or false.',
          'Yes',
        ),
      ),
    }),
    { minItems: 1, maxItems: 20 },
  ),
})
export type VisibleWhen = Static<typeof VisibleWhen>

const Limit = (what: string, example: number) =>
  AnyOf(
    [Type.Number(), Type.String(), Type.Null()],
    `${what} value: a number for a number, YYYY-MM-DD for a date.`,
    example,
  )
const Length = Type.Integer({ minimum: 0, maximum: 10_000, examples: [200] })

/** Members of questions of every type. */
const common = {
  key: FormFieldKey,
  label: May(Name(500, 'Do you smoke?')),
  type: Enum(FORM_FIELD_TYPES, 'select'),
  required: May(Type.Boolean({ examples: [true] })),
  private: May(Type.Boolean({ description: 'Never shown to the patient.', examples: [false] })),
  read_only: May(Type.Boolean({ description: 'Shown to the patient; only staff can change it.', examples: [false] })),
  help_text: May(Text(2000, 'Also count e-cigarettes.')),
  section: May(Name(200, 'Habits')),
  visible_when: May(VisibleWhen),
}
const profile = {
  custom_field_id: May({
    ...Id,
    description: 'A custom field of patients. Key and type must match it; its label and options are used.',
  }),
  default: Type.Optional(
    AnyOf(
      [Type.String(), Type.Number(), Type.Array(Type.String()), Type.Null()],
      'The initial answer, unless the patient’s profile has a value.',
      'No',
    ),
  ),
}
const range = { min: Type.Optional(Limit('Smallest', 0)), max: Type.Optional(Limit('Largest', 100)) }
const texts = {
  min_length: May(Length),
  max_length: May(Length),
  pattern: May(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description:
        'A regular expression that must match the whole text, without lookaround, backreferences or inner anchors.',
      examples: ['[A-Z]{2}[0-9]{6}'],
    }),
  ),
}
const choice = {
  options: May(Type.Array(Option, { minItems: 1, maxItems: MAX_FIELD_OPTIONS, uniqueItems: true })),
}
const file = {
  max_file_size: May(
    Type.Integer({
      minimum: 1,
      maximum: MAX_FORM_FILE_BYTES,
      description: `In bytes. Default: ${DEFAULT_MAX_FORM_FILE_BYTES}.`,
      examples: [DEFAULT_MAX_FORM_FILE_BYTES],
    }),
  ),
  allowed_file_types: May(
    Type.Array(
      Type.String({
        pattern: '^[a-z]+/[a-z0-9.+-]{1,100}$',
        'x-reason': 'must be a media type such as application/pdf',
        examples: ['application/pdf'],
      }),
      { minItems: 1, maxItems: 30 },
    ),
  ),
}

const OfText = Body({ ...common, ...profile, ...texts })
const OfRange = Body({ ...common, ...profile, ...range })
const OfChoice = Body({ ...common, ...profile, ...choice })

/** The members of a question of each type. */
export const FORM_FIELDS = {
  text: OfText,
  textarea: OfText,
  email: OfText,
  phone: OfText,
  number: OfRange,
  date: OfRange,
  select: OfChoice,
  radio: OfChoice,
  checkbox: OfChoice,
  file: Body({ ...common, ...file }),
} satisfies Record<(typeof FORM_FIELD_TYPES)[number], TObject>

/** What a template says of one question. */
export const FormField = Body({ ...common, ...profile, ...choice, ...range, ...texts, ...file })
export type FormField = Static<typeof FormField>

const FIELDS_EXAMPLE = [
  { key: 'smoker', label: 'Do you smoke?', type: 'radio', required: true, options: ['Yes', 'No'], section: 'Habits' },
  {
    key: 'cigarettes',
    label: 'How many a day?',
    type: 'number',
    required: true,
    min: 0,
    max: 200,
    section: 'Habits',
    visible_when: { mode: 'all', conditions: [{ field_key: 'smoker', op: 'eq', value: 'Yes' }] },
  },
]

const Words = Body({
  label: May(Name(500, 'Fumați?')),
  help_text: May(Text(2000, 'Și țigările electronice.')),
  options: May(Type.Record(Type.String(), Name(200, 'Da'))),
})

/** By language: what differs from the template's own text. Fields and options are named by their keys and texts. */
export const FormTranslations = Type.Record(
  Type.String({ pattern: LANGUAGE }),
  Body({
    title: May(Name(200, 'Primul chestionar')),
    description: May(Text(5000, 'Se completează înainte de prima ședință.')),
    sections: May(Type.Record(Type.String(), Name(200, 'Obiceiuri'))),
    fields: May(Type.Record(Type.String(), Words)),
  }),
  {
    additionalProperties: false,
    maxProperties: 20,
    examples: [
      { ro: { title: 'Primul chestionar', fields: { smoker: { label: 'Fumați?', options: { Yes: 'Da' } } } } },
    ],
  },
)
export type FormTranslations = Static<typeof FormTranslations>

const Title = Name(200, 'First questionnaire')
const Description = Text(5000, 'Filled in before the first session.')
const FormType = Enum(FORM_TYPES, 'intake')
const Purposes = Type.Array(Type.String({ minLength: 1, maxLength: 100, examples: ['telerehab'] }), {
  maxItems: 50,
  examples: [[]],
  description: 'For type `consent`: the purposes that a signed form consents to (GET /v1/consent-purposes).',
})
const PublishedVersion = Type.Integer({ description: 'The last published version; 0 if there is none.', examples: [1] })

export const FORM_SIGNERS = ['staff', 'patient'] as const
const SignedBy = Enum(FORM_SIGNERS, 'staff')

const text = {
  title: Title,
  description: Nullable(Description),
  type: FormType,
  signed_by: SignedBy,
}
const content = {
  fields: Type.Array(FormField, { examples: [FIELDS_EXAMPLE] }),
  translations: FormTranslations,
  consent_purposes: Purposes,
}

export const FormTemplateSummary = Type.Object({
  id: Id,
  organization_id: Id,
  ...text,
  status: Enum(TEMPLATE_STATUSES),
  version: PublishedVersion,
  published_at: Nullable(Timestamp),
  published_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  revision: RowVersion,
})
export const FormTemplate = Type.Object({ ...FormTemplateSummary.properties, ...content })
export type FormTemplate = Static<typeof FormTemplate>

/** The body of a creation and of a PUT; omitted members become empty. */
export const FormTemplateDetails = Body({
  title: Title,
  description: May(Description),
  type: FormType,
  fields: Type.Array(FormField, { maxItems: MAX_FORM_FIELDS, examples: [FIELDS_EXAMPLE] }),
  translations: May(FormTranslations),
  consent_purposes: May({ ...Purposes, uniqueItems: true }),
  signed_by: May({ ...SignedBy, description: 'Who signs a form: staff with forms.sign, or the patient it is about.' }),
  revision: May(RowVersion),
})
export type FormTemplateDetails = Static<typeof FormTemplateDetails>

const version = {
  version: Type.Integer({ examples: [1] }),
  ...text,
  published_at: Timestamp,
  published_by_principal_id: Nullable(Id),
}
export const FormTemplateVersionSummary = Type.Object(version)
export const FormTemplateVersion = Type.Object({ ...version, ...content })
export type FormTemplateVersion = Static<typeof FormTemplateVersion>

export const FormTemplateChoice = Type.Object({ id: Id, name: Title, type: FormType, version: PublishedVersion })

export const formTemplateList = {
  sort: ['title', 'type', 'status', 'created_at', 'updated_at', 'published_at'],
  ranges: ['created_at', 'updated_at', 'published_at'],
  filters: { type: FORM_TYPES, status: TEMPLATE_STATUSES, deleted: 'boolean' },
  q: true,
} as const
