import { type FormValues, openFields, valueKeyOf } from '@tendon/contracts/form-values'
import type { FormQuestion } from '@tendon/sdk'
import { useTranslations } from 'use-intl'
import { askedFields, isWrong } from './answer-rules.ts'

type Problems = Record<string, string>

/** Value key → the problem with the answer, in the person's language. The server checks the same rules. */
export function useAnswerProblems(): (
  fields: readonly FormQuestion[],
  values: FormValues,
  files: ReadonlySet<string>,
) => { wrong: Problems; missing: Problems } {
  const t = useTranslations('ui.reasons')
  const textOf = ({ type, min, max, min_length, max_length }: FormQuestion, value: unknown): string => {
    if (type === 'email') return t('format_email')
    if (type === 'number' && typeof value !== 'number') return t('number')
    if (typeof value === 'number' && typeof min === 'number' && value < min) return t('minimum', { min })
    if (typeof value === 'number' && typeof max === 'number' && value > max) return t('maximum', { max })
    if (typeof value === 'string' && min_length && value.length < min_length) return t('too_short', { min: min_length })
    if (typeof value === 'string' && max_length && value.length > max_length) return t('too_long', { max: max_length })
    return t('format')
  }
  return (fields, values, files) => {
    const asked = askedFields(fields, values, files)
    const open = openFields(fields, values, files)
    return {
      wrong: Object.fromEntries(
        asked
          .filter((field) => isWrong(field, values[valueKeyOf(field)]))
          .map((field) => [valueKeyOf(field), textOf(field, values[valueKeyOf(field)])]),
      ),
      missing: Object.fromEntries(open.map((field) => [valueKeyOf(field), t('required')])),
    }
  }
}
