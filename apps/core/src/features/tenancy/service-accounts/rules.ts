/** In use: neither revoked nor expired. */
export const MAX_ACTIVE_API_KEYS = 20

const MAX_TIME_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** The moment as the database takes it; undefined when it is past, beyond year 9999, or does not exist (23:59:60). */
export function futureMoment(text: string, now: Date): string | undefined {
  const moment = Date.parse(text)
  return moment > now.getTime() && moment <= MAX_TIME_MS ? new Date(moment).toISOString() : undefined
}
