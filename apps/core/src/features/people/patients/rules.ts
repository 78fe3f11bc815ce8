import { isCnp, MIN_NATIONAL_ID_LENGTH, type NewPatient } from '@tendon/contracts'

/** One spelling of an identification number: letters and digits alone, in capitals. */
export const normaliseNationalId = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

/** What is wrong with an identification number, or undefined. The answer never repeats it. */
export function problemOfNationalId(text: string): string | undefined {
  const number = normaliseNationalId(text)
  if (number.length < MIN_NATIONAL_ID_LENGTH) return `must have at least ${MIN_NATIONAL_ID_LENGTH} letters or digits`
  if (/^[0-9]{13}$/.test(number) && !isCnp(number)) return 'is not a valid CNP: check its 13 digits'
  return undefined
}

/** What is wrong with a person beyond the shape of each field, by field; empty: nothing. */
export function problemsOfPatient(
  { birth_date, national_id, invite, email }: Partial<NewPatient>,
  now: Date,
): Record<string, string> {
  const fields: Record<string, string> = {}
  const number = national_id ? problemOfNationalId(national_id) : undefined
  if (number) fields.national_id = number
  if (birth_date && birth_date > lastDayAnywhere(now)) fields.birth_date = 'must be a date from 1900-01-01 to today'
  if (invite && !email) fields.email = 'is required to invite the person'
  return fields
}

const MAX_HOURS_AHEAD_OF_UTC = 14

/** The latest date that is today somewhere. */
const lastDayAnywhere = (now: Date): string =>
  new Date(now.getTime() + MAX_HOURS_AHEAD_OF_UTC * 3_600_000).toISOString().slice(0, 10)

/** Whether an open invitation still goes to the right address. */
export const isSameAddress = (one: string | null, other: string | null): boolean =>
  one?.toLowerCase() === other?.toLowerCase()
