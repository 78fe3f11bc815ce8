import {
  answerProblem,
  type FormValues,
  isAnswered,
  isUnset,
  valueKeyOf,
  visibleFields,
} from '@tendon/contracts/form-values'
import type { FormQuestion } from '@tendon/sdk'

// Which answers of a form differ from the stored ones, and what becomes of them when somebody else has saved. Pure.

export const isSame = (one: unknown, other: unknown): boolean =>
  (isUnset(one) && isUnset(other)) || JSON.stringify(one) === JSON.stringify(other)

/** The server refuses the same answers. */
export const isWrong = (field: FormQuestion, value: unknown): boolean =>
  field.type !== 'file' && answerProblem(field, value) !== undefined

export const askedFields = (fields: readonly FormQuestion[], values: FormValues, files: ReadonlySet<string>) =>
  visibleFields(fields, values, files)

/** The questions whose answers are not stored. An answer to a question that is no longer asked is not missing. */
export function unsavedFields(
  fields: readonly FormQuestion[],
  now: { values: FormValues; files: ReadonlySet<string> },
  stored: FormValues,
): FormQuestion[] {
  const asked = new Set(askedFields(fields, now.values, now.files))
  return fields.filter((field) => {
    const key = valueKeyOf(field)
    const value = now.values[key]
    return field.type !== 'file' && !isSame(value, stored[key]) && (asked.has(field) || isUnset(value))
  })
}

interface GivenAnswers {
  values: FormValues
  files: ReadonlySet<string>
  stored: FormValues
  /** Value keys of the answers that the server refused. */
  refused: readonly string[]
}

/** The required questions that are asked, and how many of them have a stored answer and now show one that can be stored. */
export function requiredProgress(fields: readonly FormQuestion[], { values, files, stored, refused }: GivenAnswers) {
  const required = askedFields(fields, values, files).filter((field) => field.required)
  const isGiven = (field: FormQuestion) =>
    isAnswered(field, values, files) &&
    isAnswered(field, stored, files) &&
    !isWrong(field, values[valueKeyOf(field)]) &&
    !refused.includes(valueKeyOf(field))
  return { total: required.length, answered: required.filter(isGiven).length }
}

/** What is stored after a save: a complete form keeps only answers to the questions that it asks. */
export function storedAfter(
  fields: readonly FormQuestion[],
  before: FormValues,
  sent: FormValues,
  { isComplete, files }: { isComplete: boolean; files: ReadonlySet<string> },
): FormValues {
  const merged = Object.fromEntries(Object.entries({ ...before, ...sent }).filter(([, value]) => !isUnset(value)))
  if (!isComplete) return merged
  const asked = new Set(askedFields(fields, merged, files).map(valueKeyOf))
  return Object.fromEntries(Object.entries(merged).filter(([key]) => asked.has(key)))
}

export interface Merge {
  /** Their answers, with those that this person has changed since `base`. */
  values: FormValues
  /** The answers that both have changed, each in another way. */
  both: string[]
  /** Whether they have changed anything that this person had not typed as well. */
  isNews: boolean
}

export function mergeAnswers(mine: FormValues, base: FormValues, theirs: FormValues): Merge {
  const keys = [...new Set([...Object.keys(mine), ...Object.keys(base), ...Object.keys(theirs)])]
  const own = keys.filter((key) => !isSame(mine[key], base[key]))
  const different = keys.filter((key) => !isSame(theirs[key], base[key]) && !isSame(theirs[key], mine[key]))
  return {
    values: { ...theirs, ...Object.fromEntries(own.map((key) => [key, mine[key]])) },
    both: different.filter((key) => own.includes(key)),
    isNews: different.length > 0,
  }
}
