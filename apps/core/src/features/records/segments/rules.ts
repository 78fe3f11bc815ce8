import {
  type RelativeTime,
  RULE_KIND_OF_FIELD,
  RULE_KIND_OF_METRIC,
  type RuleValueKind,
  type SegmentDefinition,
  type SegmentRule,
} from '@tendon/contracts'
import { shiftDay } from './calendar-rules.ts'

// What a rule means, said once. A rule becomes a condition: where to look, what kind of value counts there, one of five
// tests, and whether the answer is turned round. The test is held against one patient here, and against all of them in
// matching-queries.ts; both know only conditions, so that they cannot disagree about operators, dates or today.
//
// A value that is not there, is empty, or is of another kind than its field counts as unset. No test holds for an unset
// value; so a negative operator, which is a test turned round, does. eq and in compare text exactly; contains, starts_with
// and ends_with know neither case nor accents.

export type Place =
  | { in: 'profile'; fieldId: string }
  | { in: 'form'; templateId: string; fieldId: string }
  | { in: 'appointments'; metric: 'count' | 'last_date'; statuses: string[] | null }

export interface Bound {
  at: number | string
  /** Without the bound itself. */
  open: boolean
}

export type Test =
  | { is: 'set' }
  | { is: 'one_of'; texts: string[] }
  | { is: 'like'; how: 'contains' | 'starts_with' | 'ends_with'; folded: string }
  | { is: 'within'; from?: Bound; to?: Bound }
  | { is: 'chosen'; how: 'any' | 'all'; options: string[] }

export interface Condition {
  place: Place
  kind: RuleValueKind
  test: Test
  negated: boolean
}

/** The types of the custom fields, and the templates, of rules; without deleted ones. */
export interface Known {
  fieldTypes: ReadonlyMap<string, string>
  templates: ReadonlySet<string>
}

export const formKey = (fieldId: string) => `field_${fieldId}`
export const filterKey = (statuses: readonly string[] | null) => JSON.stringify(statuses)
export const fold = (text: string) =>
  text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

/** A day as stored: so written, whether or not the calendar has it. The database holds values against the same pattern. */
export const DAY_PATTERN = '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$'

const NEGATIVE: Readonly<Record<string, string>> = {
  neq: 'eq',
  not_contains: 'contains',
  not_in: 'in',
  not_between: 'between',
  not_in_last: 'in_last',
  is_not_set: 'is_set',
}

/** Why a rule cannot be evaluated. */
export interface BrokenRule {
  failing_rule: SegmentRule
  error: string
}

export type Judged = { conditions: Condition[] } | { broken: BrokenRule }

/** All rules or none: a segment with a rule that looks at something deleted is not evaluated, its members stay. */
export function conditionsOf({ rules }: Pick<SegmentDefinition, 'rules'>, known: Known, today: string): Judged {
  const conditions: Condition[] = []
  for (const rule of rules) {
    const kind = kindOf(rule, known)
    if (kind === undefined) return { broken: { failing_rule: rule, error: lostThing(rule, known) } }
    conditions.push(conditionOf(rule, kind, today))
  }
  return { conditions }
}

export function kindOf(rule: SegmentRule, { fieldTypes, templates }: Known): RuleValueKind | undefined {
  if (rule.source === 'appointments') return RULE_KIND_OF_METRIC[rule.metric]
  if (rule.source === 'form' && !templates.has(rule.template_id)) return undefined
  return RULE_KIND_OF_FIELD[fieldTypes.get(rule.custom_field_id) ?? '']
}

const lostThing = (rule: SegmentRule, { templates }: Known) =>
  rule.source === 'form' && !templates.has(rule.template_id)
    ? 'The form template of this rule was deleted. Change or remove the rule.'
    : 'The custom field of this rule was deleted. Change or remove the rule.'

export function conditionOf(rule: SegmentRule, kind: RuleValueKind, today: string): Condition {
  const positive = NEGATIVE[rule.op]
  return {
    place: placeOf(rule),
    kind,
    test: testOf(positive ?? rule.op, kind, rule.value, today),
    negated: positive !== undefined,
  }
}

/** Where the rule looks. */
export function placeOf(rule: SegmentRule): Place {
  if (rule.source === 'profile') return { in: 'profile', fieldId: rule.custom_field_id }
  if (rule.source === 'form') return { in: 'form', templateId: rule.template_id, fieldId: rule.custom_field_id }
  const status = rule.filters?.status
  return {
    in: 'appointments',
    metric: rule.metric,
    statuses: status === undefined ? null : [...new Set([status].flat())].sort(),
  }
}

function testOf(op: string, kind: RuleValueKind, value: unknown, today: string): Test {
  const one = value as number | string
  const many = [value].flat() as string[]
  const relative = value as RelativeTime
  const closed = (at: number | string | undefined): Bound => ({ at: at ?? '', open: false })
  const open = (at: number | string): Bound => ({ at, open: true })
  switch (op) {
    case 'is_set':
      return { is: 'set' }
    case 'eq':
      return kind === 'number' || kind === 'date'
        ? { is: 'within', from: closed(one), to: closed(one) }
        : { is: 'one_of', texts: many }
    case 'in':
      return { is: 'one_of', texts: many }
    case 'contains':
      return kind === 'choices'
        ? { is: 'chosen', how: 'any', options: many }
        : { is: 'like', how: 'contains', folded: fold(String(value)) }
    case 'starts_with':
    case 'ends_with':
      return { is: 'like', how: op, folded: fold(String(value)) }
    case 'contains_any':
      return { is: 'chosen', how: 'any', options: many }
    case 'contains_all':
      return { is: 'chosen', how: 'all', options: many }
    case 'gt':
    case 'after':
      return { is: 'within', from: open(one) }
    case 'gte':
      return { is: 'within', from: closed(one) }
    case 'lt':
    case 'before':
      return { is: 'within', to: open(one) }
    case 'lte':
      return { is: 'within', to: closed(one) }
    case 'between':
      return { is: 'within', from: closed(many[0]), to: closed(many[1]) }
    case 'in_last':
      return { is: 'within', from: closed(shiftDay(today, relative, -1)), to: closed(today) }
    case 'in_next':
      return { is: 'within', from: closed(today), to: closed(shiftDay(today, relative, 1)) }
    default:
      throw new Error(`no operator ${op}`)
  }
}

/** Whether the result depends on the current date. */
export const followsCalendar = (rules: readonly SegmentRule[]): boolean =>
  rules.some(({ op }) => op === 'in_last' || op === 'not_in_last' || op === 'in_next')
