import { addDays, dayIn, startOfDay } from '#ui/format/dates.ts'

/** The start of a day at the clinic, so that repeated requests have the same URL. */
export const daysAgo = (timeZone: string, days: number, now = new Date()): string =>
  startOfDay(timeZone, addDays(dayIn(timeZone, now), -days))

const MINUTES_MS = 5 * 60 * 1000

/** The current time, rounded to five minutes. */
export const thisMoment = (): string => new Date(Math.floor(Date.now() / MINUTES_MS) * MINUTES_MS).toISOString()
