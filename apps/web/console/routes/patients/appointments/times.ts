/** The calendar day of an instant in a time zone: 2026-11-16. */
export const dayIn = (at: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(at)

const DAY_MS = 24 * 60 * 60 * 1000

/** Adds days to a calendar day. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The instant at which a day begins in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  const utc = Date.parse(`${day}T00:00:00Z`)
  // Computed twice, because a clock change may be between the first guess and the result.
  const first = utc - offsetAt(utc, timeZone)
  return new Date(utc - offsetAt(first, timeZone)).toISOString()
}

function offsetAt(at: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(new Date(at))
  const part = (type: string) => Number(parts.find((one) => one.type === type)?.value)
  const wall = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  return wall - Math.floor(at / 1000) * 1000
}
