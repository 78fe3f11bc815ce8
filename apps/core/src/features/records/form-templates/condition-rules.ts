import { type FormField, isUnset, type VisibleWhen, valueProblem } from '@tendon/contracts'

type Condition = VisibleWhen['conditions'][number]

const ORDERED: readonly FormField['type'][] = ['number', 'date']

/** Problems of a visibility condition. `before`: the earlier fields, the only ones it may refer to. */
export function conditionProblems(field: FormField, before: readonly FormField[]): Record<string, string> {
  const problems: Record<string, string> = {}
  field.visible_when?.conditions.forEach((condition, place) => {
    const [name, words] = problemOf(condition, before) ?? []
    if (name !== undefined && words !== undefined) problems[`visible_when.conditions.${place}.${name}`] = words
  })
  return problems
}

function problemOf({ field_key, op, value }: Condition, before: readonly FormField[]): [string, string] | undefined {
  const other = before.find(({ key }) => key === field_key)
  if (!other) return ['field_key', 'must be the key of an earlier field']
  if (op === 'exists')
    return value === undefined || typeof value === 'boolean' ? undefined : ['value', 'must be true or false']
  if (other.type === 'file') return ['op', 'must be exists: the field is a file']
  if (op !== 'eq' && op !== 'neq' && !ORDERED.includes(other.type))
    return ['op', 'works only with numbers and dates: use exists, eq or neq']
  if (isUnset(value)) return ['value', 'is required']
  // The options of a custom field may change after this; any text may be one.
  if (other.custom_field_id && !ORDERED.includes(other.type))
    return typeof value === 'string' ? undefined : ['value', 'must be text']
  const wrong = valueProblem(
    { field_type: other.type, options: other.options ?? [] },
    other.type === 'checkbox' ? [value] : value,
  )
  return wrong ? ['value', wrong] : undefined
}

/**
 * Conditions that name an option which the custom field they look at does not have: what they decide would be asked never, or
 * always. `fields`: with the options of their custom fields.
 */
export function optionProblems(fields: readonly FormField[]): Record<string, string> {
  const problems: Record<string, string> = {}
  const chosen = new Map(
    fields.filter(({ custom_field_id }) => custom_field_id).map(({ key, options }) => [key, options]),
  )
  fields.forEach(({ visible_when }, place) => {
    visible_when?.conditions.forEach(({ field_key, op, value }, at) => {
      const options = chosen.get(field_key)
      const wrong = options && op !== 'exists' ? valueProblem({ field_type: 'select', options }, value) : undefined
      if (wrong) problems[`fields.${place}.visible_when.conditions.${at}.value`] = wrong
    })
  })
  return problems
}
