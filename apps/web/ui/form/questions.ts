import { shownValue } from '../field-form/shown-value.ts'
import type { ShownQuestion } from '../field-form/translated.ts'
import { isRecord, valueAt } from './body.ts'
import type { Reasons } from './rules.ts'

type Fields = Readonly<Record<string, unknown>>

/** The answers to these questions; '' for what is not answered. */
export const answersTo = (questions: readonly { key: string }[], stored: Fields = {}): Record<string, unknown> =>
  Object.fromEntries(questions.map(({ key }) => [key, stored[key] ?? '']))

/** The changed fields only. Null deletes an answer that was emptied. */
export function changesOf(now: Fields, stored: Fields): Record<string, unknown> {
  const changes: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(now)) {
    const before = stored[name]
    if (isRecord(value)) {
      const inner = changesOf(value, isRecord(before) ? before : {})
      if (Object.keys(inner).length > 0) changes[name] = inner
    } else if (shownValue(value) !== shownValue(before)) changes[name] = value === '' ? null : value
  }
  return changes
}

/** What no contract of a route tells: which questions of the clinic take a number. */
export const checkAnswers = (questions: readonly Pick<ShownQuestion, 'key' | 'type'>[], values: Fields): Reasons =>
  Object.fromEntries(
    questions
      .filter(({ key, type }) => type === 'number' && shownValue(valueAt(values, key)) !== '')
      .filter(({ key }) => typeof valueAt(values, key) !== 'number')
      .map(({ key }) => [key, { code: 'number' }]),
  )
