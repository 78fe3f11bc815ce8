import { isDeepStrictEqual } from 'node:util'
import { type FormQuestion, type FormValues, valueKeyOf } from '@tendon/contracts'

/** An answer on its way to the patient's profile; null clears. */
export interface ProfileAnswer {
  custom_field_id: string
  key: string
  value: unknown
  /** It takes the place of nothing: the profile gets it only where it holds no value. */
  onlyFills: boolean
}

interface Saved {
  before: FormValues
  after: FormValues
  byPatient: boolean
  /** By this save, not by one before it. */
  completes: boolean
  /** The custom fields that are private today. */
  privateFields: ReadonlySet<string>
}

/**
 * What a save tells the profile: the answers that it changes. One that stood in the form before says nothing new, and the
 * clinic may know better by now. The save that completes the form also fills what the profile lacks, as with a default
 * that nobody had to send.
 */
export function answersForProfile(asked: readonly FormQuestion[], saved: Saved): ProfileAnswer[] {
  const { before, after, byPatient, completes, privateFields } = saved
  return asked.flatMap((field) => {
    const { custom_field_id, key, read_only } = field
    if (!custom_field_id) return []
    // What is private in the form must be private in the profile too.
    if (field.private && !privateFields.has(custom_field_id)) return []
    if (byPatient && (field.private || read_only)) return []
    const value = after[valueKeyOf(field)]
    const onlyFills = isDeepStrictEqual(value, before[valueKeyOf(field)])
    if (onlyFills && (!completes || value === undefined)) return []
    return [{ custom_field_id, key, value: value ?? null, onlyFills }]
  })
}
