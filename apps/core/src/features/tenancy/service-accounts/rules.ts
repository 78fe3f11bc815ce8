/** In use: neither revoked nor expired. */
export const API_KEYS_IN_USE_MAX = 20

const LAST_MOMENT = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment as the database takes it; undefined when it is past, beyond year 9999, or does not exist (23:59:60). */
export function futureMoment(text: string, now: Date): string | undefined {
  const moment = Date.parse(text)
  return moment > now.getTime() && moment <= LAST_MOMENT ? new Date(moment).toISOString() : undefined
}
