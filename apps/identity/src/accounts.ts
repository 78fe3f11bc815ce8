import { createHash } from 'node:crypto'

export interface Account {
  email: string
  name: string
  /** Shown on the sign-in page only; the API decides what a person may do. */
  role?: string
  group?: string
}

const MAX_EMAIL_LENGTH = 254
const MAX_NAME_LENGTH = 200
/** The HTML standard's own pattern for `<input type="email">`. */
const EMAIL =
  /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

function parseEmail(typed: string): string | undefined {
  const email = typed.trim().toLowerCase()
  return email.length <= MAX_EMAIL_LENGTH && EMAIL.test(email) ? email : undefined
}

/** Derived from the e-mail only, so that people keep their data when the provider restarts. */
export const subjectOf = (email: string) => createHash('sha256').update(email).digest('hex').slice(0, 32)

/** Claims about a person in the access token, beside `sub`. */
export const claimsOf = ({ email, name }: Account, emailVerified = true) => ({
  email,
  email_verified: emailVerified,
  name,
})

const localPart = (email: string) => email.slice(0, email.lastIndexOf('@'))

const cleanName = (typed: string) =>
  typed
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_NAME_LENGTH)
    .toWellFormed()

export interface Directory {
  readonly listed: readonly Account[]
  /** Accepts every well-formed e-mail; returns undefined for others. */
  signIn(email: string, name?: string): Account | undefined
  find(subject: string): Account | undefined
}

export function createDirectory(listed: readonly Account[]): Directory {
  const bySubject = new Map(listed.map((account) => [subjectOf(account.email), account]))
  const listedEmails = new Set(listed.map((account) => account.email))

  return {
    listed,
    signIn(typedEmail, typedName = '') {
      const email = parseEmail(typedEmail)
      if (!email) return undefined
      const known = bySubject.get(subjectOf(email))
      if (known && listedEmails.has(email)) return known
      const account = { email, name: cleanName(typedName) || known?.name || localPart(email) }
      bySubject.set(subjectOf(email), account)
      return account
    },
    find: (subject) => bySubject.get(subject),
  }
}
