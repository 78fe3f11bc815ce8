import type { RuleValueKind, SegmentDefinition } from '@tendon/contracts'
import { type Condition, DAY_PATTERN, filterKey, fold, formKey, type Place, type Test } from './rules.ts'

// Evaluates conditions for one patient. For all patients: matching-queries.ts.

/** What the rules of segments look at, of one patient. */
export interface Facts {
  profile: ReadonlyMap<string, unknown>
  /** By template: the values of the newest form that is completed or signed. */
  forms: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** By filterKey. */
  appointments: ReadonlyMap<string, { count: number; last_date: string | null }>
}

const DAY = new RegExp(DAY_PATTERN)

type Value = string | number | unknown[]

/** What a stored value is as this kind; undefined: unset. */
export function readAs(kind: RuleValueKind, value: unknown): Value | undefined {
  if (kind === 'number') return typeof value === 'number' ? value : undefined
  if (kind === 'choices') return Array.isArray(value) && value.length > 0 ? value : undefined
  if (typeof value !== 'string' || value === '') return undefined
  return kind === 'date' && !DAY.test(value) ? undefined : value
}

/** What the value is, its condition's kind says: see readAs. */
export function passes(test: Test, value: Value | undefined): boolean {
  if (value === undefined) return false
  if (test.is === 'one_of') return test.texts.includes(value as string)
  if (test.is === 'like') return isLike(test, fold(value as string))
  if (test.is === 'within') return isWithin(test, value as string | number)
  if (test.is === 'chosen') return isChosen(test, new Set(value as unknown[]))
  return true
}

function isLike({ how, folded }: Extract<Test, { is: 'like' }>, text: string): boolean {
  if (how === 'contains') return text.includes(folded)
  return how === 'starts_with' ? text.startsWith(folded) : text.endsWith(folded)
}

const isChosen = ({ how, options }: Extract<Test, { is: 'chosen' }>, chosen: ReadonlySet<unknown>) =>
  how === 'any' ? options.some((one) => chosen.has(one)) : options.every((one) => chosen.has(one))

const isWithin = ({ from, to }: Extract<Test, { is: 'within' }>, value: string | number) =>
  (from === undefined || (from.open ? value > from.at : value >= from.at)) &&
  (to === undefined || (to.open ? value < to.at : value <= to.at))

/** What the condition finds, and whether it holds. */
export function judge({ place, kind, test, negated }: Condition, facts: Facts) {
  const value = readAs(kind, valueAt(place, facts))
  return { value, holds: passes(test, value) !== negated }
}

function valueAt(place: Place, facts: Facts): unknown {
  if (place.in === 'profile') return facts.profile.get(place.fieldId)
  if (place.in === 'form') return facts.forms.get(place.templateId)?.[formKey(place.fieldId)]
  const found = facts.appointments.get(filterKey(place.statuses))
  return place.metric === 'count' ? (found?.count ?? 0) : found?.last_date
}

export function matches(
  mode: SegmentDefinition['match_mode'],
  conditions: readonly Condition[],
  facts: Facts,
): boolean {
  const holds = (condition: Condition) => judge(condition, facts).holds
  return mode === 'all' ? conditions.every(holds) : conditions.some(holds)
}
