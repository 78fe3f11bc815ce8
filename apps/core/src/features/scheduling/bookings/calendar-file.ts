import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

export interface CalendarEntry {
  /** The same for every move of one appointment. */
  uid: string
  /** Counts the changes: calendars replace an entry by one with a higher number. */
  sequence: number
  startsAt: string
  endsAt: string
  summary: string
  location: string | null
  url: string | null
  isCancelled: boolean
}

/** An iCalendar file with one event, in UTC. A cancelled one takes the event out of the calendar. */
export function calendarFile(entry: CalendarEntry): string {
  const calendar = ical({
    prodId: { company: 'Tendon', product: 'Appointments', language: 'EN' },
    method: entry.isCancelled ? ICalCalendarMethod.CANCEL : ICalCalendarMethod.REQUEST,
  })
  calendar.createEvent({
    id: `${entry.uid}@tendon`,
    sequence: entry.sequence,
    start: new Date(entry.startsAt),
    end: new Date(entry.endsAt),
    stamp: new Date(entry.startsAt),
    summary: entry.summary,
    location: entry.location,
    url: entry.url,
    status: entry.isCancelled ? ICalEventStatus.CANCELLED : ICalEventStatus.CONFIRMED,
  })
  return calendar.toString()
}
