import { type Static, Type } from 'typebox'
import { Enum, Id, Nullable, Timestamp } from './shapes.ts'

export const REMINDER_STATUSES = ['planned', 'queued', 'sent', 'skipped'] as const

/** Why a reminder is not sent. `unknown`: it was skipped before reasons were kept. */
export const REMINDER_REASONS = [
  'visit_cancelled',
  'visit_moved',
  'visit_not_confirmed',
  'visit_started',
  'patient_deleted',
  'no_address',
  'suppressed',
  'processing_restricted',
  'mail_failed',
  'unknown',
] as const
export type ReminderReason = (typeof REMINDER_REASONS)[number]

export const AppointmentReminder = Type.Object({
  id: Id,
  appointment_id: Id,
  offset_minutes: Type.Integer({ description: 'Minutes before the start.', examples: [1440] }),
  send_at: Timestamp,
  status: Enum(REMINDER_STATUSES, 'planned'),
  reason: Nullable(Enum(REMINDER_REASONS, 'no_address')),
  created_at: Timestamp,
})
export type AppointmentReminder = Static<typeof AppointmentReminder>
