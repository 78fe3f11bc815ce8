// Days as people type them, in the order of day, month and year of their clinic. The API's form is `YYYY-MM-DD`.

export type DateOrder = 'dmy' | 'mdy' | 'ymd'

const PARTS = { dmy: ['d', 'm', 'y'], mdy: ['m', 'd', 'y'], ymd: ['y', 'm', 'd'] } as const
const SEPARATORS: Record<DateOrder, string> = { dmy: '.', mdy: '/', ymd: '-' }
/** A year of two digits is at most this far ahead; otherwise it is of the last century. */
const YEARS_AHEAD = 20

/** `17.11.2026`; any other text as it is. */
export function writtenDay(day: string, order: DateOrder): string {
  const [, year = '', month = '', date = ''] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? []
  if (year === '') return day
  const parts = { d: date, m: month, y: year }
  return PARTS[order].map((part) => parts[part]).join(SEPARATORS[order])
}

/**
 * The day that a text means: `17.11.2026`, `17/11/26`, `17 11`, `1711`, `17112026`, `2026-11-17`; undefined when it is none.
 * Without a year it is the one of `today`.
 */
export function typedDay(text: string, order: DateOrder, today: string): string | undefined {
  const groups = groupsIn(text.trim(), order)
  if (!groups) return undefined
  const isYearFirst = groups[0]?.length === 4
  const places = isYearFirst ? PARTS.ymd : PARTS[order].filter((part) => groups.length === 3 || part !== 'y')
  const of = (part: 'd' | 'm' | 'y') => groups[places.indexOf(part)]
  const [year, month, date] = [yearOf(of('y'), today), Number(of('m')), Number(of('d'))]
  const at = new Date(Date.UTC(year, month - 1, date))
  if (at.getUTCFullYear() !== year || at.getUTCMonth() !== month - 1 || at.getUTCDate() !== date) return undefined
  return at.toISOString().slice(0, 10)
}

/** Two or three groups of digits; digits alone are cut into groups. */
function groupsIn(text: string, order: DateOrder): string[] | undefined {
  if (!/^\d+([./\-\s]+\d+)*\.?$/.test(text)) return undefined
  const groups = text.match(/\d+/g) ?? []
  const [only = ''] = groups
  if (groups.length === 1) {
    if (only.length === 4) return [only.slice(0, 2), only.slice(2)]
    const year = only.length - 4
    if (year !== 2 && year !== 4) return undefined
    if (order === 'ymd') return [only.slice(0, year), only.slice(year, year + 2), only.slice(year + 2)]
    return [only.slice(0, 2), only.slice(2, 4), only.slice(4)]
  }
  const isOdd = groups.length > 3 || groups.some(({ length }) => length === 3 || length > 4)
  return isOdd ? undefined : groups
}

function yearOf(group: string | undefined, today: string): number {
  const current = Number(today.slice(0, 4))
  if (group === undefined) return current
  if (group.length > 2) return Number(group)
  const century = current - (current % 100)
  const year = century + Number(group)
  return year > current + YEARS_AHEAD ? year - 100 : year
}
