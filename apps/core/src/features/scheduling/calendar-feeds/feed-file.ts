import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator'

export interface Feed {
  owner: 'specialist' | 'patient'
  clinic: string
  language: string
  events: FeedEvent[]
}

interface FeedEvent {
  uid: string
  sequence: number
  starts_at: string
  ends_at: string
  is_pending: boolean
  updated_at: string
  /** Null unless the clinic chose to show details. */
  service_name: string | null
  initials: string | null
}

const WORDS = {
  en: { specialist: 'Booked', patient: 'Appointment' },
  ro: { specialist: 'Ocupat', patient: 'Programare' },
} as const

/** An iCalendar file of all events, in UTC. The same appointments give the same bytes, so its hash is the ETag. */
export function feedFile({ owner, clinic, language, events }: Feed): string {
  const calendar = ical({
    name: clinic,
    prodId: { company: 'Tendon', product: 'Appointments', language: 'EN' },
    method: ICalCalendarMethod.PUBLISH,
    ttl: 900,
  })
  const word = WORDS[language === 'ro' ? 'ro' : 'en'][owner]
  for (const { uid, sequence, starts_at, ends_at, is_pending, updated_at, service_name, initials } of events)
    calendar.createEvent({
      id: `${uid}@tendon`,
      sequence,
      start: new Date(starts_at),
      end: new Date(ends_at),
      stamp: new Date(updated_at),
      summary: owner === 'patient' ? `${word}, ${clinic}` : [service_name ?? word, initials].filter(Boolean).join(', '),
      status: is_pending ? ICalEventStatus.TENTATIVE : ICalEventStatus.CONFIRMED,
    })
  return calendar.toString()
}
