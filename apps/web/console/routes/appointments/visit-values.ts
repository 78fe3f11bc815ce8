import type { Appointment, AppointmentChanges } from '@tendon/sdk'
import { shownValue } from '../../../ui/field-form/shown-value.ts'

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

/** The body of a PATCH: only what was changed. An empty answer deletes the value. */
export function changesOf(keys: readonly string[], before: Values, now: Values): AppointmentChanges {
  const changed = keys
    .filter((key) => shownValue(before[`field_${key}`]) !== shownValue(now[`field_${key}`]))
    .map((key): [string, unknown] => {
      const value = now[`field_${key}`]
      return [key, value === '' || value === undefined ? null : value]
    })
  const own = changed.filter(([key]) => !key.startsWith(CUSTOM))
  const custom = changed
    .filter(([key]) => key.startsWith(CUSTOM))
    .map(([key, value]) => [key.slice(CUSTOM.length), value])
  return {
    ...Object.fromEntries(own),
    ...(custom.length > 0 ? { custom_fields: Object.fromEntries(custom) } : {}),
  }
}
