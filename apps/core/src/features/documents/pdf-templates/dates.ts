import type { DocumentLanguage } from '@tendon/contracts'
import { WORDS } from './texts.ts'

/** "16 November 2026" in the zone. */
export const dateIn = (language: DocumentLanguage, timeZone: string, instant: string | Date): string =>
  new Intl.DateTimeFormat(WORDS[language].locale, { dateStyle: 'long', timeZone }).format(new Date(instant))

/** "09:30" in the zone. */
export const timeIn = (language: DocumentLanguage, timeZone: string, instant: string | Date): string =>
  new Intl.DateTimeFormat(WORDS[language].locale, { timeStyle: 'short', hour12: false, timeZone }).format(
    new Date(instant),
  )

/** A date without a time: YYYY-MM-DD. */
export const dayIn = (language: DocumentLanguage, day: string): string => dateIn(language, 'UTC', `${day}T00:00:00Z`)
