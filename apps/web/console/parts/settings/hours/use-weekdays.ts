import { useFormatter } from 'use-intl'

/** Names of the days of the week; the first is Monday. */
export function useWeekdays(): string[] {
  const format = useFormatter()
  // 1 January 2024 was a Monday.
  return Array.from({ length: 7 }, (_, day) =>
    format.dateTime(new Date(Date.UTC(2024, 0, day + 1)), { weekday: 'long', timeZone: 'UTC' }),
  )
}
