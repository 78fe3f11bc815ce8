import { mailTemplate } from '@tendon/mail'
import {
  type AppointmentMailData,
  appointmentRows,
  calendarParts,
  seriesParts,
  serviceName,
  skippedTimes,
} from './mail-parts.ts'

const STATES = {
  en: {
    cancelled: 'is cancelled',
    pending: 'has been received and is awaiting confirmation',
    confirmed: 'is confirmed',
    moved: 'was moved',
    movedPending: 'was moved and is awaiting confirmation',
    changed: 'was changed',
    changedPending: 'was changed and is awaiting confirmation',
  },
  ro: {
    cancelled: 'este anulată',
    pending: 'a fost primită și așteaptă confirmarea',
    confirmed: 'este confirmată',
    moved: 'a fost mutată',
    movedPending: 'a fost mutată și așteaptă confirmarea',
    changed: 'a fost modificată',
    changedPending: 'a fost modificată și așteaptă confirmarea',
  },
} as const

const CONFIRMED = ['confirmed', 'checked_in']

function stateOf({ status, moved_from, is_changed }: AppointmentMailData): keyof (typeof STATES)['en'] {
  if (status === 'cancelled') return 'cancelled'
  if (status !== 'pending' && !CONFIRMED.includes(status)) throw new Error(`no mail is about a visit that is ${status}`)
  if (is_changed) return status === 'pending' ? 'changedPending' : 'changed'
  if (status === 'pending') return moved_from ? 'movedPending' : 'pending'
  return moved_from ? 'moved' : 'confirmed'
}

/** The current appointment, with a calendar file. Bookers without an account also get the link to manage it. */
export const bookingUpdated = mailTemplate<AppointmentMailData>({
  name: 'booking_updated',
  kind: 'care',
  en: (data, context) => {
    const { organizationName, formatTime } = context
    const clinic = organizationName ?? ''
    const state = STATES.en[stateOf(data)]
    return {
      subject: `Your appointment at ${clinic} ${state}`,
      body: [
        'Hello,',
        `Your appointment at ${clinic} ${state}.`,
        { rows: appointmentRows('en', data, formatTime) },
        ...(data.url === null
          ? []
          : [
              { label: 'View, move or cancel it', url: data.url },
              'If you did not book it, somebody typed your address by mistake. You can cancel it with the link.',
            ]),
      ],
      ...calendarParts('en', data, context),
    }
  },
  ro: (data, context) => {
    const { organizationName, formatTime } = context
    const clinic = organizationName ?? ''
    const state = STATES.ro[stateOf(data)]
    return {
      subject: `Programarea dumneavoastră la ${clinic} ${state}`,
      body: [
        'Bună ziua,',
        `Programarea dumneavoastră la ${clinic} ${state}.`,
        { rows: appointmentRows('ro', data, formatTime) },
        ...(data.url === null
          ? []
          : [
              { label: 'Vedeți, mutați sau anulați', url: data.url },
              'Dacă nu ați făcut această programare, cineva a scris adresa din greșeală. O puteți anula cu linkul de mai sus.',
            ]),
      ],
      ...calendarParts('ro', data, context),
    }
  },
})

/** One mail for all appointments of a series. */
export const seriesBooked = mailTemplate<{ appointments: AppointmentMailData[] }>({
  name: 'series_booked',
  kind: 'care',
  en: ({ appointments }, context) => ({
    subject: `Your appointments at ${context.organizationName ?? ''}`,
    body: [
      'Hello,',
      `These appointments at ${context.organizationName ?? ''} are booked for you:`,
      {
        rows: appointments.map(
          (one) => [context.formatTime(one.starts_at, one.time_zone), serviceName('en', one)] as const,
        ),
      },
      ...skippedTimes('en', appointments, context.formatTime),
    ],
    ...seriesParts('en', appointments, context),
  }),
  ro: ({ appointments }, context) => ({
    subject: `Programările dumneavoastră la ${context.organizationName ?? ''}`,
    body: [
      'Bună ziua,',
      `Aveți următoarele programări la ${context.organizationName ?? ''}:`,
      {
        rows: appointments.map(
          (one) => [context.formatTime(one.starts_at, one.time_zone), serviceName('ro', one)] as const,
        ),
      },
      ...skippedTimes('ro', appointments, context.formatTime),
    ],
    ...seriesParts('ro', appointments, context),
  }),
})
