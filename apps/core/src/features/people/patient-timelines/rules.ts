import { TIMELINE_KINDS, type TimelineKind } from '@tendon/contracts'

/** The right to the list of each kind. */
const PERMISSION = {
  visit: 'appointments.view_org',
  run: 'session_runs.view_org',
  plan: 'treatment_plans.view_org',
  form: 'forms.view_org',
  document: 'documents.view_org',
  pain: 'session_runs.view_org',
  consent: 'consents.view_org',
  condition: 'patients.view_org',
} as const satisfies Record<TimelineKind, string>

/** The kinds to read: those asked for, without those that the caller may not list. */
export const kindsSeen = (asked: readonly TimelineKind[], holds: (code: string) => boolean): TimelineKind[] =>
  asked.filter((kind) => holds(PERMISSION[kind]))

/** Undefined when one of them is unknown. */
export function parseKinds(text: string | undefined): TimelineKind[] | undefined {
  if (text === undefined) return [...TIMELINE_KINDS]
  const asked = text.split(',').map((part) => part.trim())
  const known = TIMELINE_KINDS.filter((kind) => asked.includes(kind))
  return asked.every((part) => TIMELINE_KINDS.some((kind) => kind === part)) ? known : undefined
}

/** Where a page ends. Newest first; entries of one time by kind, then by id, both descending. */
export interface Position {
  at: string
  kind: string
  id: string
}

const DAY = String.raw`(?:19|20)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d`
const POSITION = new RegExp(
  String.raw`^(${DAY}\.\d{6}Z)~(${TIMELINE_KINDS.join('|')})~([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`,
)
const TIME = new RegExp(String.raw`^${DAY}(?:\.\d{1,6})?(?:Z|[+-]\d\d:\d\d)$`)

export const positionText = ({ at, kind, id }: Position): string => `${at}~${kind}~${id}`

/** Of a time alone: before everything at that time. Undefined when the text is neither. */
export function parseBefore(text: string): Position | undefined {
  const [, at = '', kind = '', id = ''] = POSITION.exec(text) ?? []
  if (at !== '') return isDate(at) ? { at, kind, id } : undefined
  if (!TIME.test(text) || !isDate(`${text.slice(0, 19)}Z`)) return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : { at: new Date(time).toISOString(), kind: '', id: '' }
}

/** 30 February is not a date. */
function isDate(text: string): boolean {
  const time = Date.parse(text)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 19) === text.slice(0, 19)
}

/** How the entries of one kind compare with a position: those at its time come after it, before it, or by their id. */
export function atTimeOf(kind: TimelineKind, before: Position): 'after' | 'before' | 'by id' {
  if (kind === before.kind) return 'by id'
  return kind < before.kind ? 'after' : 'before'
}
