import { useWholeList } from '../../../ui/api/hooks.ts'
import { useMay } from '../../../ui/session/me.ts'
import { useClosures } from '../settings/hours/use-closures.ts'
import { type DayOff, daysOffOn } from './days-off.ts'

/** Who is off on each of these days. Nothing is said while calendars and closures are not read. */
export function useDaysOff(
  days: readonly string[],
  specialists: readonly { id: string; name: string }[],
): ReadonlyMap<string, readonly DayOff[]> {
  const may = useMay()
  const calendars = useWholeList('GET /v1/calendars', {}, { enabled: may('calendars.view_org') })
  const closures = useClosures()
  if (!calendars.data || !closures.data) return new Map()
  const shown = { calendars: calendars.data.items, closures: closures.data.items, specialists }
  return new Map(days.map((day) => [day, daysOffOn(day, shown)]))
}
