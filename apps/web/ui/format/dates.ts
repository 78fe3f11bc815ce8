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

/** The Monday of the day's week. */
export const mondayOf = (day: string): string => addDays(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7))

/** The instant at which a day starts in a time zone. */
export function startOfDay(zone: string, day: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // Computed twice, because a clock change may be between the first guess and the result.
  const first = utc - offsetAt(zone, utc)
  return new Date(utc - offsetAt(zone, first)).toISOString()
}

function offsetAt(zone: string, at: number): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at))
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const local = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return local - Math.floor(at / 1000) * 1000
}

/** A range of instants that contains these days in every time zone. */
export const windowOfDays = (first: string, count: number): { from: string; to: string } => ({
  from: `${addDays(first, -1)}T10:00:00.000Z`,
  to: `${addDays(first, count)}T14:00:00.000Z`,
})

/** The minutes of an instant after midnight in a time zone. */
export function minutesIn(zone: string, at: Date): number {
  const time = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  return hours * 60 + minutes
}

/** The hour of an instant in a time zone, 0 to 23. */
export const hourIn = (zone: string, at: Date): number =>
  Number(new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', hourCycle: 'h23' }).format(at))
