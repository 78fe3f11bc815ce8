import type { MailContext } from '@tendon/mail'
import { type CalendarEntry, calendarFile, type Invitation } from './calendar-file.ts'

/** Parts of mails about one appointment. */
export type AppointmentMailData = {
  status: string
  starts_at: string
  ends_at: string
  /** Missing in mails that were queued by an older release. */
  time_zone?: string
  service_name: string
  /** Language → name, for languages with a translation. Missing in mails that were queued by an older release. */
  service_names?: Partial<Record<string, string>>
  specialist_name: string | null
  location_name: string | null
  uid: string
  sequence: number
  /** Only after a move: the time that it had before. */
  moved_from?: { starts_at: string; time_zone: string }
  /** Something else than its time or status is different now. */
  is_changed?: boolean
  /** Why the clinic cancelled it, if the patient may read it in the portal. */
  reason?: string
  /** The link to manage a booking without an account; its token is known only in requests of the booker. */
  url: string | null
  /** Of a series: the times at which nothing was booked. Missing in mails that were queued by an older release. */
  skipped?: string[]
}

const LABELS = { en: ['When', 'What', 'With', 'Where'], ro: ['Când', 'Ce', 'Cu', 'Unde'] } as const
const MORE_LABELS = {
  en: { before: 'Old time', now: 'New time', reason: 'Reason' },
  ro: { before: 'Ora veche', now: 'Ora nouă', reason: 'Motiv' },
} as const
type MailLanguage = keyof typeof LABELS

export const serviceName = (language: MailLanguage, { service_name, service_names }: AppointmentMailData): string =>
  service_names?.[language] ?? service_name

type Sending = Pick<MailContext, 'organizationName' | 'fromAddress' | 'toAddress' | 'sentAt'>

const entryOf = (language: MailLanguage, data: AppointmentMailData, clinic: string | null): CalendarEntry => ({
  uid: data.uid,
  sequence: data.sequence,
  startsAt: data.starts_at,
  endsAt: data.ends_at,
  summary: [serviceName(language, data), clinic].filter(Boolean).join(', '),
  location: data.location_name,
  status: data.status === 'cancelled' || data.status === 'pending' ? data.status : 'confirmed',
})

const invitationOf = (
  method: Invitation['method'],
  { organizationName, fromAddress, toAddress, sentAt }: Sending,
): Invitation => ({
  method,
  clinic: { name: organizationName ?? '', address: fromAddress },
  attendee: toAddress,
  sentAt,
})

const attachment = (method: Invitation['method'], content: string) => ({
  filename: 'appointment.ics',
  contentType: `text/calendar; charset=utf-8; method=${method}`,
  content,
})

/** The calendar file of one appointment: beside the text, where calendars look for it, and as a file for people. */
export function calendarParts(language: MailLanguage, data: AppointmentMailData, sending: Sending) {
  const method = data.status === 'cancelled' ? 'CANCEL' : 'REQUEST'
  const content = calendarFile([entryOf(language, data, sending.organizationName)], invitationOf(method, sending))
  return { calendar: { method, content }, attachments: [attachment(method, content)] } as const
}

/** Only as a file: an invitation in the mail itself has one UID (RFC 5546 3.2.2), and a series has several. */
export function seriesParts(language: MailLanguage, appointments: AppointmentMailData[], sending: Sending) {
  const entries = appointments.map((one) => entryOf(language, one, sending.organizationName))
  return { attachments: [attachment('REQUEST', calendarFile(entries, invitationOf('REQUEST', sending)))] }
}

const SKIPPED = {
  en: 'Nothing is booked at these times of the series:',
  ro: 'La următoarele ore din serie nu aveți programare:',
} as const

/** Names the times of a series at which nothing was booked; nothing when there are none. */
export function skippedTimes(
  language: MailLanguage,
  [first]: readonly AppointmentMailData[],
  formatTime: MailContext['formatTime'],
): string[] {
  const times = (first?.skipped ?? []).map((at) => formatTime(at, first?.time_zone))
  return times.length === 0 ? [] : [[SKIPPED[language], times.join('; ')].join(' ')]
}

/** Time (of a moved visit the old one too), service, specialist, place and reason; omits what is not known. */
export function appointmentRows(
  language: MailLanguage,
  data: AppointmentMailData,
  formatTime: MailContext['formatTime'],
): (readonly [string, string])[] {
  const values = [
    formatTime(data.starts_at, data.time_zone),
    serviceName(language, data),
    data.specialist_name,
    data.location_name,
  ]
  const { before, now, reason } = MORE_LABELS[language]
  const { moved_from } = data
  const [when = '', ...labels] = LABELS[language]
  const timeLabel = moved_from ? now : when
  return [
    ...(moved_from ? [[before, formatTime(moved_from.starts_at, moved_from.time_zone)] as const] : []),
    ...values.flatMap((value, index) =>
      value === null ? [] : [[[timeLabel, ...labels][index] ?? '', value] as const],
    ),
    ...(data.reason === undefined ? [] : [[reason, data.reason] as const]),
  ]
}
