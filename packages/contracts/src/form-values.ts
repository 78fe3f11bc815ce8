import { isUnset, valueProblem } from './field-values.ts'
import { matchesPattern } from './form-patterns.ts'
import type { FormField, VisibleWhen } from './form-templates.ts'

export { isUnset }

// Which questions of a form are asked, which answers they take, which are still open. Pure: the server and the browser ask
// the same questions.

/** Answers by value key. */
export type FormValues = Readonly<Record<string, unknown>>
/** The value keys of the file fields that have a file. */
export type FormFileKeys = ReadonlySet<string>

/** "values: keys `field_<custom_field_id>`"; a field of the form's own has `field_<key>`. Files are named the same way. */
export const valueKeyOf = ({ custom_field_id, key }: Pick<FormField, 'custom_field_id' | 'key'>): string =>
  `field_${custom_field_id ?? key}`

export const isAnswered = (field: FormField, values: FormValues, files: FormFileKeys): boolean =>
  field.type === 'file' ? files.has(valueKeyOf(field)) : !isUnset(values[valueKeyOf(field)])

/**
 * The fields that are asked. A condition looks at a field further up; one that is hidden itself counts as not answered, so
 * what depends on it follows.
 */
export function visibleFields<Field extends FormField>(
  fields: readonly Field[],
  values: FormValues,
  files: FormFileKeys,
): Field[] {
  const shown = new Map<string, Field>()
  const answerOf = (key: string): unknown => {
    const field = shown.get(key)
    if (!field || !isAnswered(field, values, files)) return undefined
    return field.type === 'file' ? true : values[valueKeyOf(field)]
  }
  for (const field of fields) {
    if (!field.visible_when || isMet(field.visible_when, answerOf)) shown.set(field.key, field)
  }
  return [...shown.values()]
}

/** What is asked, required and not answered. */
export const openFields = <Field extends FormField>(
  fields: readonly Field[],
  values: FormValues,
  files: FormFileKeys,
): Field[] =>
  visibleFields(fields, values, files).filter((field) => field.required && !isAnswered(field, values, files))

function isMet({ mode, conditions }: VisibleWhen, answerOf: (key: string) => unknown): boolean {
  const met = conditions.map(({ field_key, op, value }) => OPERATORS[op](answerOf(field_key), value ?? null))
  return mode === 'all' ? met.every(Boolean) : met.some(Boolean)
}

type Operator = (answer: unknown, value: string | number | boolean | null) => boolean

const equals: Operator = (answer, value) => (Array.isArray(answer) ? answer.includes(value) : answer === value)

/** Numbers, or dates as text; what is not answered is neither more nor less. */
const compared =
  (isRight: (difference: number) => boolean): Operator =>
  (answer, value) => {
    if (typeof answer === 'number' && typeof value === 'number') return isRight(answer - value)
    if (typeof answer === 'string' && typeof value === 'string')
      return isRight(answer < value ? -1 : Number(answer > value))
    return false
  }

const OPERATORS: Readonly<Record<VisibleWhen['conditions'][number]['op'], Operator>> = {
  exists: (answer, value) => (answer !== undefined) === (value ?? true),
  eq: equals,
  neq: (answer, value) => !equals(answer, value),
  gt: compared((difference) => difference > 0),
  gte: compared((difference) => difference >= 0),
  lt: compared((difference) => difference < 0),
  lte: compared((difference) => difference <= 0),
}

/** What is wrong with an answer to the field, or undefined. To take an answer back is always right. */
export function answerProblem(field: FormField, value: unknown): string | undefined {
  if (isUnset(value)) return undefined
  if (field.type === 'file') return 'is a file: send it with POST /v1/forms/{id}/files/{fieldKey}'
  return valueProblem({ field_type: field.type, options: field.options ?? null }, value) ?? limitProblem(field, value)
}

function limitProblem(field: FormField, value: unknown): string | undefined {
  const { type, min, max, min_length, max_length, pattern } = field
  if (type === 'number' || type === 'date') {
    if (isSet(min) && isBelow(value, min)) return `must not be ${type === 'date' ? 'before' : 'less than'} ${min}`
    if (isSet(max) && isBelow(max, value)) return `must not be ${type === 'date' ? 'after' : 'more than'} ${max}`
  }
  if (typeof value !== 'string') return undefined
  if (isSet(min_length) && value.length < min_length) return `must have at least ${min_length} characters`
  if (isSet(max_length) && value.length > max_length) return `must have at most ${max_length} characters`
  return isSet(pattern) && !matchesPattern(pattern, value) ? `must have the form ${pattern}` : undefined
}

const isSet = <Value>(value: Value | null | undefined): value is Value => value !== null && value !== undefined

const isBelow = (one: unknown, other: unknown): boolean =>
  (typeof one === 'number' && typeof other === 'number' && one < other) ||
  (typeof one === 'string' && typeof other === 'string' && one < other)
