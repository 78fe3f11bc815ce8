import { useWholeList } from '#ui/api/hooks.ts'
import { useMay } from '#ui/session/me.ts'
import { useClosures } from '../settings/hours/use-closures.ts'
import { type DayOff, daysOffOn } from './days-off.ts'

/** Who is off on each of these days. Nothing is said while calendars and closures are not read. */
export function useDaysOff(days: readonly string[], specialists: readonly { id: string; name: string }[]) {
  const may = useMay()
  const calendars = useWholeList('GET /v1/calendars', {}, { enabled: may('calendars.view_org') })
  const closures = useClosures()
  const problem = {
    error: calendars.error ?? closures.error,
    onRetry: () => {
      void calendars.refetch()
      void closures.refetch()
    },
  }
  const daysOff = new Map<string, readonly DayOff[]>()
  if (!calendars.data || !closures.data) return { daysOff, problem }
  const shown = { calendars: calendars.data.items, closures: closures.data.items, specialists }
  for (const day of days) daysOff.set(day, daysOffOn(day, shown))
  return { daysOff, problem }
}
