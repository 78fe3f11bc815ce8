import { isDeepStrictEqual } from 'node:util'
import { type FormQuestion, type FormValues, valueKeyOf } from '@tendon/contracts'

/** An answer on its way to the patient's profile, and what the form said before; undefined is no answer. */
export interface ProfileAnswer {
  custom_field_id: string
  key: string
  before: unknown
  value: unknown
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

const isUnchanged = ({ before, value }: Pick<ProfileAnswer, 'before' | 'value'>) => isDeepStrictEqual(before, value)

/**
 * What a save tells the profile: the answers that it changes. One that stood in the form before says nothing new, and the
 * clinic may know better by now. The save that completes the form also tells those, to fill what the profile lacks: a
 * default, for one, that nobody had to send.
 */
export function answersForProfile(asked: readonly FormQuestion[], saved: Saved): ProfileAnswer[] {
  const { before, after, byPatient, completes, privateFields } = saved
  return asked.flatMap((field) => {
    const { custom_field_id, key, read_only } = field
    if (!custom_field_id) return []
    // Private answers are only copied to private profile fields.
    if (field.private && !privateFields.has(custom_field_id)) return []
    if (byPatient && (field.private || read_only)) return []
    const answer = { custom_field_id, key, before: before[valueKeyOf(field)], value: after[valueKeyOf(field)] }
    return completes || !isUnchanged(answer) ? [answer] : []
  })
}

/** Whether the profile takes an answer, by what it holds. Taken back, an answer clears no other than itself. */
export function isTaken(answer: ProfileAnswer, held: unknown): boolean {
  if (isUnchanged(answer)) return held === undefined && answer.value !== undefined
  return answer.value !== undefined || isDeepStrictEqual(held, answer.before)
}
