import type { Appointment, AvailableSlot } from '@tendon/sdk'
import { useFormatter, useTranslations } from 'use-intl'
import { dayIn } from '#ui/format/dates.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { dayColumns, type GridColumn } from './columns.ts'
import type { DayOff } from './days-off.ts'

interface Shown {
  days: readonly string[]
  visits: readonly Appointment[]
  slots: readonly AvailableSlot[] | undefined
  specialists: readonly { id: string; name: string }[]
  daysOff: ReadonlyMap<string, readonly DayOff[]>
}

/** The columns of the grid: the days of a week, or the specialists who work on one day. */
export function useColumns({ days, visits, slots, specialists, daysOff }: Shown): GridColumn[] {
  const t = useTranslations('console.calendar')
  const format = useFormatter()
  const { time_zone } = useClinic()
  const [first = ''] = days
  const dayOf = (at: string | null) => dayIn(time_zone, new Date(at ?? 0))
  if (days.length > 1)
    return days.map((day) => ({
      key: day,
      day,
      title: format.dateTime(new Date(`${day}T00:00:00Z`), {
        weekday: 'short',
        day: 'numeric',
        month: 'short',
        timeZone: 'UTC',
      }),
      visits: visits.filter(({ starts_at }) => dayOf(starts_at) === day),
      free: slots?.filter(({ starts_at }) => dayOf(starts_at) === day),
      off: daysOff.get(day) ?? [],
    }))
  const words = { noVisit: t('noVisit'), noSpecialist: t('noSpecialist') }
  return dayColumns({ day: first, zone: time_zone, visits, slots, specialists, words, off: daysOff.get(first) ?? [] })
}
