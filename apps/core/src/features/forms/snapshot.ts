import { answerProblem, type FormField, type FormQuestion, isUnset, valueKeyOf } from '@tendon/contracts'
import { isNationalIdField, type PublishedDefinition } from '../custom-fields/index.ts'
import { withLink } from '../form-templates/index.ts'
import { asPrivateAs } from './privacy-rules.ts'

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

/** What stands in a new form: what the profile holds, else the default; neither where it does not fit the question. */
export function prefilled(
  questions: readonly FormQuestion[],
  profile: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    questions.flatMap((question) => {
      const offered = [profile.get(question.custom_field_id ?? ''), question.default]
      const value = offered.find((one) => !isUnset(one) && answerProblem(question, one) === undefined)
      return value === undefined || value === null ? [] : [[valueKeyOf(question), value]]
    }),
  )
}
