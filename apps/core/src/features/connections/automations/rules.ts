import {
  type AutomationAction,
  type AutomationCondition,
  type AutomationDefinition,
  passes,
  problemOfValue,
  RULE_OPERATORS,
  type RuleValueKind,
  readAs,
  testOf,
} from '@tendon/contracts'

// Conditions and texts of automations. Paths and placeholders are closed lists: no rule reads answers, conditions or fields
// of the clinic's own, so none can send them.

type Fields = Readonly<Record<string, 'id' | 'time' | 'number' | readonly string[]>>

/** What conditions may look at besides the data of the event, read when the rule runs. */
const PATHS: Readonly<Record<string, RuleValueKind>> = {
  'patient.sex': 'choice',
  'patient.language_code': 'choice',
  'patient.birth_date': 'date',
  'appointment.status': 'choice',
  'appointment.mode': 'choice',
  'appointment.starts_on': 'date',
}

export const PLACEHOLDERS = [
  'patient.first_name',
  'patient.last_name',
  'clinic.name',
  'appointment.starts_at',
  'portal.url',
] as const
const PLACEHOLDER = /\{\{\s*([^{}]*?)\s*\}\}/g

export type PathValues = Readonly<Record<string, unknown>>

function kindOf(path: string, fields: Fields): RuleValueKind | undefined {
  const [root, name = ''] = path.split('.')
  if (root !== 'data') return Object.hasOwn(PATHS, path) ? PATHS[path] : undefined
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field === undefined) return undefined
  if (field === 'number') return 'number'
  return typeof field === 'string' ? 'text' : 'choice'
}

/** What is wrong with a rule, by its place in the body; empty when nothing is. */
export function problemsOf(
  { conditions, actions }: Pick<AutomationDefinition, 'conditions' | 'actions'>,
  fields: Fields | undefined,
): Record<string, string> {
  const problems: Record<string, string> = {}
  if (!fields) problems['trigger.event'] = 'must be an event of GET /v1/webhook-events'
  for (const [index, { path, op, value }] of conditions.rules.entries()) {
    const at = `conditions.rules.${index}`
    const kind = kindOf(path, fields ?? {})
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

const NEEDS: Readonly<Record<AutomationAction['type'], readonly string[]>> = {
  send_mail: ['to', 'kind', 'subject', 'text', 'permission'],
  notify_members: ['permission', 'text'],
  send_webhook: ['subscription_uid'],
  wait: ['minutes', 'before_appointment_minutes'],
}

function problemOfAction({ type, params }: AutomationAction): string | undefined {
  const extra = Object.keys(params).filter((name) => !NEEDS[type].includes(name))
  if (extra.length > 0) return `must not contain ${extra.join(', ')}`
  if (type === 'send_webhook' && params.subscription_uid === undefined) return 'must contain subscription_uid'
  if (type === 'notify_members' && params.permission === undefined) return 'must contain permission'
  if (type === 'wait' && (params.minutes === undefined) === (params.before_appointment_minutes === undefined))
    return 'must contain either minutes or before_appointment_minutes'
  if (type === 'send_mail') {
    if (!params.to || !params.kind || !params.subject || !params.text) return 'must contain to, kind, subject and text'
    if ((params.to === 'members') !== (params.permission !== undefined))
      return 'must contain permission when to is members, and only then'
    if (params.to === 'members' && params.kind === 'marketing') return 'must have the kind care when to is members'
  }
  const unknown = placeholdersIn(`${params.subject ?? ''} ${params.text ?? ''}`).filter((name) => !isPlaceholder(name))
  if (unknown.length > 0) return `must not contain {{${unknown[0]}}}: allowed are ${PLACEHOLDERS.join(', ')}`
  return undefined
}

const isPlaceholder = (name: string) => (PLACEHOLDERS as readonly string[]).includes(name)
const placeholdersIn = (text: string) => [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name)

/** A text with its placeholders filled in; one without a value becomes empty. */
export const fillIn = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(PLACEHOLDER, (_whole, name: string) => (Object.hasOwn(values, name) ? (values[name] ?? '') : ''))

/** The permissions that saving a rule needs: nobody sends by a rule what they may not send themselves. */
export const codesOf = (actions: readonly AutomationAction[]): string[] => [
  ...new Set(
    actions.flatMap(({ type }) => {
      if (type === 'send_webhook') return ['webhooks.manage']
      return type === 'wait' ? [] : ['mails.manage']
    }),
  ),
]

export function conditionsHold(
  { mode, rules }: AutomationDefinition['conditions'],
  values: PathValues,
  { fields, today }: { fields: Fields; today: string },
): boolean {
  const holds = ({ path, op, value }: AutomationCondition) => {
    const kind = kindOf(path, fields)
    if (!kind) return false
    const { test, negated } = testOf({ op, value }, kind, today)
    return passes(test, readAs(kind, values[path])) !== negated
  }
  return mode === 'all' || rules.length === 0 ? rules.every(holds) : rules.some(holds)
}

/** When a step whose attempt failed is tried again: after 1, 2, 4 … minutes; undefined: never. */
export const retryStepAt = (attempts: number, maxRetries: number, now: Date): Date | undefined =>
  attempts > maxRetries ? undefined : new Date(now.getTime() + 60_000 * 2 ** (attempts - 1))
