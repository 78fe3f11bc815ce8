/** In use: neither revoked nor expired. */
export const API_KEYS_IN_USE_MAX = 20

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment as the database takes it, or undefined when it is not a time in the future (24:00:60 is none). */
export function futureMoment(text: string, now: Date): string | undefined {
  const moment = Date.parse(text)
  return moment > now.getTime() && moment <= LAST_MOMENT ? new Date(moment).toISOString() : undefined
}
