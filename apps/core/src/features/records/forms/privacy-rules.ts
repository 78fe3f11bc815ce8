import type { FormField } from '@tendon/contracts'

// A question is private when its template says so, or its custom field is; the second may change after the form was made.

/** The custom fields that these ask. */
export const linkedIdsOf = (fields: readonly FormField[]): string[] =>
  fields.flatMap(({ custom_field_id }) => custom_field_id ?? [])

/** The fields, private where their custom fields are. */
export const asPrivateAs = <Field extends FormField>(
  privateFields: ReadonlySet<string>,
  fields: readonly Field[],
): Field[] =>
  fields.map((field) => (privateFields.has(field.custom_field_id ?? '') ? { ...field, private: true } : field))
