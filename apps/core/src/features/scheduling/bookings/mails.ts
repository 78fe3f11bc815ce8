import { mailTemplate } from '@tendon/mail'
import { calendarFile } from './calendar-file.ts'

type BookingUpdate = {
  status: string
  starts_at: string
  ends_at: string
  service_name: string
  specialist_name: string | null
  location_name: string | null
  uid: string
  sequence: number
  url: string
}

const attachmentOf = (data: BookingUpdate, summary: string) => ({
  filename: 'appointment.ics',
  contentType: `text/calendar; charset=utf-8; method=${data.status === 'cancelled' ? 'CANCEL' : 'REQUEST'}`,
  content: calendarFile({
    uid: data.uid,
    sequence: data.sequence,
    startsAt: data.starts_at,
    endsAt: data.ends_at,
    summary,
    location: data.location_name,
    url: data.url,
    isCancelled: data.status === 'cancelled',
  }),
})

const known = (rows: readonly (readonly [string, string | null])[]) =>
  rows.flatMap(([label, value]) => (value === null ? [] : [[label, value] as const]))

/** To somebody who booked without an account: the booking as it is now, with a calendar file and the link to manage it. */
export const bookingUpdated = mailTemplate<BookingUpdate>({
  name: 'booking_updated',
  kind: 'care',
  en: (data, { organizationName, formatTime }) => {
    const clinic = organizationName ?? ''
    const state =
      { cancelled: 'is cancelled', pending: 'is received and waits for confirmation' }[data.status] ?? 'is confirmed'
    return {
      subject: `Your appointment at ${clinic} ${state}`,
      body: [
        'Hello,',
        `Your appointment at ${clinic} ${state}.`,
        {
          rows: known([
            ['When', formatTime(data.starts_at)],
            ['What', data.service_name],
            ['With', data.specialist_name],
            ['Where', data.location_name],
          ]),
        },
        { label: 'View, move or cancel it', url: data.url },
        'If you did not book it, somebody typed your address by mistake. You can cancel it with the link.',
      ],
      attachments: [attachmentOf(data, `${data.service_name}, ${clinic}`)],
    }
  },
  ro: (data, { organizationName, formatTime }) => {
    const clinic = organizationName ?? ''
    const state =
      { cancelled: 'este anulată', pending: 'este primită și așteaptă confirmarea' }[data.status] ?? 'este confirmată'
    return {
      subject: `Programarea dumneavoastră la ${clinic} ${state}`,
      body: [
        'Bună ziua,',
        `Programarea dumneavoastră la ${clinic} ${state}.`,
        {
          rows: known([
            ['Când', formatTime(data.starts_at)],
            ['Ce', data.service_name],
            ['Cu', data.specialist_name],
            ['Unde', data.location_name],
          ]),
        },
        { label: 'Vedeți, mutați sau anulați', url: data.url },
        'Dacă nu ați făcut această programare, cineva a scris adresa din greșeală. O puteți anula cu linkul de mai sus.',
      ],
      attachments: [attachmentOf(data, `${data.service_name}, ${clinic}`)],
    }
  },
})
