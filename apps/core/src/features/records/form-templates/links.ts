import { answerProblem, type FormField } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import {
  asksNationalId,
  findFieldsForForm,
  isNationalIdField,
  type PublishedDefinition,
} from '../custom-fields/index.ts'
import { optionProblems } from './condition-rules.ts'
import type { Problems, Template } from './rules.ts'

// Links between the fields of a template and custom fields of patients.

/** By id: those of the custom fields that are there and for patients. */
export async function findLinked(
  tx: TenantTx,
  fields: readonly FormField[],
): Promise<ReadonlyMap<string, PublishedDefinition>> {
  const ids = fields.flatMap(({ custom_field_id }) => custom_field_id ?? [])
  const found = ids.length === 0 ? [] : await findFieldsForForm(tx, ids)
  return new Map(found.filter(({ entity_type }) => entity_type === 'patient').map((field) => [field.id, field]))
}

const HOLDS_NUMBERS: readonly FormField['type'][] = ['text', 'textarea', 'number', 'phone']

const NO_NUMBER = 'must not ask for an identification number: it is stored encrypted in the profile'

/** The number that the state gave a person is kept encrypted in one place; a form must not gather it in another. */
export function numberProblems({ fields, translations }: Pick<Template, 'fields' | 'translations'>): Problems {
  const problems: Problems = {}
  fields.forEach(({ custom_field_id, type, key, label }, place) => {
    if (!HOLDS_NUMBERS.includes(type)) return
    const isOwn = !custom_field_id
    if (isOwn && (asksNationalId(key) || asksNationalId(label ?? ''))) problems[`fields.${place}.label`] = NO_NUMBER
    for (const [language, words] of Object.entries(translations)) {
      if (asksNationalId(words.fields?.[key]?.label ?? ''))
        problems[`translations.${language}.fields.${key}.label`] = NO_NUMBER
    }
  })
  return problems
}

const NOT_PRIVATE =
  'must be false: the answer is saved to the patient’s profile, which the patient can read. Publish the custom field as private (is_private) first, or omit custom_field_id'

/** What keeps a template from being published: "each … must reference an existing custom field of the right entity type". */
export function publishingProblems(
  fields: readonly FormField[],
  linked: ReadonlyMap<string, PublishedDefinition>,
): Problems {
  if (fields.length === 0) return { fields: 'must have at least one field' }
  const problems: Problems = {}
  fields.forEach((field, place) => {
    if (!field.custom_field_id) return
    const [name, words] = linkProblem(field, linked.get(field.custom_field_id)) ?? []
    if (name !== undefined && words !== undefined) problems[`fields.${place}.${name}`] = words
  })
  return { ...optionProblems(withLinks(fields, linked)), ...problems }
}

function linkProblem(field: FormField, to: PublishedDefinition | undefined): [string, string] | undefined {
  if (!to) return ['custom_field_id', 'must be a custom field of patients (GET /v1/custom-fields?entity_type=patient)']
  if (isNationalIdField(to))
    return ['custom_field_id', 'must not be the identification number: it is stored in the profile, not in forms']
  if (field.key !== to.key) return ['key', `must be ${to.key}, the key of the custom field`]
  if (field.type !== to.field_type) return ['type', `must be ${to.field_type}, the type of the custom field`]
  if (field.private && !to.is_private) return ['private', NOT_PRIVATE]
  const wrong = answerProblem(withLink(field, to), field.default)
  return wrong ? ['default', wrong] : undefined
}

/** A template's field with the label and options of its custom field. */
export function withLink(field: FormField, { label, options }: PublishedDefinition): FormField {
  const { options: _own, ...rest } = field
  return { ...rest, label, ...(options === null ? {} : { options }) }
}

export const withLinks = (
  fields: readonly FormField[],
  linked: ReadonlyMap<string, PublishedDefinition>,
): FormField[] =>
  fields.map((field) => {
    const to = linked.get(field.custom_field_id ?? '')
    return to ? withLink(field, to) : field
  })
