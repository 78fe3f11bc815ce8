import { serialize } from 'cookie'

export const LANGUAGES = ['en', 'ro'] as const
export type Language = (typeof LANGUAGES)[number]

/** Human preference, then the organization's language, then `en`; anything unsupported is `en`. */
export function resolveLanguage(preferred: string | null, ofOrganization: string | null): Language {
  const wanted = preferred ?? ofOrganization ?? 'en'
  return LANGUAGES.find((language) => language === wanted) ?? 'en'
}

interface CookieValues {
  language: Language
  organization: { id: string; slug: string; name: string } | null
}

const ONE_YEAR_SECONDS = 31_536_000

/** The four cookies of the web apps. The API writes them and never reads them. */
interface Headers {
  header(name: string, values: string[]): unknown
}

export function setCookies(reply: Headers, { language, organization }: CookieValues, secure: boolean): void {
  const options = { path: '/', sameSite: 'lax', secure, maxAge: ONE_YEAR_SECONDS } as const
  const hidden = { ...options, httpOnly: true, ...(organization ? {} : { maxAge: 0 }) }
  reply.header('set-cookie', [
    serialize('language', language, options),
    serialize('org-id', organization?.id ?? '', hidden),
    serialize('org-slug', organization?.slug ?? '', hidden),
    serialize('org-name', organization?.name ?? '', hidden),
  ])
}
