import {
  answerProblem,
  FORM_FIELDS,
  type FormField,
  type FormTemplateDetails,
  isObject,
  isUnset,
  misplaced,
  readPattern,
  takesOptions,
  valueProblem,
} from '@tendon/contracts'
import { conditionProblems } from './condition-rules.ts'
import { translationProblems } from './translation-rules.ts'

// What makes a template consistent, beyond the shape of each field. Everything that is wrong is named, by its place in the body.

export type Problems = Record<string, string>

/** In one template: what a save of a form then matches is bounded. */
const MAX_PATTERN_STEPS = 2_000

const RANGED: readonly FormField['type'][] = ['number', 'date']

/** The body without what is null, so that a stored template says only what it means. */
export function templateOf(details: FormTemplateDetails) {
  return {
    title: details.title.normalize().trim(),
    description: details.description ?? null,
    type: details.type,
    fields: details.fields.map((field) => withoutNulls(field)),
    translations: withoutNulls(details.translations ?? {}),
    consent_purposes: details.consent_purposes ?? [],
    signed_by: details.signed_by ?? 'staff',
  }
}
export type Template = ReturnType<typeof templateOf>

function withoutNulls<Value>(value: Value): Value {
  const copy = structuredClone(value)
  dropNulls(copy)
  return copy
}

function dropNulls(value: unknown): void {
  if (Array.isArray(value)) value.forEach(dropNulls)
  else if (isObject(value))
    for (const [name, held] of Object.entries(value)) {
      if (held === null) Reflect.deleteProperty(value, name)
      else dropNulls(held)
    }
}

export function problemsOfTemplate({ type, fields, translations, consent_purposes }: Template): Problems {
  const problems: Problems = { ...repeated(fields, 'key'), ...repeated(fields, 'custom_field_id') }
  let steps = 0
  fields.forEach((field, place) => {
    const found = { ...fieldProblems(field), ...conditionProblems(field, fields.slice(0, place)) }
    const pattern = field.pattern ? readPattern(field.pattern) : undefined
    if (pattern && 'problem' in pattern) found.pattern = pattern.problem
    else steps += pattern?.program.length ?? 0
    if (pattern && steps > MAX_PATTERN_STEPS)
      found.pattern ??= 'exceeds the total size allowed for the patterns of this template'
    for (const [name, words] of Object.entries(found)) problems[`fields.${place}.${name}`] ??= words
  })
  if (type !== 'consent' && consent_purposes.length > 0)
    problems.consent_purposes = 'are allowed only in templates of type consent'
  return { ...problems, ...translationProblems(fields, translations) }
}

function repeated(fields: readonly FormField[], name: 'key' | 'custom_field_id'): Problems {
  const seen = new Set<string>()
  const problems: Problems = {}
  fields.forEach((field, place) => {
    const value = field[name]
    if (value && seen.has(value)) problems[`fields.${place}.${name}`] = 'is already used by an earlier field'
    if (value) seen.add(value)
  })
  return problems
}

function fieldProblems(field: FormField): Problems {
  const { type, custom_field_id, label, options, min, max, min_length, max_length } = field
  const { unused } = misplaced(FORM_FIELDS[type], field)
  const problems: Problems = Object.fromEntries(
    unused.map((name) => [name, `is not allowed for a field of type ${type}`]),
  )
  if (custom_field_id === undefined && label === undefined) problems.label = 'is required'
  if (type === 'file') return problems
  if (takesOptions(type) && custom_field_id === undefined && options === undefined)
    problems.options = `is required for a field of type ${type}`
  for (const [name, limit] of Object.entries({ min, max })) {
    if (limit === undefined || !RANGED.includes(type)) continue
    const wrong = isUnset(limit) ? 'must not be blank' : valueProblem({ field_type: type, options: null }, limit)
    if (wrong) problems[name] = wrong
  }
  if (isMore(min, max)) problems.max ??= 'must not be less than min'
  if (isMore(min_length, max_length)) problems.max_length ??= 'must not be less than min_length'
  const answerable = Object.keys(problems).length === 0 && (options !== undefined || !takesOptions(type))
  const wrong = answerable ? answerProblem(field, field.default) : undefined
  if (wrong) problems.default = wrong
  return problems
}

const isMore = (one: unknown, other: unknown): boolean =>
  typeof one === typeof other && (typeof one === 'number' || typeof one === 'string') && one > (other as typeof one)
