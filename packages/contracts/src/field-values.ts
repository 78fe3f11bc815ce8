import { isCnp } from './cnp.ts'

// What a field may hold, by its type. Pure: profiles, forms and the browser ask the same questions.

export const FIELD_TYPES = [
  'text',
  'textarea',
  'select',
  'date',
  'checkbox',
  'radio',
  'number',
  'email',
  'phone',
] as const
export type FieldType = (typeof FIELD_TYPES)[number]

export const MAX_TEXT_LENGTH = 1_000
export const MAX_TEXTAREA_LENGTH = 10_000
export const MAX_EMAIL_LENGTH = 254
export const MAX_PHONE_LENGTH = 40
const MIN_PHONE_DIGITS = 5

/** Text, number, or the list of what was chosen. A date is text: YYYY-MM-DD. */
export type ProfileValue = string | number | string[]

export const isProfileValue = (value: unknown): value is ProfileValue =>
  typeof value === 'string' ||
  typeof value === 'number' ||
  (Array.isArray(value) && value.every((one) => typeof one === 'string'))

export interface FieldRule {
  field_type: FieldType
  options: readonly string[] | null
}

export const takesOptions = (type: FieldType): boolean => type === 'select' || type === 'radio' || type === 'checkbox'

/** Nothing was given: null, blank text, or an empty choice. Saving it clears the value. */
export const isUnset = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  (typeof value === 'string' && value.trim() === '') ||
  (Array.isArray(value) && value.length === 0)

/** What is wrong with a value for the field, or undefined. To clear a value is always right. */
export function valueProblem(field: FieldRule, value: unknown): string | undefined {
  if (isUnset(value)) return undefined
  return PROBLEMS[field.field_type](value, field.options ?? []) ?? (isNationalId(value) ? NO_NATIONAL_ID : undefined)
}

const NO_NATIONAL_ID =
  'must not be an identification number (CNP): it is stored encrypted in the field "national_id" of the patient’s profile'

/** The whole value is one, whatever the field asks for; words around it are not looked into. */
const isNationalId = (value: unknown): boolean =>
  (typeof value === 'string' || typeof value === 'number') && isCnp(String(value).replace(/\s/g, ''))

type Problem = (value: unknown, options: readonly string[]) => string | undefined

const textOf =
  (maxLength: number, isRight: (text: string) => boolean, words: string): Problem =>
  (value) => {
    if (typeof value !== 'string') return words
    if (value.length > maxLength) return `must have at most ${maxLength} characters`
    return isRight(value) ? undefined : words
  }

const MAX_LISTED_OPTIONS = 20
const inWords = (options: readonly string[]) =>
  options.length > MAX_LISTED_OPTIONS ? `${options.slice(0, MAX_LISTED_OPTIONS).join(', ')} …` : options.join(', ')

const oneOf: Problem = (value, options) =>
  typeof value === 'string' && options.includes(value) ? undefined : `must be one of ${inWords(options)}`

const someOf: Problem = (value, options) => {
  if (!Array.isArray(value) || value.some((one) => !options.includes(one)))
    return `must be a list of some of ${inWords(options)}`
  return new Set(value).size === value.length ? undefined : 'must not contain duplicates'
}

const PROBLEMS: Readonly<Record<FieldType, Problem>> = {
  text: textOf(MAX_TEXT_LENGTH, (text) => !/[\r\n]/.test(text), 'must be text on one line'),
  textarea: textOf(MAX_TEXTAREA_LENGTH, () => true, 'must be text'),
  select: oneOf,
  radio: oneOf,
  checkbox: someOf,
  date: textOf(MAX_TEXT_LENGTH, isDate, 'must be a date such as 2026-01-31'),
  number: (value) => (typeof value === 'number' && Number.isFinite(value) ? undefined : 'must be a number'),
  email: textOf(MAX_EMAIL_LENGTH, isEmail, 'must be an e-mail address'),
  phone: textOf(MAX_PHONE_LENGTH, isPhone, 'must be a phone number such as +40 722 555 010'),
}

/** A day of the calendar, from the year 1 on. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text.startsWith('0000')) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}

function isEmail(text: string): boolean {
  const [name = '', domain = '', ...more] = text.split('@')
  return (
    more.length === 0 &&
    /^[^\s"(),:;<>[\]\\]{1,64}$/u.test(name) &&
    /^[^\s"(),:;<>[\]\\.]+(\.[^\s"(),:;<>[\]\\.]+)+$/u.test(domain)
  )
}

function isPhone(text: string): boolean {
  return /^\+?[\d ()./-]+$/.test(text) && text.replace(/\D/g, '').length >= MIN_PHONE_DIGITS
}
