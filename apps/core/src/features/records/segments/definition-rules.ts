import {
  APPOINTMENT_METRICS,
  isObject,
  isOneOf,
  isUuid,
  MAX_SEGMENT_RULES,
  problemOfValue,
  RULE_KIND_OF_FIELD,
  RULE_KIND_OF_METRIC,
  RULE_OPERATORS,
  type RuleValueKind,
} from '@tendon/contracts'
import type { Known } from './rules.ts'

// What the rules of a segment may name. Their shape is in the contract (packages/contracts/src/segments.ts). Both report
// problems by their path in the body, and are asked together: a body here may still have any shape.

export interface Mistake {
  field: string
  message: string
}

/** What rules may name: what is there, of patients, and the fields that a template asks or once asked. */
export interface Nameable extends Known {
  patientFields: ReadonlySet<string>
  /** Fields with encrypted values, which no rule can use. */
  sealedFields: ReadonlySet<string>
  templateFields: ReadonlyMap<string, ReadonlySet<string>>
  /** The options of a choice field, in any of its versions: patients may still have an earlier one. */
  fieldOptions: ReadonlyMap<string, ReadonlySet<string>>
}

type Given = Readonly<Record<string, unknown>>

/** One spelling of names (composed, without blanks around them) and of ids; a value or filter that is null is left out. */
export function normalized(body: unknown): unknown {
  if (!isObject(body)) return body
  const { name, rules } = body
  return {
    ...body,
    ...(typeof name === 'string' ? { name: name.normalize().trim() } : {}),
    ...(Array.isArray(rules) ? { rules: rules.map(normalizedRule) } : {}),
  }
}

function normalizedRule(rule: unknown): unknown {
  if (!isObject(rule)) return rule
  const isLeftOut = (name: string) => name === 'value' || (name === 'filters' && rule.source === 'appointments')
  return Object.fromEntries(
    Object.entries(rule)
      .filter(([name, value]) => value !== null || !isLeftOut(name))
      .map(([name, value]) => [name, name.endsWith('_id') && typeof value === 'string' ? value.toLowerCase() : value]),
  )
}

const rulesIn = (body: unknown): readonly unknown[] =>
  isObject(body) && Array.isArray(body.rules) ? body.rules.slice(0, MAX_SEGMENT_RULES) : []

/** The ids in the rules, for looking them up; other content is ignored. */
export function namedIds(body: unknown): { fieldIds: string[]; templateIds: string[] } {
  const rules = rulesIn(body).filter(isObject)
  const ids = (name: string) => [
    ...new Set(
      rules
        .map((rule) => rule[name])
        .filter(isUuid)
        .map((id) => id.toLowerCase()),
    ),
  ]
  return { fieldIds: ids('custom_field_id'), templateIds: ids('template_id') }
}

export const namesForms = (body: unknown): boolean =>
  rulesIn(body).some((rule) => isObject(rule) && rule.source === 'form')

/** What rules name that they cannot, and operators and values that do not fit the named field. */
export const mistakesOfRules = (body: unknown, nameable: Nameable): Mistake[] =>
  rulesIn(body).flatMap((rule, index) =>
    isObject(rule)
      ? mistakesOfRule(rule, nameable).map(({ field, message }) => ({ field: `rules.${index}.${field}`, message }))
      : [],
  )

function mistakesOfRule(rule: Given, nameable: Nameable): Mistake[] {
  const mistakes = mistakesOfNames(rule, nameable)
  const kind = mistakes.length === 0 ? kindOf(rule, nameable) : undefined
  const { op, value } = rule
  if (kind === undefined || typeof op !== 'string') return mistakes
  const operators = RULE_OPERATORS[kind]
  if (!isOneOf(operators, op)) return [{ field: 'op', message: `must be one of ${operators.join(', ')}` }]
  const problem = problemOfValue(op, kind, value) ?? problemOfOptions(rule, nameable)
  return problem === undefined ? [] : [{ field: 'value', message: problem }]
}

function kindOf({ source, metric, custom_field_id }: Given, { fieldTypes }: Nameable): RuleValueKind | undefined {
  if (source !== 'appointments')
    return isUuid(custom_field_id) ? RULE_KIND_OF_FIELD[fieldTypes.get(custom_field_id) ?? ''] : undefined
  const known = APPOINTMENT_METRICS.find((one) => one === metric)
  return known && RULE_KIND_OF_METRIC[known]
}

/** Call only with a valid value: the texts of a choice are then one text or a list. */
function problemOfOptions({ custom_field_id, value }: Given, { fieldOptions }: Nameable): string | undefined {
  const options = isUuid(custom_field_id) ? fieldOptions.get(custom_field_id) : undefined
  if (!options || value === undefined) return undefined
  const unknown = [value].flat().filter((one) => typeof one === 'string' && !options.has(one))
  return unknown.length === 0 ? undefined : `must be an option of the field: ${[...options].join(', ')}`
}

function mistakesOfNames({ source, template_id, custom_field_id }: Given, nameable: Nameable): Mistake[] {
  const isForm = source === 'form'
  if (!isForm && source !== 'profile') return []
  const fields = isForm && isUuid(template_id) ? nameable.templateFields.get(template_id) : undefined
  const problem = isUuid(custom_field_id) ? problemOfField(custom_field_id, isForm, fields, nameable) : undefined
  return [
    ...(isForm && isUuid(template_id) && !fields
      ? [{ field: 'template_id', message: 'is not a form template of your clinic' }]
      : []),
    ...(problem === undefined ? [] : [{ field: 'custom_field_id', message: problem }]),
  ]
}

function problemOfField(
  fieldId: string,
  isForm: boolean,
  fieldsOfTemplate: ReadonlySet<string> | undefined,
  { fieldTypes, patientFields, sealedFields }: Nameable,
): string | undefined {
  if (!fieldTypes.has(fieldId)) return 'is not a custom field of your clinic'
  if (!isForm && !patientFields.has(fieldId)) return 'must be a custom field of patients'
  if (sealedFields.has(fieldId)) return 'is stored encrypted, so no rule can use it'
  return fieldsOfTemplate && !fieldsOfTemplate.has(fieldId) ? 'is not a field of this form template' : undefined
}
