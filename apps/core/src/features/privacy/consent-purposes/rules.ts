import type { ConsentPurposeVersion, NewTranslations } from '@tendon/contracts'

// How versions are numbered.
//
// A consent holds the number of the version that was agreed to, and the gate compares that number with the version in
// force: the clinic's newest text, else the platform's newest. So at one clinic a number must never stand for two texts.
//
// - A clinic's version is 1 + the highest of the platform's and its own: a person who agreed to the platform's 1 has not agreed
//   to the clinic's first text, which is 2. From then on the clinic is judged by its own texts only.
// - The platform's version is 1 + its own highest. It may repeat a number of a clinic's override: patients there never see
//   that text, and clinics without an override hold the platform's numbers only.
// - A consent's text is therefore the clinic's version of that number, else the platform's.
//
// Who publishes locks first (see queries.ts), so numbers have neither gaps nor doubles, and a clinic's first override
// never takes a number that the platform is about to use.

/** In the language wanted, else in English, else whatever there is. */
export function textIn(translations: Record<string, string>, language: string): string {
  return translations[language] ?? translations.en ?? Object.values(translations)[0] ?? ''
}

/** The part of the current version that a purpose shows. */
export function describeVersion(version: ConsentPurposeVersion | undefined, language: string) {
  return version ? { ...version, body: textIn(version.body_translations, language) } : null
}

/** The platform writes in English at least; a clinic in English or in its own language. */
export function problemOfTranslations(translations: NewTranslations, ownLanguage: 'en' | 'ro'): string | undefined {
  if (translations.en !== undefined || translations[ownLanguage] !== undefined) return undefined
  return ownLanguage === 'en'
    ? 'must hold a text in English (en)'
    : `must hold a text in the language of the organization (${ownLanguage}) or in English (en)`
}
