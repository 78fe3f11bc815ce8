import {
  type DocumentLanguage,
  type Form,
  type FormQuestion,
  isUnset,
  valueKeyOf,
  visibleFields,
} from '@tendon/contracts'
import type { DocumentFacts } from '../pdf-templates/index.ts'

// The answers of a form as text, in the language of the document.

interface Shown {
  language: DocumentLanguage
  dayOf: (day: string) => string
}

/** Expects a form without private fields. */
export function answersOf(form: Form, { language, dayOf }: Shown): DocumentFacts['answers'] {
  const words = form.translations[language]
  const asked = visibleFields(form.fields, form.values, new Set(Object.keys(form.files)))
  const textOf = (field: FormQuestion): string => {
    const key = valueKeyOf(field)
    if (field.type === 'file') return form.files[key]?.name ?? '–'
    const value = form.values[key]
    if (isUnset(value)) return '–'
    if (field.type === 'date' && typeof value === 'string') return dayOf(value)
    const options = words?.fields?.[field.key]?.options ?? {}
    return (Array.isArray(value) ? value : [value]).map((one) => options[String(one)] ?? String(one)).join(', ')
  }
  const sections = new Map<string | null, { label: string; value: string }[]>()
  for (const field of asked) {
    const section = field.section ?? null
    const label = words?.fields?.[field.key]?.label ?? field.label ?? field.key
    const rows = sections.get(section) ?? []
    rows.push({ label, value: textOf(field) })
    sections.set(section, rows)
  }
  return [...sections].map(([section, rows]) => ({
    section: section === null ? null : (words?.sections?.[section] ?? section),
    rows,
  }))
}

export const titleOf = (form: Form, language: DocumentLanguage): string =>
  form.translations[language]?.title ?? form.title
