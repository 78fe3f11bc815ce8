import type { Appointment, AppointmentChanges } from '@tendon/sdk'
import { changedAnswers } from '#ui/field-form/changed-answers.ts'

type Values = Record<string, unknown>
const CUSTOM = 'custom_fields.'

/** The values of the form of a visit, by `field_<path in the API>`. */
export function valuesOf(visit: Partial<Appointment>): Values {
  const custom = Object.entries(visit.custom_fields ?? {}).map(([key, value]) => [`field_${CUSTOM}${key}`, value])
  return {
    field_mode: visit.mode,
    field_meeting_url: visit.meeting_url,
    field_notes: visit.notes,
    field_patient_note: visit.patient_note,
    ...Object.fromEntries(custom),
  }
}

/** The body of a PATCH: only what was changed. */
export function changesOf(keys: readonly string[], before: Values, now: Values): AppointmentChanges {
  const changed = Object.entries(changedAnswers(keys, before, now))
  const own = changed.filter(([key]) => !key.startsWith(CUSTOM))
  const custom = changed
    .filter(([key]) => key.startsWith(CUSTOM))
    .map(([key, value]) => [key.slice(CUSTOM.length), value])
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
  }
}
