import type { Form, FormQuestion, FormSummary } from '@tendon/sdk'

/** A question in the reader's language. Only labels of options are translated, not their values. */
export interface ShownQuestion extends FormQuestion {
  optionLabels?: Readonly<Record<string, string>>
}

/** The questions with the labels, help, sections and options of this language, if translated. */
export function translatedFields(
  { fields, translations }: Pick<Form, 'fields' | 'translations'>,
  language: string,
): ShownQuestion[] {
  const texts = translations[language]
  if (!texts) return fields
  return fields.map((field): ShownQuestion => {
    const own = texts.fields?.[field.key]
    const section = field.section ? texts.sections?.[field.section] : undefined
    return {
      ...field,
      ...(own?.label ? { label: own.label } : {}),
      ...(own?.help_text ? { help_text: own.help_text } : {}),
      ...(own?.options ? { optionLabels: own.options } : {}),
      ...(section ? { section } : {}),
    }
  })
}

export const translatedTitle = (
  { title, translations }: Pick<Form | FormSummary, 'title' | 'translations'>,
  language: string,
) => translations[language]?.title ?? title
