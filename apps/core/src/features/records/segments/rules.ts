import {
  RULE_KIND_OF_FIELD,
  RULE_KIND_OF_METRIC,
  type RuleValueKind,
  type SegmentDefinition,
  type SegmentRule,
  type Test,
  testOf,
} from '@tendon/contracts'

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
  return { place: placeOf(rule), kind, ...testOf(rule, kind, today) }
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

/** Whether the result depends on the current date. */
export const followsCalendar = (rules: readonly SegmentRule[]): boolean =>
  rules.some(({ op }) => op === 'in_last' || op === 'not_in_last' || op === 'in_next')
