import type { Rules } from './rules.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * The values of controls as the API takes them: text without spaces around it, null for what is not given where the contract
 * has null, and nothing where it has not. Text that somebody has emptied is sent, so that the API can refuse or remove it.
 */
export function bodyOf(
  values: Fields,
  stored: Fields,
  rules: Readonly<Record<string, Rules>> = {},
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, sentValue(value, stored[name], rules[name] ?? {})] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function sentValue(value: unknown, stored: unknown, rules: Rules): unknown {
  if (typeof value === 'string') {
    const text = value.trim()
    if (text !== '') return text
    if (rules.nullable) return null
    // Spaces only: the check says so at the field.
    if (value !== '') return ''
    return rules.required || (stored !== '' && stored !== undefined) ? '' : undefined
  }
  if (isRecord(value)) return bodyOf(value, isRecord(stored) ? stored : {}, rules.fields)
  return value
}

/** What is typed so far stays as text until it is a number: "1." must not become "1". */
export function numberOf(typed: string): number | string {
  const plain = typed.trim().replace(',', '.')
  return /^-?\d+(\.\d+)?$/.test(plain) ? Number(plain) : typed
}

/** What a field for a number shows: the typed text while it means the value. "10.0" must not become "10" before its next digit. */
export const shownNumber = (typed: string | undefined, value: unknown): string =>
  typed !== undefined && numberOf(typed) === value ? typed : textOf(value)

const steps = (path: string) => path.split('.')

/** The value at a path such as `booker.name` or `hours.0.start`. */
export const valueAt = (values: unknown, path: string): unknown =>
  steps(path).reduce(
    (at: unknown, step) => (isRecord(at) || Array.isArray(at) ? Reflect.get(at, step) : undefined),
    values,
  )

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** The row in an answer, which may be the answer itself. */
export const rowOf = (answer: unknown): Record<string, unknown> | undefined => {
  if (!isRecord(answer)) return undefined
  return isRecord(answer.data) ? answer.data : answer
}

/** Empty text means "not given". */
export const orNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())
