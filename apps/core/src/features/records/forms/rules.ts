import { isDeepStrictEqual } from 'node:util'
import {
  answerProblem,
  type Form,
  type FormFileKeys,
  type FormQuestion,
  type FormValues,
  isUnset,
  openFields,
  valueKeyOf,
  visibleFields,
} from '@tendon/contracts'
import { answersForProfile, type ProfileAnswer } from './profile-rules.ts'

// Saving a form, by the specification's table of states:
//   pending, in_progress             --save, something required is open-->  in_progress
//   pending, in_progress, completed  --save, nothing required is open--->   completed, completed_at is set
//   signed                           --anything------------------------->   409, by the caller of these rules
// The table has no way back from completed: whatever would open something required again is refused, field by field, be it
// an answer that goes or a file. Answers come together; a file comes alone, so a new one that brings a question with it
// (visible_when) is let in, and the form is in_progress until the question is answered.

export interface Save {
  problems: Record<string, string>
  values: Record<string, unknown>
  status: 'in_progress' | 'completed'
  /** What goes on to the patient's profile. */
  forProfile: ProfileAnswer[]
}

const FILE_REQUIRED = 'is required: the form is completed. Upload a file to replace the current one'

type Saved = Pick<Form, 'fields' | 'values' | 'status'>

interface Saving {
  /** A patient neither knows private fields nor changes those that are read-only. */
  byPatient: boolean
  /** A new file has come. */
  mayReopen?: boolean
  /** The custom fields that are private today. */
  privateFields: ReadonlySet<string>
}

/** What a save makes of a form. */
export function saveOf(
  form: Saved,
  files: FormFileKeys,
  given: FormValues,
  { byPatient, mayReopen = false, privateFields }: Saving,
): Save {
  const known = new Map(
    form.fields.filter((field) => !byPatient || !field.private).map((field) => [valueKeyOf(field), field]),
  )
  const merged = merge(form.values, given, known)
  const asked = visibleFields(form.fields, merged, files)
  const problems: Record<string, string> = {}
  for (const [key, value] of Object.entries(given)) {
    const field = known.get(key)
    const wrong = field
      ? problemOf(field, value, { before: form.values[key], isAsked: asked.includes(field), byPatient })
      : 'is not a field of this form'
    if (wrong) problems[`values.${key}`] = wrong
  }
  const open = openFields(form.fields, merged, files)
  if (open.length > 0 && form.status === 'completed' && !mayReopen) {
    for (const field of open) {
      const key = valueKeyOf(field)
      if (!known.has(key))
        problems.values = 'would leave a field empty that only the clinic can fill in: ask the clinic'
      else if (field.type === 'file') problems[`files.${key}`] = FILE_REQUIRED
      else problems[`values.${key}`] ??= 'is required: the form is completed'
    }
  }
  const status = open.length === 0 ? 'completed' : 'in_progress'
  return {
    problems,
    values: status === 'completed' ? onlyOf(asked, merged) : merged,
    status,
    forProfile: answersForProfile(asked, {
      before: form.values,
      after: merged,
      byPatient,
      completes: status === 'completed' && form.status !== 'completed',
      privateFields,
    }),
  }
}

interface Circumstances {
  before: unknown
  isAsked: boolean
  byPatient: boolean
}

/** A value that is sent back as it was read is never wrong for being hidden or read-only. */
function problemOf(
  field: FormQuestion,
  value: unknown,
  { before, isAsked, byPatient }: Circumstances,
): string | undefined {
  const isNew = !isDeepStrictEqual(isUnset(value) ? undefined : value, before)
  if (isNew && byPatient && field.read_only) return 'can only be changed by the clinic'
  const wrong = answerProblem(field, value)
  if (wrong) return wrong
  return isNew && !isUnset(value) && !isAsked ? 'is hidden by the other answers' : undefined
}

function merge(stored: FormValues, given: FormValues, known: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const merged = { ...stored }
  for (const [key, value] of Object.entries(given)) {
    if (!known.has(key)) continue
    if (isUnset(value)) delete merged[key]
    else merged[key] = value
  }
  return merged
}

/** A complete form holds answers to what it asks, no others. */
function onlyOf(asked: readonly FormQuestion[], values: FormValues): Record<string, unknown> {
  const keys = asked.map(valueKeyOf).filter((key) => Object.hasOwn(values, key))
  return Object.fromEntries(keys.map((key) => [key, values[key]]))
}

/** What of the answers differs, for the audit log. */
export function changedValues(fields: readonly FormQuestion[], before: FormValues, after: FormValues) {
  const secret = new Set(fields.filter((field) => field.private).map(valueKeyOf))
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((key) => !isDeepStrictEqual(before[key], after[key]))
    .map((field) => ({
      field,
      before: before[field] ?? null,
      after: after[field] ?? null,
      ...(secret.has(field) ? { private: true as const } : {}),
    }))
}
