import {
  type AutomationCondition,
  type AutomationDefinition,
  passes,
  problemOfValue,
  RULE_OPERATORS,
  type RuleValueKind,
  readAs,
  testOf,
} from '@tendon/contracts'
import { problemOfAction } from './action-rules.ts'

// Conditions and texts of automations. Paths and placeholders are fixed lists: no rule can read form answers, medical
// conditions or custom fields, so none can send them.

/** Rules per organization, limited because every event is checked against all of them. */
export const MAX_RULES = 100

const BOOLEANS = ['true', 'false']

type Fields = Readonly<Record<string, 'id' | 'time' | 'number' | 'boolean' | readonly string[]>>

/** Data that conditions may read in addition to the event, read when the rule runs. */
const PATHS: Readonly<Record<string, RuleValueKind>> = {
  'patient.sex': 'choice',
  'patient.language_code': 'choice',
  'patient.birth_date': 'date',
  'appointment.status': 'choice',
  'appointment.mode': 'choice',
  'appointment.starts_on': 'date',
}

export type PathValues = Readonly<Record<string, unknown>>

const MESSAGE_PATH = /^message(\.[A-Za-z0-9_-]{1,50}){1,5}$/
export const isMessagePath = (path: string): boolean => MESSAGE_PATH.test(path)

type Condition = Pick<AutomationCondition, 'path' | 'op' | 'value'>

function kindOf({ path, op, value }: Condition, fields: Fields): RuleValueKind | undefined {
  if (isMessagePath(path)) return Object.hasOwn(fields, 'message_id') ? kindInMessage(op, value) : undefined
  const [root, name = ''] = path.split('.')
  if (root !== 'data') return Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) return undefined
  if (field === 'number') return 'number'
  return field === 'id' || field === 'time' ? 'text' : 'choice'
}

/** A message has no schema: the type of the value in the condition determines the expected type. */
function kindInMessage(op: string, value: unknown): RuleValueKind {
  const [sample] = [value].flat()
  if (typeof sample === 'number') return 'number'
  if (op === 'contains_any' || op === 'contains_all') return 'choices'
  return (RULE_OPERATORS.text as readonly string[]).includes(op) ? 'text' : 'date'
}

/** The problems of a rule, by field of the body; empty when the rule is valid. */
export function problemsOf(
  { trigger, conditions, actions }: Pick<AutomationDefinition, 'trigger' | 'conditions' | 'actions'>,
  fields: Fields | undefined,
): Record<string, string> {
  const problems: Record<string, string> = {}
  if (!fields) problems['trigger.event'] = 'must be an event of GET /v1/webhook-events, or integration.received'
  for (const [name, values] of Object.entries(trigger.filter ?? {})) {
    const problem = problemOfFilter(fields && Object.hasOwn(fields, name) ? fields[name] : undefined, values)
    if (problem !== undefined) problems[`trigger.filter.${name}`] = problem
  }
  for (const [index, condition] of conditions.rules.entries()) {
    const { op, value } = condition
    const at = `conditions.rules.${index}`
    const kind = kindOf(condition, fields ?? {})
    const operators: readonly string[] = kind ? RULE_OPERATORS[kind] : []
    if (!kind)
      problems[`${at}.path`] = `must be a field of the event (data.…) or one of ${Object.keys(PATHS).join(', ')}`
    else if (!operators.includes(op)) problems[`${at}.op`] = `must be one of ${operators.join(', ')}`
    else {
      const problem = problemOfValue(op, kind, value)
      if (problem !== undefined) problems[`${at}.value`] = problem
    }
  }
  for (const [index, action] of actions.entries()) {
    const problem = problemOfAction(action)
    if (problem !== undefined) problems[`actions.${index}.params`] = problem
  }
  return problems
}

function problemOfFilter(field: Fields[string] | undefined, values: readonly string[]): string | undefined {
  if (field === undefined || field === 'number' || field === 'time')
    return 'must be a field of the event with ids, choices or a boolean'
  if (field === 'id') return undefined
  const choices = field === 'boolean' ? BOOLEANS : field
  return values.every((value) => choices.includes(value)) ? undefined : `must contain only ${choices.join(', ')}`
}

export function conditionsHold(
  { mode, rules }: AutomationDefinition['conditions'],
  values: PathValues,
  { fields, today }: { fields: Fields; today: string },
): boolean {
  const holds = (condition: Condition) => {
    const { path, op, value } = condition
    const kind = kindOf(condition, fields)
    if (!kind) return false
    const { test, negated } = testOf({ op, value }, kind, today)
    const found = isMessagePath(path) ? readMessageAs(kind, memberAt(values.message, path)) : values[path]
    return passes(test, readAs(kind, typeof found === 'boolean' ? String(found) : found)) !== negated
  }
  return mode === 'all' || rules.length === 0 ? rules.every(holds) : rules.some(holds)
}

/** Follows `message.a.b` through objects and lists. */
function memberAt(message: unknown, path: string): unknown {
  let found: unknown = message
  for (const name of path.split('.').slice(1)) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, name)) return undefined
    found = Reflect.get(found, name)
  }
  return found
}

const readMessageAs = (kind: RuleValueKind, value: unknown): unknown =>
  kind === 'text' && (typeof value === 'number' || typeof value === 'boolean') ? String(value) : value

/** How much longer than others an execution may stay without progress while its rule is switched off. */
export const HELD_DAYS = 30

const MAX_CAUSES = 3

/** Whether a rule must ignore an event: the rule caused it, or the chain of rules that caused it is too long. */
export const isLoop = (ruleId: string, causes: readonly string[]): boolean =>
  causes.includes(ruleId) || causes.length > MAX_CAUSES

/** Whether the data of an event passes the filter of the trigger. */
export const passesFilter = (
  { filter = {} }: AutomationDefinition['trigger'],
  data: Readonly<Record<string, unknown>>,
): boolean =>
  Object.entries(filter).every(([name, values]) => {
    const value = data[name]
    return values.some((wanted) => wanted === value || (typeof value === 'boolean' && wanted === String(value)))
  })

/** When to retry a failed step: after 1, 2, 4 … minutes. Undefined after the last attempt. */
export const retryStepAt = (attempts: number, maxRetries: number, now: Date): Date | undefined =>
  attempts > maxRetries ? undefined : new Date(now.getTime() + 60_000 * 2 ** (attempts - 1))
