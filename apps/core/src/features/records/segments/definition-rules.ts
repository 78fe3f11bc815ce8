import {
  APPOINTMENT_METRICS,
  APPOINTMENT_STATUSES,
  isBlank,
  isLine,
  isObject,
  isOneOf,
  isUuid,
  lengthOf,
  MATCH_MODES,
  MAX_SEGMENT_DESCRIPTION_LENGTH,
  MAX_SEGMENT_NAME_LENGTH,
  MAX_SEGMENT_RULES,
  MAX_SEGMENT_TEXT_LENGTH,
  problemOfValue,
  RULE_OPERATORS,
  RULE_SOURCES,
  type SegmentDefinition,
  type SegmentRule,
} from '@tendon/contracts'
import { type Known, kindOf } from './rules.ts'

// Validates a segment. Every problem is reported by its path in the body.

export interface Mistake {
  field: string
  message: string
}

export interface SegmentDetails extends SegmentDefinition {
  name: string
  description: string
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

export type Parsed<Value> = { value: Value } | { mistakes: Mistake[] }

type Given = Readonly<Record<string, unknown>>
type Tell = (field: string, message: string) => void

/** More problems than anybody reads. */
const MAX_REPORTED_PROBLEMS = 100

const listed = (values: readonly string[]) => `must be one of ${values.join(', ')}`

/** The ids in the rules, for looking them up; other content is ignored. */
export function namedIds(body: unknown): { fieldIds: string[]; templateIds: string[] } {
  const rules =
    isObject(body) && Array.isArray(body.rules) ? body.rules.slice(0, MAX_SEGMENT_RULES).filter(isObject) : []
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

export function parseDetails(body: unknown, nameable: Nameable): Parsed<SegmentDetails> {
  return parse(body, ['name', 'description', 'match_mode', 'rules'], (given, tell) => {
    const { description = '' } = given
    // One spelling of a name: composed, without blanks around it.
    const name = typeof given.name === 'string' ? given.name.normalize().trim() : given.name
    if (name === undefined) tell('name', 'is required')
    else if (typeof name !== 'string') tell('name', 'must be text')
    else if (isBlank(name)) tell('name', 'must not be blank')
    else if (!isLine(name)) tell('name', 'must be text on one line, without control characters')
    else if (lengthOf(name) > MAX_SEGMENT_NAME_LENGTH)
      tell('name', `must have at most ${MAX_SEGMENT_NAME_LENGTH} characters`)
    if (typeof description !== 'string') tell('description', 'must be text')
    else if (lengthOf(description) > MAX_SEGMENT_DESCRIPTION_LENGTH)
      tell('description', `must have at most ${MAX_SEGMENT_DESCRIPTION_LENGTH} characters`)
    return {
      ...definitionIn(given, nameable, tell),
      name: typeof name === 'string' ? name : '',
      description: typeof description === 'string' ? description : '',
    }
  })
}

export function parseDefinition(body: unknown, nameable: Nameable): Parsed<SegmentDefinition> {
  return parse(body, ['match_mode', 'rules'], (given, tell) => definitionIn(given, nameable, tell))
}

/** The result of `read` is only valid when it reported no problem. */
function parse<Value>(body: unknown, fields: string[], read: (given: Given, tell: Tell) => Value): Parsed<Value> {
  if (!isObject(body)) return { mistakes: [{ field: 'body', message: 'must be a JSON object' }] }
  const mistakes: Mistake[] = []
  const tell: Tell = (field, message) => void mistakes.push({ field, message })
  const value = read(body, tell)
  refuseOthers(body, fields, '', tell)
  return mistakes.length > 0 ? { mistakes: mistakes.slice(0, MAX_REPORTED_PROBLEMS) } : { value }
}

function refuseOthers(given: Given, known: readonly string[], path: string, tell: Tell): void {
  for (const name of Object.keys(given)) {
    if (!known.includes(name))
      tell(`${path}${name.slice(0, MAX_SEGMENT_TEXT_LENGTH)}`, 'is not a field of this request')
  }
}

function definitionIn(given: Given, nameable: Nameable, tell: Tell): SegmentDefinition {
  const { match_mode, rules } = given
  if (match_mode === undefined) tell('match_mode', 'is required')
  else if (!isOneOf(MATCH_MODES, match_mode)) tell('match_mode', listed(MATCH_MODES))
  if (rules === undefined) tell('rules', 'is required')
  else if (!Array.isArray(rules)) tell('rules', 'must be a list')
  else if (rules.length === 0) tell('rules', 'must have at least 1 entry')
  else if (rules.length > MAX_SEGMENT_RULES) tell('rules', `must have at most ${MAX_SEGMENT_RULES} entries`)
  else {
    const read = rules.map((rule, index) => ruleIn(rule, `rules.${index}.`, nameable, tell))
    return { match_mode: match_mode as SegmentDefinition['match_mode'], rules: read as SegmentRule[] }
  }
  return { match_mode: 'all', rules: [] }
}

const FIELDS_OF: Readonly<Record<SegmentRule['source'], readonly string[]>> = {
  profile: ['source', 'custom_field_id', 'op', 'value'],
  form: ['source', 'template_id', 'custom_field_id', 'op', 'value'],
  appointments: ['source', 'metric', 'op', 'value', 'filters'],
}

function ruleIn(given: unknown, path: string, nameable: Nameable, tell: Tell): unknown {
  if (!isObject(given)) return tell(path.slice(0, -1), 'must be a JSON object')
  const { source } = given
  if (source === undefined) return tell(`${path}source`, 'is required')
  if (!isOneOf(RULE_SOURCES, source)) return tell(`${path}source`, listed(RULE_SOURCES))
  const fields = FIELDS_OF[source as SegmentRule['source']]
  refuseOthers(given, fields, path, tell)
  const rule = Object.fromEntries(
    fields
      .filter((name) => given[name] !== undefined && given[name] !== null)
      .map((name) => [name, lowered(name, given[name])]),
  ) as unknown as SegmentRule
  const mistakes = rule.source === 'appointments' ? mistakesOfMetric(rule) : mistakesOfField(rule, nameable)
  for (const { field, message } of mistakes) tell(path + field, message)
  if (rule.source === 'appointments' && rule.filters !== undefined) checkFilters(rule.filters, `${path}filters`, tell)
  const kind = mistakes.length === 0 ? kindOf(rule, nameable) : undefined
  if (rule.op === undefined) tell(`${path}op`, 'is required')
  else if (kind === undefined) {
    const every = [...new Set(Object.values(RULE_OPERATORS).flat())]
    if (!isOneOf(every, rule.op)) tell(`${path}op`, listed(every))
  } else if (!isOneOf(RULE_OPERATORS[kind], rule.op)) tell(`${path}op`, listed(RULE_OPERATORS[kind]))
  else {
    const problem = problemOfValue(rule.op, kind, rule.value) ?? problemOfOptions(rule, nameable)
    if (problem !== undefined) tell(`${path}value`, problem)
  }
  return rule
}

/** Call only with a valid value: the texts of a choice are then one text or a list. */
function problemOfOptions(rule: SegmentRule, { fieldOptions }: Nameable): string | undefined {
  const options = rule.source === 'appointments' ? undefined : fieldOptions.get(rule.custom_field_id)
  if (!options || rule.value === undefined) return undefined
  const unknown = [rule.value].flat().filter((one) => typeof one === 'string' && !options.has(one))
  return unknown.length === 0 ? undefined : `must be an option of the field: ${[...options].join(', ')}`
}

const lowered = (name: string, value: unknown) =>
  name.endsWith('_id') && typeof value === 'string' ? value.toLowerCase() : value

/** What the rule names that it cannot, by the name in the rule. */
function mistakesOfField(rule: Exclude<SegmentRule, { source: 'appointments' }>, nameable: Nameable): Mistake[] {
  const { custom_field_id: fieldId } = rule
  const templateFields = rule.source === 'form' ? nameable.templateFields.get(rule.template_id) : undefined
  const mistakes: Mistake[] = []
  const tell: Tell = (field, message) => void mistakes.push({ field, message })
  if (rule.source === 'form' && !templateFields)
    tell('template_id', rule.template_id === undefined ? 'is required' : 'is not a form template of your clinic')
  if (fieldId === undefined) tell('custom_field_id', 'is required')
  else if (!nameable.fieldTypes.has(fieldId)) tell('custom_field_id', 'is not a custom field of your clinic')
  else if (rule.source === 'profile' && !nameable.patientFields.has(fieldId))
    tell('custom_field_id', 'must be a custom field of patients')
  else if (nameable.sealedFields.has(fieldId)) tell('custom_field_id', 'is stored encrypted, so no rule can use it')
  else if (templateFields && !templateFields.has(fieldId))
    tell('custom_field_id', 'is not a field of this form template')
  return mistakes
}

function mistakesOfMetric({ metric }: Extract<SegmentRule, { source: 'appointments' }>): Mistake[] {
  if (isOneOf(APPOINTMENT_METRICS, metric)) return []
  return [{ field: 'metric', message: metric === undefined ? 'is required' : listed(APPOINTMENT_METRICS) }]
}

function checkFilters(filters: unknown, path: string, tell: Tell): void {
  if (!isObject(filters)) return tell(path, 'must be a JSON object')
  refuseOthers(filters, ['status'], `${path}.`, tell)
  const { status } = filters
  if (status === undefined) return
  const given: unknown[] = [status].flat()
  if (
    given.length === 0 ||
    given.length > APPOINTMENT_STATUSES.length ||
    !given.every((one) => isOneOf(APPOINTMENT_STATUSES, one))
  )
    tell(`${path}.status`, `must be one of ${APPOINTMENT_STATUSES.join(', ')}, or a list of them`)
}
