import { type Static, Type } from 'typebox'
import { RowVersion, Timestamp } from './shapes.ts'

export const ReminderOffsets = Type.Array(Type.Integer({ minimum: 10, maximum: 43_200, examples: [1440] }), {
  maxItems: 5,
  uniqueItems: true,
  description: 'Minutes before the start at which patients get a mail; empty: no reminders.',
  examples: [[1440, 120]],
})

const fields = {
  reminder_offsets_minutes: ReminderOffsets,
  feed_shows_details: Type.Boolean({
    description: 'Calendar feeds of specialists show the service and the initials of the patient, not only “Booked”.',
    examples: [false],
  }),
}

export const SchedulingSettings = Type.Object({ ...fields, version: RowVersion, updated_at: Timestamp })
export type SchedulingSettings = Static<typeof SchedulingSettings>

export const SchedulingSettingsChanges = Type.Object(
  {
    reminder_offsets_minutes: Type.Optional(fields.reminder_offsets_minutes),
    feed_shows_details: Type.Optional(fields.feed_shows_details),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type SchedulingSettingsChanges = Static<typeof SchedulingSettingsChanges>
