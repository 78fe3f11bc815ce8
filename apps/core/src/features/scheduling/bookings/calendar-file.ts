import ical, { ICalAttendeeRole, ICalAttendeeStatus, ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

export interface CalendarEntry {
  /** Stays the same when the appointment is moved. */
  uid: string
  /** Incremented by every change: a calendar replaces an entry with one that has a higher number. */
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  location: string | null
  status: 'pending' | 'confirmed' | 'cancelled'
}

/** Who invites whom, and when (RFC 5546: ORGANIZER, ATTENDEE and DTSTAMP are required). */
export interface Invitation {
  method: 'REQUEST' | 'CANCEL'
  clinic: { name: string; address: string }
  attendee: string
  sentAt: Date
}

const STATUSES = {
  pending: ICalEventStatus.TENTATIVE,
  confirmed: ICalEventStatus.CONFIRMED,
  cancelled: ICalEventStatus.CANCELLED,
}

/**
 * An iCalendar file in UTC. It has no link, because calendars are shared and invitations forwarded. `CANCEL` removes its events
 * from the calendar. No answer is asked for: nobody reads it.
 */
export function calendarFile(
  entries: readonly CalendarEntry[],
  { method, clinic, attendee, sentAt }: Invitation,
): string {
  const calendar = ical({
    prodId: { company: 'Tendon', product: 'Appointments', language: 'EN' },
    method: method === 'CANCEL' ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  })
  for (const entry of entries)
    calendar.createEvent({
      id: `${entry.uid}@tendon`,
      sequence: entry.sequence,
      start: new Date(entry.startsAt),
      end: new Date(entry.endsAt),
      stamp: sentAt,
      summary: entry.summary,
      location: entry.location,
      status: STATUSES[entry.status],
      organizer: { name: oneLine(clinic.name) || clinic.address, email: clinic.address },
      attendees: [{ email: attendee, role: ICalAttendeeRole.REQ, status: ICalAttendeeStatus.NEEDSACTION, rsvp: false }],
    })
  return calendar.toString()
}

/** A parameter cannot hold line breaks and quotes (RFC 5545 3.1). */
const oneLine = (text: string) => text.replaceAll(/[\p{Cc}\p{Z}"]+/gu, ' ').trim()
