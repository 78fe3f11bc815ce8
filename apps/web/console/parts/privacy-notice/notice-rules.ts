import { isFilledIn } from '@tendon/contracts/placeholder-values'
import type { PrivacyNotice, PrivacyNoticeTemplate } from '@tendon/sdk'
import { isRecord } from '#ui/form/body.ts'

/** The fields of the form, as a notice has them: its draft, and what the clinic has not yet filled in as it is suggested. */
export const valuesOf = ({ draft, placeholder_values }: Partial<PrivacyNotice>) => ({
  placeholder_values: { ...draft?.suggested_values, ...placeholder_values, ...draft?.placeholder_values },
  included_sections: draft?.included_sections ?? [],
})

/** The values that are filled in. */
export const givenIn = (values: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(isRecord(values) ? values : {}).flatMap(([key, value]) =>
      typeof value === 'string' && value.trim() !== '' ? [[key, value]] : [],
    ),
  )

/** The placeholders of the text and of the chosen sections: others do not get into the notice. */
export function usedPlaceholders(
  { body_with_placeholders, placeholders, toggleable_sections }: PrivacyNoticeTemplate,
  sections: unknown,
) {
  const chosen = toggleable_sections.filter(({ key }) => Array.isArray(sections) && sections.includes(key))
  const texts = [body_with_placeholders, ...chosen.map(({ body }) => body)].flatMap((one) => Object.values(one))
  return placeholders.filter(({ key }) => texts.some((text) => text.includes(`{{${key}}}`)))
}

/** The names of placeholders that the notice needs and whose value says nothing. */
export function missingIn(template: PrivacyNoticeTemplate, values: Readonly<Record<string, unknown>>): string[] {
  const given = givenIn(values.placeholder_values)
  return usedPlaceholders(template, values.included_sections)
    .filter(({ key, required }) => required && !isFilledIn(given[key] ?? ''))
    .map(({ key }) => key)
}
