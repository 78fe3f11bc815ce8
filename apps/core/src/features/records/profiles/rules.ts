import { isUnset, MAX_NATIONAL_ID_LENGTH, type ProfileField, type ProfileValues, valueProblem } from '@tendon/contracts'

// A profile is its fields, as they were last published, and the values that the record has of them.

export interface Field extends ProfileField {
  id: string
}

export interface Value {
  custom_field_id: string
  value: ProfileValues[string]
}

export interface Change {
  field: string
  before: unknown
  after: unknown
  /** The patient's export does not name it. */
  private?: true
}

/** Key → value, in the order of the fields; those without a value are left out. */
export function valuesByKey(fields: readonly Field[], values: readonly Value[]): ProfileValues {
  const byId = new Map(values.map(({ custom_field_id, value }) => [custom_field_id, value]))
  return Object.fromEntries(
    fields.flatMap(({ id, key }) => {
      const value = byId.get(id)
      return value === undefined ? [] : [[key, value]]
    }),
  )
}

export const shownFields = (fields: readonly Field[]): ProfileField[] => fields.map(({ id: _id, ...field }) => field)

type NumberProblem = (number: string) => string | undefined

/** Every problem of a change, by key. `numberProblem` judges the national identification number, of the one field `number`. */
export function problemsOfChanges(
  fields: readonly Field[],
  changes: Readonly<Record<string, unknown>>,
  number?: Field,
  numberProblem?: NumberProblem,
): { field: string; message: string }[] {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  return Object.entries(changes).flatMap(([key, value]) => {
    const field = byKey.get(key)
    const message =
      field === undefined
        ? 'is not a field of this profile'
        : field === number && numberProblem
          ? problemOfNumber(value, numberProblem)
          : valueProblem(field, value)
    return message === undefined ? [] : [{ field: key, message }]
  })
}

function problemOfNumber(value: unknown, problem: NumberProblem): string | undefined {
  if (isUnset(value)) return undefined
  if (typeof value !== 'string') return 'must be text'
  return value.length > MAX_NATIONAL_ID_LENGTH
    ? `must have at most ${MAX_NATIONAL_ID_LENGTH} characters`
    : problem(value)
}

/** What differs, for the audit log. */
export function changedKeys(fields: readonly Field[], before: ProfileValues, after: ProfileValues): Change[] {
  const secret = new Set(fields.filter(({ is_private }) => is_private).map(({ key }) => key))
  const valueOf = (values: ProfileValues, key: string) => (Object.hasOwn(values, key) ? values[key] : null)
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({
      field,
      before: valueOf(before, field),
      after: valueOf(after, field),
      ...(secret.has(field) ? { private: true as const } : {}),
    }))
    .filter(({ before: old, after: fresh }) => JSON.stringify(old) !== JSON.stringify(fresh))
}
