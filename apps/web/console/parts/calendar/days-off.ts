import type { Calendar, Closure } from '@tendon/sdk'

export interface DayOff {
  /** Undefined: the whole clinic is closed. */
  specialistId: string | undefined
  /** The specialist, or the occasion of the closure. */
  name: string
  reason: string | null
}

interface Shown {
  calendars: readonly Pick<Calendar, 'specialist_id' | 'is_active' | 'weekly_hours' | 'overrides'>[]
  closures: readonly Pick<Closure, 'date' | 'date_to' | 'location_id' | 'name'>[]
  specialists: readonly { id: string; name: string }[]
}

const includes = ({ date, date_to }: { date: string; date_to: string | null }, day: string) =>
  date <= day && day <= (date_to ?? date)

/** Who is off on a day: the whole clinic, else each specialist whose hours of that day were taken away. */
export function daysOffOn(day: string, { calendars, closures, specialists }: Shown): DayOff[] {
  const closed = closures.filter((one) => one.location_id === null && includes(one, day))
  if (closed.length > 0) return closed.map(({ name }) => ({ specialistId: undefined, name, reason: null }))
  return specialists.flatMap(({ id, name }) => {
    const hours = calendars
      .filter(({ specialist_id, is_active }) => specialist_id === id && is_active)
      .map((calendar) => hoursOn(day, calendar))
    const off = hours.find((one) => one.off !== undefined)?.off
    return off && hours.every(({ count }) => count === 0) ? [{ specialistId: id, name, reason: off.reason }] : []
  })
}

function hoursOn(day: string, { weekly_hours, overrides }: Shown['calendars'][number]) {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay() || 7
  const override = overrides.findLast((one) => one.service_id === null && includes(one, day))
  if (override) return { count: override.windows.length, off: override.windows.length === 0 ? override : undefined }
  return { count: weekly_hours.filter((one) => one.weekday === weekday).length, off: undefined }
}
