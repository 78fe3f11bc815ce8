import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

export interface CalendarEntry {
  /** Stays the same when the appointment is moved. */
  uid: string
  /** Incremented by every change: a calendar replaces an entry with one that has a higher number. */
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  location: string | null
  isCancelled: boolean
}

/** An iCalendar file in UTC. It has no link, because calendars are shared and invitations forwarded. `CANCEL` removes its events from the calendar. */
export function calendarFile(entries: readonly CalendarEntry[], method: 'REQUEST' | 'CANCEL'): string {
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
      stamp: new Date(entry.startsAt),
      summary: entry.summary,
      location: entry.location,
      status: entry.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
    })
  return calendar.toString()
}
