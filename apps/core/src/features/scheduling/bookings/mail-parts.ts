import type { MailContext } from '@tendon/mail'
import { type CalendarEntry, calendarFile } from './calendar-file.ts'

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
  /** The link to manage a booking without an account; its token is known only in requests of the booker. */
  url: string | null
}

const LABELS = { en: ['When', 'What', 'With', 'Where'], ro: ['Când', 'Ce', 'Cu', 'Unde'] } as const
type MailLanguage = keyof typeof LABELS

export const serviceName = (language: MailLanguage, { service_name, service_names }: AppointmentMailData): string =>
  service_names?.[language] ?? service_name

const entryOf = (language: MailLanguage, data: AppointmentMailData, clinic: string | null): CalendarEntry => ({
  uid: data.uid,
  sequence: data.sequence,
  startsAt: data.starts_at,
  endsAt: data.ends_at,
  summary: [serviceName(language, data), clinic].filter(Boolean).join(', '),
  location: data.location_name,
  isCancelled: data.status === 'cancelled',
})

const attachment = (entries: CalendarEntry[], isCancelled: boolean) => ({
  filename: 'appointment.ics',
  contentType: `text/calendar; charset=utf-8; method=${isCancelled ? 'CANCEL' : 'REQUEST'}`,
  content: calendarFile(entries, isCancelled ? 'CANCEL' : 'REQUEST'),
})

export const calendarAttachment = (language: MailLanguage, data: AppointmentMailData, clinic: string | null) =>
  attachment([entryOf(language, data, clinic)], data.status === 'cancelled')

export const seriesAttachment = (language: MailLanguage, appointments: AppointmentMailData[], clinic: string | null) =>
  attachment(
    appointments.map((one) => entryOf(language, one, clinic)),
    false,
  )

/** Time, service, specialist and place; omits what is not known. */
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
  return values.flatMap((value, index) => (value === null ? [] : [[LABELS[language][index] ?? '', value] as const]))
}
