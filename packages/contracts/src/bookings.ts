import { type Static, Type } from 'typebox'
import { APPOINTMENT_STATUSES, CalendarSequence, CalendarUid } from './appointments.ts'
import { APPOINTMENT_MODES, Currency, Place, PriceCents } from './services.ts'
import { Body, Email, Enum, Id, Line, Name, Nullable, Slug, Text, Timestamp } from './shapes.ts'

export const NewBooking = Body({
  hold_id: Id,
  booker: Body({
    name: Name(200, 'Maria Pop'),
    email: Email,
    phone: Type.Optional(Nullable(Line(40, '+40 721 000 000'))),
  }),
  patient_note: Type.Optional(Nullable(Text(2000, 'The knee hurts on stairs.'))),
  language: Type.Optional(Enum(['en', 'ro'] as const)),
})

const Named = (example: string) => Type.Object({ id: Id, name: Text(200, example) })

/** What the link in a booker's mail shows. It names no patient. */
export const Booking = Type.Object({
  reference: Type.String({ examples: ['9F3C01AB'] }),
  status: Enum(APPOINTMENT_STATUSES, 'confirmed'),
  starts_at: Timestamp,
  ends_at: Timestamp,
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  mode: Enum(APPOINTMENT_MODES),
  organization: Type.Object({ name: Text(200, 'Clinica Mlădița'), slug: Slug }),
  service: Named('Initial assessment'),
  specialist: Type.Union([Named('Ana Ionescu'), Type.Null()]),
  location: Type.Union([Place, Type.Null()]),
  price_cents: Nullable(PriceCents),
  currency: Currency,
  cancel_until: Timestamp,
  reschedule_until: Timestamp,
  calendar_uid: CalendarUid,
  calendar_sequence: CalendarSequence,
})
export type Booking = Static<typeof Booking>

/** The response to a booking. The address that was typed may get no mail, so the link is here too. */
export const CreatedBooking = Type.Object({
  ...Booking.properties,
  manage_url: Type.String({
    format: 'uri',
    description: 'Shows, moves or cancels the booking. The mail has the same link.',
    examples: ['https://tendon.example/portal/bookings/pUb1icT0ken'],
  }),
})
export type CreatedBooking = Static<typeof CreatedBooking>

export const BookingToken = Type.Object({
  token: Type.String({ minLength: 10, maxLength: 100, examples: ['pUb1icT0ken'] }),
})
export const BookingMove = Body({ hold_id: Id })

/** A booking without an account that may be the caller's. */
export const MyBooking = Type.Object({
  id: Id,
  organization_id: Id,
  starts_at: Timestamp,
  ends_at: Timestamp,
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  mode: Enum(APPOINTMENT_MODES),
  status: Enum(APPOINTMENT_STATUSES, 'confirmed'),
  service: Named('Initial assessment'),
})
export type MyBooking = Static<typeof MyBooking>
export const LinkMyBooking = Body({ patient_id: Type.Optional(Id) })
