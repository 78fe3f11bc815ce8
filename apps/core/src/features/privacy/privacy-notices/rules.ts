import { isFilledIn, type PrivacyNoticeTemplate } from '@tendon/contracts'

// How a notice is assembled.
//
// A template holds, for each language, a text with {{placeholder}} and {{section:key}}. First each section token gives way
// to the section's text, or to nothing where the clinic left it out; then each placeholder gives way to the clinic's value.
// Both happen once: a value is plain text and is inserted as it is, so {{…}} inside it stays what it is. Nothing is escaped:
// the result is plain text and must be shown as text.

export type Template = Pick<PrivacyNoticeTemplate, 'body_with_placeholders' | 'placeholders' | 'toggleable_sections'>

/** What a clinic fills in and chooses. */
export interface Choice {
  placeholder_values: Record<string, string>
  included_sections: readonly string[]
}

interface Assembled {
  /** Language → text. A required placeholder without value shows as its label in brackets. */
  body: Record<string, string>
  /** Required placeholders that the text uses and that are not filled in. */
  missing: string[]
  /** The values that the text uses. */
  used: Record<string, string>
}

const SECTION = /\{\{section:([a-z0-9_]+)\}\}/g
const PLACEHOLDER = /( ?)\{\{([a-z0-9_]+)\}\}/g

export function assemble(template: Template, { placeholder_values, included_sections }: Choice): Assembled {
  const placeholders = new Map(template.placeholders.map((placeholder) => [placeholder.key, placeholder]))
  const values = new Map(Object.entries(placeholder_values).filter(([, value]) => isFilledIn(value)))
  const seen = new Set<string>()
  const texts = Object.keys(template.body_with_placeholders).map((language) => {
    const text = withSections(template, included_sections, language).replace(
      PLACEHOLDER,
      (_, space: string, key: string) => {
        const placeholder = placeholders.get(key)
        if (!placeholder) return ''
        seen.add(key)
        const mark = placeholder.required
          ? `[${placeholder.label[language] ?? placeholder.label.en ?? key}]`
          : undefined
        const shown = values.get(key) ?? mark
        return shown === undefined ? '' : space + shown
      },
    )
    return [language, text]
  })
  const keys = template.placeholders.map(({ key }) => key).filter((key) => seen.has(key))
  return {
    body: Object.fromEntries(texts),
    missing: keys.filter((key) => placeholders.get(key)?.required && !values.has(key)),
    used: Object.fromEntries(keys.filter((key) => values.has(key)).map((key) => [key, values.get(key) ?? ''])),
  }
}

/** The template's text in one language with the chosen sections, at the places where the template has them. */
function withSections(template: Template, included: readonly string[], language: string): string {
  const sections = new Map(template.toggleable_sections.map((section) => [section.key, section.body[language] ?? '']))
  const text = template.body_with_placeholders[language] ?? ''
  return text
    .replace(SECTION, (_, key: string) => (included.includes(key) ? (sections.get(key) ?? '') : ''))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}

/** The clinic's sections in the template's order: what the order of a request says is no matter. */
export const inTemplateOrder = (template: Template, included: readonly string[]): string[] =>
  template.toggleable_sections.map(({ key }) => key).filter((key) => included.includes(key))

export const defaultSections = (template: Template): string[] =>
  template.toggleable_sections.filter((section) => section.default).map(({ key }) => key)

/** Keys that the template does not know, as fields of the request. */
export function problemsOfChoice(
  template: Template & { version: number },
  { placeholder_values, included_sections }: Choice,
): Record<string, string> {
  const placeholders = new Set(template.placeholders.map(({ key }) => key))
  const sections = new Set(template.toggleable_sections.map(({ key }) => key))
  const unknown = (what: string) => `is not a ${what} of version ${template.version} of the template`
  return Object.fromEntries([
    ...Object.keys(placeholder_values)
      .filter((key) => !placeholders.has(key))
      .map((key) => [`placeholder_values.${key}`, unknown('placeholder')]),
    ...included_sections
      .map((key, place) => [key, place] as const)
      .filter(([key]) => !sections.has(key))
      .map(([, place]) => [`included_sections.${place}`, unknown('section')]),
  ])
}

/** Why a notice cannot be published yet. */
export function problemsOfMissing(template: Template, missing: readonly string[]): Record<string, string> {
  const label = (key: string) => template.placeholders.find((placeholder) => placeholder.key === key)?.label.en ?? key
  return Object.fromEntries(missing.map((key) => [`placeholder_values.${key}`, `is required: ${label(key)}`]))
}
