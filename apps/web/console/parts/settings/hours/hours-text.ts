import type { Calendar } from '@tendon/sdk'

type Hours = Calendar['weekly_hours']

/** Whether hours end on the day after their start. 24:00 is midnight, which a time input shows as 00:00. */
export const endsNextDay = ({ start, end }: { start: string; end: string }): boolean =>
  start !== '' && end !== '' && (end === '24:00' || end <= start)

/** The hours of one weekday such as "09:00–12:00, 14:00–18:00"; empty on a closed day. */
export const hoursOfDay = (hours: Readonly<Hours>, weekday: number): string =>
  hours
    .filter((one) => one.weekday === weekday)
    .toSorted((a, b) => (a.start < b.start ? -1 : 1))
    .map(({ start, end }) => `${start}–${end}`)
    .join(', ')
