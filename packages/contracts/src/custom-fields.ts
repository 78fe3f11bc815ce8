import { type Static, Type } from 'typebox'
import { FIELD_TYPES } from './field-values.ts'
import { LENIENT } from './list.ts'
import { Body, Enum, Id, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'

export const ENTITY_TYPES = ['patient', 'specialist', 'appointment', 'organization'] as const
/** Of one organization, for one entity type. */
export const MAX_CUSTOM_FIELDS = 200
export const MAX_FIELD_OPTIONS = 200

const Key = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,62}$',
  'x-reason': 'must be 1 to 63 lower-case letters, digits and underscores, with a letter first',
  examples: ['sports'],
})
const Label = Name(200, 'Sports')
const Description = Text(1000, 'What the person does regularly.')
const Options = Type.Array(Name(200, 'Running'), { minItems: 1, maxItems: MAX_FIELD_OPTIONS, uniqueItems: true })
const SortOrder = Type.Integer({ minimum: -1_000_000, maximum: 1_000_000, examples: [10] })
const SystemKey = Nullable(
  Type.String({ description: 'Set only on fields of the platform.', examples: ['occupation'] }),
)
const Version = Type.Integer({ minimum: 1, maximum: 2_147_483_647, examples: [1] })

/** A member that a body may not have; the reason says why. */
const Refused = (reason: string) => Type.Optional(Type.Unsafe<never>({ not: {}, 'x-reason': reason }))

/** What an edit may change. */
const content = {
  label: Label,
  description: Nullable(Description),
  is_private: Type.Boolean({ description: 'Never shown to patients.', examples: [false] }),
  sort_order: SortOrder,
  options: Nullable(Options),
}
export type FieldContent = Static<Type.TObject<typeof content>>

export const CustomField = Type.Object({
  id: Id,
  organization_id: Id,
  entity_type: Enum(ENTITY_TYPES),
  key: Key,
  field_type: Enum(FIELD_TYPES, 'checkbox'),
  ...content,
  system_key: SystemKey,
  version: Version,
  published: Type.Boolean({ description: 'False while an edit is not published.', examples: [true] }),
  created_at: Timestamp,
  updated_at: Timestamp,
  revision: RowVersion,
})
export type CustomField = Static<typeof CustomField>

export const CustomFields = Type.Object({ fields: Type.Array(CustomField) })

export const customFieldFilters = Type.Object(
  {
    entity_type: Type.Optional(Type.String({ description: ENTITY_TYPES.join(', '), examples: ['patient'] })),
    deleted: Type.Optional(
      Type.String({ description: 'True lists deleted fields; needs data.view_deleted.', examples: ['false'] }),
    ),
  },
  { [LENIENT]: true },
)

export const NewCustomField = Type.Object(
  {
    entity_type: Enum(ENTITY_TYPES),
    key: Key,
    label: Label,
    field_type: Enum(FIELD_TYPES, 'checkbox'),
    options: Type.Optional(content.options),
    description: Type.Optional(content.description),
    is_private: Type.Optional(content.is_private),
    sort_order: Type.Optional(content.sort_order),
    system_key: Refused('is only for fields of the platform: omit it'),
  },
  {
    additionalProperties: false,
    examples: [
      {
        entity_type: 'patient',
        key: 'sports',
        label: 'Sports',
        field_type: 'checkbox',
        options: ['Running', 'Swimming'],
      },
    ],
  },
)
export type NewCustomField = Static<typeof NewCustomField>

const FIXED = 'cannot be changed: delete the field and create another'

export const CustomFieldChanges = Type.Object(
  {
    ...Type.Partial(Type.Object(content)).properties,
    key: Refused(FIXED),
    entity_type: Refused(FIXED),
    field_type: Refused(FIXED),
    system_key: Refused(FIXED),
    revision: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1, examples: [{ label: 'Sports', sort_order: 20 }] },
)
export type CustomFieldChanges = Partial<FieldContent>

export const PublishedField = Type.Object({
  id: Id,
  version: Version,
  published: Type.Boolean({ examples: [true] }),
  published_at: Timestamp,
})
export type PublishedField = Static<typeof PublishedField>

/** `fields`: what the field was in that version. */
export const CustomFieldVersion = Type.Object({
  version: Version,
  published_at: Timestamp,
  fields: Type.Object({ key: Key, field_type: Enum(FIELD_TYPES, 'checkbox'), ...content, system_key: SystemKey }),
})
export type CustomFieldVersion = Static<typeof CustomFieldVersion>

export const CustomFieldVersionParams = Type.Object({ id: Id, version: Version })

export const RollbackRequest = Body({ version: Version })
