import type { FormField, FormTranslations } from '@tendon/contracts'

/** Translations of fields, sections and options that do not exist. */
export function translationProblems(
  fields: readonly FormField[],
  translations: FormTranslations,
): Record<string, string> {
  const problems: Record<string, string> = {}
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const sections = new Set(fields.map(({ section }) => section))
  for (const [language, words] of Object.entries(translations)) {
    for (const section of Object.keys(words.sections ?? {})) {
      if (!sections.has(section))
        problems[`translations.${language}.sections.${section}`] = 'is not a section of any field'
    }
    for (const [key, { options }] of Object.entries(words.fields ?? {})) {
      const field = byKey.get(key)
      const place = `translations.${language}.fields.${key}`
      if (!field) problems[place] = 'is not the key of a field'
      // The options of a custom field may change after this.
      else if (!field.custom_field_id) {
        for (const option of Object.keys(options ?? {})) {
          if (!field.options?.includes(option)) problems[`${place}.options.${option}`] = 'is not an option of the field'
        }
      }
    }
  }
  return problems
}
