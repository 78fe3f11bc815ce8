import { isUuid, type ListContract, type SavedView, type SavedViewList, savedViewLists } from '@tendon/contracts'

/** What can name a patient. A saved view outlives the patient, and no erasure looks into it. */
const NEVER_SAVED = new Set([
  'q',
  'patient_id',
  'patient_profile_id',
  'target_id',
  'actor_principal_id',
  'appointment_id',
  'series_id',
])
/** It selects what a row contains, not which rows there are. */
const NOT_A_FILTER = new Set(['include'])

type Kind = NonNullable<ListContract['filters']>[string] | 'date' | 'view'

// The console's own filter of patients: one of its filters by name, or a segment by its id.
const VIEW = /^([a-z_]{1,40}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/
const CODE = /^[\w.:-]{1,100}$/

/** Each filter that a view of the list may have, with the kind of its values. */
export function filtersOf(list: SavedViewList): Map<string, Kind> {
  const { ranges = [], filters = {} }: ListContract = savedViewLists[list]
  const kinds = new Map<string, Kind>([
    ...Object.entries(filters),
    ...ranges.flatMap((column): [string, Kind][] => [
      [`${column}_after`, 'date'],
      [`${column}_before`, 'date'],
    ]),
  ])
  if (list === 'patients') kinds.set('view', 'view')
  for (const name of [...NEVER_SAVED, ...NOT_A_FILTER]) kinds.delete(name)
  return kinds
}

/** What is wrong with views, by field. Views that are stored already stay valid when a list changes. */
export function problemsOf(
  list: SavedViewList,
  views: readonly SavedView[],
  stored: readonly SavedView[] = [],
): Record<string, string> {
  const known = new Set(stored.map(keyOf))
  const problems = views.flatMap((view, index) =>
    known.has(keyOf(view)) ? [] : problemsOfView(list, view).map(([field, why]) => [`views.${index}.${field}`, why]),
  )
  return Object.fromEntries(problems)
}

const keyOf = ({ name: _name, filters, ...rest }: SavedView) =>
  JSON.stringify([Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)), rest.sort, rest.columns])

function problemsOfView(list: SavedViewList, { filters, sort }: SavedView): [string, string][] {
  const kinds = filtersOf(list)
  const problems = Object.entries(filters).flatMap(([name, value]): [string, string][] => {
    const kind = kinds.get(name)
    const why = kind === undefined ? whyNot(name, kinds) : problemOfValue(kind, value)
    return why === undefined ? [] : [[`filters.${name}`, why]]
  })
  const fields: readonly string[] = savedViewLists[list].sort
  const isSortable = sort === undefined || sort.split(',').every((one) => fields.includes(one.replace(/^-/, '')))
  return isSortable ? problems : [...problems, ['sort', `can only contain ${fields.join(', ')}`]]
}

const whyNot = (name: string, kinds: ReadonlyMap<string, Kind>) =>
  NEVER_SAVED.has(name)
    ? 'cannot be saved, because it can name a patient: leave it out'
    : `is not a filter of this list. Its filters: ${[...kinds.keys()].join(', ')}`

function problemOfValue(kind: Kind, value: string): string | undefined {
  if (kind === 'date') return isDate(value) ? undefined : 'must be a date (YYYY-MM-DD) or a time (RFC 3339)'
  if (kind === 'view') return VIEW.test(value) ? undefined : 'must be the name of a filter, or the id of a segment'
  const parts = value.split(',')
  if (kind === 'uuid') return parts.every(isUuid) ? undefined : 'must be ids (UUIDs), separated by commas'
  if (kind === 'text') return parts.every((one) => CODE.test(one)) ? undefined : 'must be codes, separated by commas'
  const choices: readonly string[] = kind === 'boolean' ? ['true', 'false'] : kind
  return parts.every((one) => choices.includes(one)) ? undefined : `can only contain ${choices.join(', ')}`
}

function isDate(value: string): boolean {
  const [, day = '', rest = ''] =
    /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2}))?$/.exec(value) ?? []
  const start = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(start.getTime()) || !start.toISOString().startsWith(day)) return false
  return rest === '' || !Number.isNaN(new Date(value).getTime())
}
