import {
  answerProblem,
  type FormField,
  type FormQuestion,
  type FormTemplateVersion,
  type FormTranslations,
  isUnset,
  valueKeyOf,
} from '@tendon/contracts'
import { isNationalIdField, type PublishedDefinition } from '../custom-fields/index.ts'
import { withLink } from '../form-templates/index.ts'
import { asPrivateAs } from './privacy-rules.ts'

type Words = NonNullable<FormTranslations[string]['fields']>[string]

/**
 * The questions of a new form: a template's fields, those of custom fields as these are published last. A custom field that
 * was deleted since the template was published leaves a question of the form's own, as it was then; what was private stays so.
 */
export function questionsOf(
  fields: readonly FormField[],
  linked: ReadonlyMap<string, PublishedDefinition>,
  privateFields: ReadonlySet<string>,
): FormQuestion[] {
  return asPrivateAs(privateFields, fields).map((field) => {
    const { custom_field_id, ...own } = field
    const to = linked.get(custom_field_id ?? '')
    if (!to || isNationalIdField(to)) return own
    const { version, field_type } = to
    return { ...withLink(field, to), version, field_type }
  })
}

/**
 * The template's translations, without those of words that a custom field has changed since the template was published. Under
 * a new label an option may mean something else too, so none of its words is left; help is the template's own.
 */
export function translationsOf(
  { fields, translations }: Pick<FormTemplateVersion, 'fields' | 'translations'>,
  questions: readonly FormQuestion[],
): FormTranslations {
  const before = new Map(fields.map(({ key, label }) => [key, label]))
  const now = new Map(questions.map((question) => [question.key, question]))
  const stillTrue = (key: string, { label, options, ...words }: Words): Words => {
    const question = now.get(key)
    if (question?.label !== before.get(key)) return words
    const there = Object.entries(options ?? {}).filter(([option]) => question?.options?.includes(option))
    return { ...words, ...(label ? { label } : {}), ...(options ? { options: Object.fromEntries(there) } : {}) }
  }
  return Object.fromEntries(
    Object.entries(translations).map(([language, words]) => {
      const ofFields = Object.entries(words.fields ?? {}).map(([key, own]) => [key, stillTrue(key, own)])
      return [language, words.fields ? { ...words, fields: Object.fromEntries(ofFields) } : words]
    }),
  )
}

/**
 * The values of a new form: those of the profile, else the defaults. A value that is not valid for the
 * field leaves it empty: the default would contradict the profile.
 */
export function prefilled(
  questions: readonly FormQuestion[],
  profile: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    questions.flatMap((question) => {
      const held = profile.get(question.custom_field_id ?? '')
      const value = isUnset(held) ? question.default : held
      return isUnset(value) || answerProblem(question, value) !== undefined ? [] : [[valueKeyOf(question), value]]
    }),
  )
}
