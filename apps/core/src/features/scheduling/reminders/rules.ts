import type { Appointment, AppointmentReminder, Mail, ReminderReason } from '@tendon/contracts'

// A reminder is `planned` when its visit is confirmed. When it is due, its mail is written and it is `queued`, or it is
// `skipped` with a reason. The mail loop reads the visit again before each attempt and ends it: `sent` once a mail server has
// accepted the mail, else `skipped`.

/** What decides whether a reminder is still right. */
interface RemindedVisit extends Pick<Appointment, 'starts_at' | 'status' | 'rescheduled_to_id'> {
  /** The start that the reminder is about. */
  reminded_starts_at: string
}

/** Why no reminder of this visit is sent any more; undefined: it is right. A visit that was deleted is null. */
export function obstacleOf(visit: RemindedVisit | null, now: Date): ReminderReason | undefined {
  if (visit === null || visit.status === 'entered_in_error') return 'visit_cancelled'
  if (visit.rescheduled_to_id !== null) return 'visit_moved'
  if (visit.status === 'cancelled') return 'visit_cancelled'
  if (visit.starts_at === null || Date.parse(visit.starts_at) !== Date.parse(visit.reminded_starts_at))
    return 'visit_moved'
  if (visit.status === 'pending' || visit.status === 'waitlist') return 'visit_not_confirmed'
  if (visit.status !== 'confirmed' || Date.parse(visit.starts_at) <= now.getTime()) return 'visit_started'
  return undefined
}

export type ReminderState = Pick<AppointmentReminder, 'status' | 'reason'>

export const skipped = (reason: ReminderReason): ReminderState => ({ status: 'skipped', reason })

interface MailResult {
  status: Mail['status']
  error?: string
  /** Why the reminder of the mail is not right any more. */
  obstacle?: ReminderReason
}

/** The state of a reminder after an attempt to send its mail. */
export function stateAfterMail({ status, error, obstacle }: MailResult): ReminderState {
  if (status === 'sent') return { status: 'sent', reason: null }
  if (status === 'failed') return skipped('mail_failed')
  if (status !== 'suppressed') return { status: 'queued', reason: null }
  if (error === 'processing_restricted') return skipped('processing_restricted')
  return skipped(obstacle ?? 'suppressed')
}

const MINUTE_MS = 60_000

/** When reminders of a visit are due, for offsets in minutes. Those whose time has passed are left out. */
export function dueTimes(startsAt: string, offsets: readonly number[], now: Date) {
  return [...new Set(offsets)]
    .map((offset_minutes) => ({ offset_minutes, send_at: new Date(Date.parse(startsAt) - offset_minutes * MINUTE_MS) }))
    .filter(({ send_at }) => send_at > now)
}
