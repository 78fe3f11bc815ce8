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

/**
 * What stands in a new form: what the profile holds, and the default where it holds nothing. A value that does not fit the
 * question leaves it empty: the default would say something else of the patient than the profile does.
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
