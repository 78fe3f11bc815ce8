import { shownValue } from './shown-value.ts'

type Answers = Readonly<Record<string, unknown>>

/** The changed answers by key. Null deletes an answer that was emptied. Answers are stored as `field_<key>`. */
export const changedAnswers = (keys: readonly string[], before: Answers, now: Answers): Record<string, unknown> =>
  Object.fromEntries(
    keys
      .filter((key) => shownValue(before[`field_${key}`]) !== shownValue(now[`field_${key}`]))
      .map((key) => {
        const value = now[`field_${key}`]
        return [key, value === '' || value === undefined ? null : value]
      }),
  )
