const DAY_MS = 24 * 60 * 60 * 1000

/** The start of a day, so that repeated requests have the same URL. */
export const daysAgo = (days: number): string =>
  new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS - days * DAY_MS).toISOString()

const MINUTES_MS = 5 * 60 * 1000

/** The current time, rounded to five minutes. */
export const thisMoment = (): string => new Date(Math.floor(Date.now() / MINUTES_MS) * MINUTES_MS).toISOString()
