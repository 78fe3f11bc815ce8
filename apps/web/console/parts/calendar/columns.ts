import type { Appointment, AvailableSlot } from '@tendon/sdk'
import { dayIn } from '#ui/format/dates.ts'
import type { DayOff } from './days-off.ts'

export interface GridColumn {
  key: string
  day: string
  title: string
  visits: readonly Appointment[]
  free: readonly AvailableSlot[] | undefined
  /** Who is off in this column. */
  off: readonly DayOff[]
}

interface DayShown {
  day: string
  zone: string
  visits: readonly Appointment[]
  slots: readonly AvailableSlot[] | undefined
  specialists: readonly { id: string; name: string }[]
  off: readonly DayOff[]
  words: { noVisit: string; noSpecialist: string }
}

/** One column for each specialist with a visit, a free time or a day off; at the end those who are not in the list, such as deleted ones. */
export function dayColumns({ day, zone, specialists, words, off, ...shown }: DayShown): GridColumn[] {
  const isOfDay = ({ starts_at }: { starts_at: string | null }) => dayIn(zone, new Date(starts_at ?? 0)) === day
  const visits = shown.visits.filter(isOfDay)
  const slots = shown.slots?.filter(isOfDay)
  const closed = off.filter(({ specialistId }) => specialistId === undefined)
  const busy = new Set([
    ...[...visits, ...(slots ?? [])].map(({ specialist_id }) => specialist_id),
    ...off.flatMap(({ specialistId }) => specialistId ?? []),
  ])
  if (busy.size === 0) return [{ key: day, day, title: words.noVisit, visits, free: slots, off: closed }]
  const listed = specialists.filter(({ id }) => busy.has(id))
  const others = [...busy]
    .filter((id) => listed.every((one) => one.id !== id))
    .map((id) => ({
      id,
      name: visits.find(({ specialist_id }) => specialist_id === id)?.specialist?.name ?? words.noSpecialist,
    }))
  return [...listed, ...others].map(({ id, name }) => ({
    key: id ?? '',
    day,
    title: name,
    visits: visits.filter(({ specialist_id }) => specialist_id === id),
    free: slots?.filter(({ specialist_id }) => specialist_id === id),
    off: off.filter(({ specialistId }) => specialistId === undefined || specialistId === id),
  }))
}
