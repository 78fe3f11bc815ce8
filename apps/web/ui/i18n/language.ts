export const languages = ['en', 'ro'] as const
export type Language = (typeof languages)[number]

export const isLanguage = (value: string | null | undefined): value is Language =>
  languages.some((language) => language === value)

/** While nobody is signed in: the `language` cookie, else the browser's own wish. */
export function startLanguage(cookies = document.cookie, wishes: readonly string[] = navigator.languages): Language {
  const cookie = /(?:^|; )language=(\w+)/.exec(cookies)?.[1]
  if (isLanguage(cookie)) return cookie
  return wishes.map((wish) => wish.slice(0, 2)).find(isLanguage) ?? 'en'
}

const COOKIE_SECONDS = 365 * 24 * 60 * 60

const CHOSEN = 'chosen-language'

/** For a person who is not signed in; core writes the same cookie for one who is. */
export function rememberLanguage(language: Language): void {
  document.cookie = `language=${language}; path=/; max-age=${COOKIE_SECONDS}; samesite=lax`
  sessionStorage.setItem(CHOSEN, language)
}

/** The language that somebody chose in this tab before signing in. The browser's own wish is no choice. */
export function takeChosenLanguage(): Language | undefined {
  const chosen = sessionStorage.getItem(CHOSEN) ?? undefined
  sessionStorage.removeItem(CHOSEN)
  return isLanguage(chosen) ? chosen : undefined
}
