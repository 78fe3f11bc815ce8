// Days as `YYYY-MM-DD`, in any time zone. Arithmetic is in UTC, where every day has 24 hours.

const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()

/** The day of an instant in a time zone. */
export function dayIn(zone: string, at: Date): string {
  let format = formats.get(zone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-CA', { timeZone: zone, year: 'numeric', month: '2-digit', day: '2-digit' })
    formats.set(zone, format)
  }
  return format.format(at)
}

export const addDays = (day: string, count: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10)

/** A range of instants that contains these days in every time zone. */
export const windowOfDays = (first: string, count: number): { from: string; to: string } => ({
  from: `${addDays(first, -1)}T10:00:00.000Z`,
  to: `${addDays(first, count)}T14:00:00.000Z`,
})

/** The hour of an instant in a time zone, 0 to 23. */
export const hourIn = (zone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at))
