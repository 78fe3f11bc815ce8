import type { DocumentLanguage } from '@tendon/contracts'
import { WORDS } from './texts.ts'

/** A formatter takes about as long to create as the rest of a document's content. */
const MAX_FORMATTERS = 500
const formatters = new Map<string, Intl.DateTimeFormat>()

const STYLES = {
  date: { dateStyle: 'long' },
  weekday: { dateStyle: 'full' },
  time: { timeStyle: 'short', hour12: false },
} as const

function formatterOf(style: keyof typeof STYLES, language: DocumentLanguage, timeZone: string): Intl.DateTimeFormat {
  const key = `${style} ${language} ${timeZone}`
  const known = formatters.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(WORDS[language].locale, { ...STYLES[style], timeZone })
  if (formatters.size >= MAX_FORMATTERS) formatters.clear()
  formatters.set(key, made)
  return made
}

/** "16 November 2026" in the zone. */
export const dateIn = (language: DocumentLanguage, timeZone: string, instant: string | Date): string =>
  formatterOf('date', language, timeZone).format(new Date(instant))

/** "Monday 16 November 2026" in the zone. */
export const weekdayIn = (language: DocumentLanguage, timeZone: string, instant: string | Date): string =>
  formatterOf('weekday', language, timeZone).format(new Date(instant))

/** "09:30" in the zone. */
export const timeIn = (language: DocumentLanguage, timeZone: string, instant: string | Date): string =>
  formatterOf('time', language, timeZone).format(new Date(instant))

/** A date without a time: YYYY-MM-DD. */
export const dayIn = (language: DocumentLanguage, day: string): string => dateIn(language, 'UTC', `${day}T00:00:00Z`)
