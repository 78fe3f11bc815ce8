import { type Static, Type } from 'typebox'
import { CustomField } from './custom-fields.ts'
import type { ProfileValue } from './field-values.ts'
import { Id } from './shapes.ts'

// Without a type: the serialiser would write a list of one as text.
const Value = Type.Unsafe<ProfileValue>({ description: 'Text, a number, or a list of options.', examples: ['Teacher'] })

/** Key of a field → its value. Fields without a value are left out. */
export const Values = Type.Record(Type.String(), Value, {
  description: 'Key of a field → its value. Fields without a value are omitted.',
  examples: [{ occupation: 'Teacher', sports: ['Running'] }],
})
export type ProfileValues = Static<typeof Values>

export const ProfileField = Type.Pick(CustomField, [
  'key',
  'label',
  'field_type',
  'is_private',
  'system_key',
  'options',
  'description',
])
export type ProfileField = Static<typeof ProfileField>

/** Only the fields to change: null clears a value, what is left out stays. */
export const ProfileChanges = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 200,
  description: 'Key of a field → its new value. null clears it; omitted fields do not change.',
  examples: [{ occupation: 'Teacher', emergency_phone: null }],
})

const fields = Type.Array(ProfileField)
const version = Type.Integer({
  description: 'A hash of the values that you may see. Send it as If-Match: 409 `stale_version` if they changed.',
  examples: [1_094_861_636],
})
export const PatientProfile = Type.Object({ patient_id: Id, profile: Values, fields, version })
export const ChangedPatientProfile = Type.Object({ patient_id: Id, profile: Values, version })
export const SpecialistProfile = Type.Object({ specialist_id: Id, profile: Values, fields, version })
export const ChangedSpecialistProfile = Type.Object({ specialist_id: Id, profile: Values, version })

export const prefillParameters = Type.Object({
  keys: Type.String({
    minLength: 1,
    maxLength: 4_000,
    description: 'Keys of fields, comma-separated.',
    examples: ['occupation,sports'],
  }),
})
export const Prefill = Type.Object({ patient_id: Id, values: Values })
