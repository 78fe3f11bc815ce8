import { type Form, type FormQuestion, type FormTranslations, valueKeyOf, visibleFields } from '@tendon/contracts'

/**
 * A form as its patient sees it: without private fields, not even their existence. Where the answer to a
 * private field decides whether another is visible, the decision is made here and not exposed.
 */
export function patientView(form: Form): Form {
  const { fields, values, files, translations } = form
  const asked = new Set(visibleFields(fields, values, new Set(Object.keys(files))))
  const secret = new Set(fields.filter((field) => field.private).map(({ key }) => key))
  const shown = fields.flatMap((field): FormQuestion[] => {
    if (field.private) return []
    if (!field.visible_when?.conditions.some(({ field_key }) => secret.has(field_key))) return [field]
    const { visible_when: _decided, ...rest } = field
    return asked.has(field) ? [rest] : []
  })
  const keys = new Set(shown.map(valueKeyOf))
  return {
    ...form,
    fields: shown,
    values: only(values, keys),
    files: only(files, keys),
    translations: Object.fromEntries(
      Object.entries(translations).map(([language, words]) => [language, wordsFor(shown, words)]),
    ),
  }
}

function wordsFor(shown: readonly FormQuestion[], words: FormTranslations[string]): FormTranslations[string] {
  const { sections, fields, ...rest } = words
  return {
    ...rest,
    ...(sections ? { sections: only(sections, new Set(shown.flatMap(({ section }) => section ?? []))) } : {}),
    ...(fields ? { fields: only(fields, new Set(shown.map(({ key }) => key))) } : {}),
  }
}

const only = <Value>(record: Readonly<Record<string, Value>>, keys: ReadonlySet<string>): Record<string, Value> =>
  Object.fromEntries(Object.entries(record).filter(([key]) => keys.has(key)))
