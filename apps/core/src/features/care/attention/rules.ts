import {
  ATTENTION_KINDS,
  type AttentionItem,
  type AttentionKind,
  type AttentionMarkChange,
  MAX_ATTENTION_ITEMS,
  MAX_SNOOZE_DAYS,
} from '@tendon/contracts'

// What needs attention, since when, and in which order it is shown.

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** From this on a report of pain needs attention; with a warning sign every report does. The indexes have it, too. */
const STRONG_PAIN = 4
const PAIN_DAYS = 7
const QUIET_DAYS = 3
const OPEN_AFTER_HOURS = 2
/** An open visit that ended earlier is found in the list of visits: some clinics never close any. */
const OPEN_DAYS = 30
/** Later the contact data of a booking without a record are cleared. */
const UNLINKED_DAYS = 30
const PLAN_ENDS_DAYS = 7
const INCOMPLETE_DAYS = 7
const FAILED_MAIL_DAYS = 7
const WEBHOOK_FAILURES = 3
const REQUEST_AGE_DAYS = 20
/** The law gives a month. */
const REQUEST_DUE_DAYS = 30

/** The bounds of the queries. */
export function boundsAt(now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms).toISOString()
  return {
    now: now.toISOString(),
    strongPain: STRONG_PAIN,
    painSince: before(PAIN_DAYS * DAY_MS),
    quietSince: before(QUIET_DAYS * DAY_MS),
    endedBefore: before(OPEN_AFTER_HOURS * HOUR_MS),
    openSince: before(OPEN_DAYS * DAY_MS),
    unlinkedSince: before(UNLINKED_DAYS * DAY_MS),
    planEndsDays: PLAN_ENDS_DAYS,
    incompleteSince: before(INCOMPLETE_DAYS * DAY_MS),
    mailsSince: before(FAILED_MAIL_DAYS * DAY_MS),
    webhookFailures: WEBHOOK_FAILURES,
    requestedBefore: before(REQUEST_AGE_DAYS * DAY_MS),
    requestDueDays: REQUEST_DUE_DAYS,
  }
}
export type Bounds = ReturnType<typeof boundsAt>

/** What would pile up: here the latest matters most. Of all other kinds the oldest, or the one that is due first. */
const LATEST_FIRST: readonly AttentionKind[] = ['not_exercising', 'not_closed']
export const isLatestFirst = (kind: AttentionKind): boolean => LATEST_FIRST.includes(kind)

export type Fact = Pick<AttentionItem, 'key' | 'kind' | 'at'> & {
  /** A warning sign: before everything else. */
  is_warning: boolean
}

const weightOf = ({ kind, is_warning }: Fact): number => (is_warning ? -1 : ATTENTION_KINDS.indexOf(kind))

const timeOf = ({ kind, at }: Fact): number => {
  if (at === null) return Number.MAX_SAFE_INTEGER
  return isLatestFirst(kind) ? -Date.parse(at) : Date.parse(at)
}

/** By weight, then by time. */
export const compareFacts = (a: Fact, b: Fact): number =>
  weightOf(a) - weightOf(b) || timeOf(a) - timeOf(b) || (a.key < b.key ? -1 : Number(a.key > b.key))

/** So many of each kind are shown however many there are of the kinds before it. */
const PLACES_OF_KIND = 5

/** Open facts, then those done today; in order, at most MAX_ATTENTION_ITEMS. */
export function chooseFacts<Row extends Fact>(open: readonly Row[], done: readonly Row[]): Row[] {
  const sorted = open.toSorted(compareFacts)
  const counts = new Map<AttentionKind, number>()
  const isSure = (row: Row) => {
    const count = (counts.get(row.kind) ?? 0) + 1
    counts.set(row.kind, count)
    return row.is_warning || count <= PLACES_OF_KIND
  }
  const sure = new Set(sorted.filter(isSure))
  const rest = sorted.filter((row) => !sure.has(row))
  const chosen = [...sure, ...rest].slice(0, MAX_ATTENTION_ITEMS)
  return [...chosen.toSorted(compareFacts), ...done.toSorted(compareFacts)].slice(0, MAX_ATTENTION_ITEMS)
}

/** The kind of a key, and the id or name of what the fact is about. */
export function readKey(key: string): { kind: AttentionKind; id: string } | undefined {
  const [named, id] = key.split('.')
  const kind = ATTENTION_KINDS.find((one) => one === named)
  return kind === undefined || id === undefined ? undefined : { kind, id }
}

/** Why a mark cannot be set like this, about `until`. */
export function problemOfUntil({ state, until }: AttentionMarkChange, now: Date): string | undefined {
  if (state !== 'snoozed') return until === undefined ? undefined : 'is only for the state snoozed'
  if (until === undefined) return 'is required to snooze'
  const inMs = Date.parse(until) - now.getTime()
  if (inMs <= 0) return 'must be in the future'
  return inMs > MAX_SNOOZE_DAYS * DAY_MS ? `must be within ${MAX_SNOOZE_DAYS} days` : undefined
}
