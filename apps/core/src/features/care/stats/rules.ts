import { MAX_STATS_DAYS, type StatsPeriod } from '@tendon/contracts'

const DAY_MS = 24 * 60 * 60 * 1000

/** What is wrong with a period, by field. */
export function problemsOfPeriod({ from, to }: Pick<StatsPeriod, 'from' | 'to'>): Record<string, string> {
  if (from > to) return { from: `must not be after ${to}` }
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
  return days > MAX_STATS_DAYS ? { from: `must be at most ${MAX_STATS_DAYS} days before ${to}` } : {}
}

/** 0 to 1, or null: of nothing there is no share. */
export const rateOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : Math.round((part / whole) * 10_000) / 10_000

/** Each of the names, with its count or zero. */
export function countsBy<const Name extends string>(
  names: readonly Name[],
  rows: readonly { name: string; count: number }[],
): Record<Name, number> {
  const found = new Map(rows.map(({ name, count }) => [name, count]))
  return Object.fromEntries(names.map((name) => [name, found.get(name) ?? 0])) as Record<Name, number>
}
