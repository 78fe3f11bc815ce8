import { passes, readAs, type SegmentDefinition } from '@tendon/contracts'
import { type Condition, filterKey, formKey, type Place } from './rules.ts'

// Evaluates conditions for one patient. For all patients: matching-queries.ts.

/** What the rules of segments look at, of one patient. */
export interface Facts {
  profile: ReadonlyMap<string, unknown>
  /** By template: the values of the newest form that is completed or signed. */
  forms: ReadonlyMap<string, Readonly<Record<string, unknown>>>
  /** By filterKey. */
  appointments: ReadonlyMap<string, { count: number; last_date: string | null }>
}

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
