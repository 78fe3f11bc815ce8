import type { Reason } from '@tendon/sdk'

/** What of a contract is checked before a form is sent. The server checks all of it. */
export interface Rules {
  required?: boolean
  nullable?: boolean
  type?: 'integer' | 'number'
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  enum?: readonly string[]
  minItems?: number
  maxItems?: number
  items?: Rules
  fields?: Readonly<Record<string, Rules>>
}

/** Field, such as `booker.name` → why the server would refuse it, with the server's own codes. */
export type Reasons = Record<string, Reason>

/** Checks the given fields of a body. A field that is not given is not missed: the page may add it. */
export function checkBody(
  body: Readonly<Record<string, unknown>>,
  rules: Readonly<Record<string, Rules>>,
  names: readonly string[] = Object.keys(rules),
  path = '',
): Reasons {
  const reasons: Reasons = {}
  for (const name of names) {
    const field = rules[name]
    if (field) Object.assign(reasons, checkField(body[name], field, `${path}${name}`))
  }
  return reasons
}

function checkField(value: unknown, rules: Rules, path: string): Reasons {
  if (value === undefined) return rules.required ? { [path]: { code: 'required' } } : {}
  if (value === null) return rules.nullable || !(rules.required || rules.enum) ? {} : { [path]: { code: 'required' } }
  if (Array.isArray(value)) return checkList(value, rules, path)
  if (isRecord(value)) return rules.fields ? checkBody(value, rules.fields, Object.keys(rules.fields), `${path}.`) : {}
  const reason = typeof value === 'string' ? textReason(value, rules) : numberReason(value, rules)
  return reason ? { [path]: reason } : {}
}

function checkList(
  values: readonly unknown[],
  { minItems = 0, maxItems = Infinity, items }: Rules,
  path: string,
): Reasons {
  if (values.length < minItems) return { [path]: { code: 'too_few', params: { min: minItems } } }
  if (values.length > maxItems) return { [path]: { code: 'too_many', params: { max: maxItems } } }
  if (!items) return {}
  return Object.assign({}, ...values.map((value, place) => checkField(value, items, `${path}.${place}`)))
}

function textReason(
  text: string,
  { type, minLength = 0, maxLength = Infinity, pattern, enum: values }: Rules,
): Reason | undefined {
  if (type) return { code: text === '' ? 'required' : 'number' }
  if (values && !values.includes(text))
    return text === '' ? { code: 'required' } : { code: 'one_of', params: { values } }
  const length = text.match(/[^]/gu)?.length ?? 0
  if (length < minLength)
    return minLength === 1 || length === 0 ? { code: 'blank' } : { code: 'too_short', params: { min: minLength } }
  if (length > maxLength) return { code: 'too_long', params: { max: maxLength } }
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return undefined
  return pattern === '\\S' ? { code: 'blank' } : { code: 'pattern' }
}

function numberReason(value: unknown, { type, minimum = -Infinity, maximum = Infinity }: Rules): Reason | undefined {
  if (!type || typeof value !== 'number') return undefined
  if (type === 'integer' && !Number.isInteger(value)) return { code: 'whole_number' }
  if (value < minimum) return { code: 'minimum', params: { min: minimum } }
  return value > maximum ? { code: 'maximum', params: { max: maximum } } : undefined
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
