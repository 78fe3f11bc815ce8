import type { HoursWindow, WeeklyWindow } from '@tendon/contracts'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES

/** Minutes of the week; a window that ends at or before its start ends on the next day. */
function spanOf({ weekday, start, end }: WeeklyWindow): [number, number] {
  const from = (weekday - 1) * DAY_MINUTES + minutesOf(start)
  return [from, from + lengthOf({ start, end })]
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function lengthOf({ start, end }: HoursWindow): number {
  const length = minutesOf(end) - minutesOf(start)
  return length > 0 ? length : length + DAY_MINUTES
}

/** Whether two windows share a minute, also across the end of the week. */
export function hoursOverlap(windows: readonly WeeklyWindow[]): boolean {
  const spans = windows.map(spanOf).sort((a, b) => a[0] - b[0])
  const wrapped = spans.map(([from, to]): [number, number] => [from + WEEK_MINUTES, to + WEEK_MINUTES])
  return [...spans, ...wrapped].some(([from], index, all) => index > 0 && from < (all[index - 1]?.[1] ?? 0))
}

/** The same for the windows of one day. */
export const windowsOverlap = (windows: readonly HoursWindow[]) =>
  hoursOverlap(windows.map((window) => ({ weekday: 1, ...window })))
