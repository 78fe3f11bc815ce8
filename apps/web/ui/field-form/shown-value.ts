import type { ShownQuestion } from './translated.ts'

/** A value of a form as text; empty for what is not text or a number. */
export const shownValue = (value: unknown): string => {
  if (Array.isArray(value)) return value.join(', ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** The answer to a question, with the labels of its options. */
export const shownAnswer = ({ optionLabels }: ShownQuestion, answer: unknown): string =>
  [answer]
    .flat()
    .map((value) => optionLabels?.[shownValue(value)] ?? shownValue(value))
    .join(', ')
