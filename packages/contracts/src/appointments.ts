import { type Static, Type } from 'typebox'
import { AppointmentDocument } from './appointment-documents.ts'
import { CalendarDate } from './calendars.ts'
import { ProfileChanges, Values } from './profiles.ts'
import { APPOINTMENT_MODES, Currency, OverLimit, Place, PriceCents, ServiceTranslations } from './services.ts'
import { Body, Email, Enum, Id, Line, Name, Nullable, RowVersion, Text, Timestamp } from './shapes.ts'
import { MeetingUrl } from './specialists.ts'

export const APPOINTMENT_STATUSES = [
  'waitlist',
  'pending',
  'confirmed',
  'checked_in',
  'completed',
  'no_show',
  'cancelled',
  'entered_in_error',
] as const
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number]
const ACTORS = ['staff', 'patient', 'booker', 'system'] as const
export const APPOINTMENT_SOURCES = ['staff', 'patient', 'public', 'waitlist', 'series'] as const
export const APPOINTMENT_INCLUDES = ['patient', 'specialist', 'service', 'documents'] as const
export type AppointmentInclude = (typeof APPOINTMENT_INCLUDES)[number]

const Mode = Enum(APPOINTMENT_MODES)
const Note = Text(2000, 'The knee hurts on stairs.')
const Reason = Text(500, 'The patient is ill.')
const Phone = Line(40, '+40 721 000 000')

export const Booker = Type.Object({
  name: Name(200, 'Maria Pop'),
  email: Email,
  phone: Type.Optional(Nullable(Phone)),
  language: Type.Optional(Nullable(Enum(['en', 'ro'] as const))),
})
export type Booker = Static<typeof Booker>

const Wanted = Type.Object({
  specialist_ids: Type.Optional(Type.Array(Id, { maxItems: 20 })),
  windows: Type.Optional(Type.Array(Body({ from: Timestamp, to: Timestamp }), { maxItems: 20 })),
})

/** The freed time that matches a waitlist entry. */
const FreedSlot = Type.Object({ specialist_id: Id, starts_at: Timestamp, ends_at: Timestamp })

/** A day off of the specialist, the location or the clinic. */
const DayOff = Type.Object({
  reason: Nullable(Text(500, 'Conference')),
  is_kept: Type.Boolean({ description: 'The clinic decided to keep the appointment.', examples: [false] }),
})

const NameOf = (example: string) => Type.Object({ id: Id, name: Text(400, example) })
const ServiceName = Type.Object({ ...NameOf('Initial assessment').properties, translations: ServiceTranslations })

export const Appointment = Type.Object({
  id: Id,
  organization_id: Id,
  service_id: Id,
  specialist_id: Nullable(Id),
  location_id: Nullable(Id),
  calendar_id: Nullable(Id),
  patient_profile_id: Nullable(Id),
  patient_id: Nullable(Id),
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  mode: Mode,
  status: Enum(APPOINTMENT_STATUSES, 'confirmed'),
  previous_status: Type.Unsafe<AppointmentStatus | null>({
    ...Nullable(Enum(APPOINTMENT_STATUSES, 'pending')),
    description:
      'The status before this one; null after it was set again. `PUT …/status` sets it again within 24 hours of `status_set_at`, if `status_set_by` is `staff` and the appointment was neither moved nor entered in error; otherwise it refuses.',
  }),
  status_set_at: Nullable(Timestamp),
  status_set_by: Nullable(Enum(ACTORS, 'staff')),
  source: Enum(APPOINTMENT_SOURCES),
  title: Nullable(Line(200, 'First visit')),
  notes: Type.Unsafe<string | null>({ ...Nullable(Note), description: 'For staff alone.' }),
  patient_note: Nullable(Note),
  meeting_url: Nullable(MeetingUrl),
  price_cents: Nullable(PriceCents),
  currency: Currency,
  booker: Type.Union([Booker, Type.Null()]),
  wanted: Type.Union([Wanted, Type.Null()]),
  series_id: Nullable(Id),
  rescheduled_from_id: Nullable(Id),
  rescheduled_to_id: Nullable(Id),
  cancelled_at: Nullable(Timestamp),
  cancelled_by: Nullable(Enum(ACTORS)),
  cancellation_reason: Nullable(Reason),
  confirmed_at: Nullable(Timestamp),
  checked_in_at: Nullable(Timestamp),
  completed_at: Nullable(Timestamp),
  overlap_allowed: Type.Boolean({ examples: [false] }),
  custom_fields: Values,
  missing_consents: Type.Array(Type.String({ examples: ['telemedicine'] })),
  slot_freed_at: Nullable(Timestamp),
  freed_slot: Type.Union([FreedSlot, Type.Null()]),
  kept_on_day_off_at: Type.Unsafe<string | null>({
    ...Nullable(Timestamp),
    description: 'When the clinic decided to keep it on a day off. Counts for days off that were added before.',
  }),
  skipped_starts_at: Type.Array(Timestamp, {
    description: 'Times of the series at which nothing was booked; on its first appointment.',
    examples: [[]],
  }),
  version: Type.Integer({ examples: [1] }),
  created_by_principal_id: Nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  patient: Type.Optional(Type.Union([NameOf('Ion Popescu'), Type.Null()])),
  specialist: Type.Optional(Type.Union([NameOf('Ana Ionescu'), Type.Null()])),
  service: Type.Optional(Type.Union([ServiceName, Type.Null()])),
  documents: Type.Optional(
    Type.Array(Type.Pick(AppointmentDocument, ['id', 'kind', 'language', 'pages', 'size', 'created_at'])),
  ),
  day_off: Type.Optional(
    Type.Union([DayOff, Type.Null()], { description: 'The day off that it is on, when one appointment is read.' }),
  ),
})
export type Appointment = Static<typeof Appointment>

const details = {
  title: Type.Optional(Nullable(Line(200, 'First visit'))),
  notes: Type.Optional(Nullable(Note)),
  patient_note: Type.Optional(Nullable(Note)),
  meeting_url: Type.Optional(Nullable(MeetingUrl)),
  overlap_allowed: Type.Optional(Type.Boolean({ examples: [false] })),
  custom_fields: Type.Optional(ProfileChanges),
}

export const NewAppointment = Body({
  hold_id: Type.Optional(Id),
  service_id: Type.Optional(Id),
  specialist_id: Type.Optional(Id),
  location_id: Type.Optional(Nullable(Id)),
  patient_id: Type.Optional(Id),
  mode: Type.Optional(Mode),
  starts_at: Type.Optional(Timestamp),
  status: Type.Optional(
    Type.Unsafe<'waitlist' | 'pending' | 'confirmed' | 'checked_in'>({
      ...Enum(['waitlist', 'pending', 'confirmed', 'checked_in'] as const, 'confirmed'),
      description: '`checked_in`: the patient came without an appointment. It starts at most 12 hours ago.',
    }),
  ),
  wanted: Type.Optional(Wanted),
  repeat: Type.Optional(
    Body({
      every_weeks: Type.Integer({ minimum: 1, maximum: 4, examples: [1] }),
      count: Type.Integer({ minimum: 2, maximum: 26, examples: [6] }),
      on_conflict: Type.Optional(Enum(['fail', 'skip'] as const)),
    }),
  ),
  over_limit: Type.Optional(OverLimit),
  ...details,
})
export type NewAppointment = Static<typeof NewAppointment>

export const AppointmentChanges = Type.Object(
  {
    ...details,
    mode: Type.Optional(Mode),
    location_id: Type.Optional(Nullable(Id)),
    price_cents: Type.Optional(Nullable(PriceCents)),
    kept_on_day_off: Type.Optional(
      Type.Boolean({ description: 'Whether the clinic keeps it although it is on a day off.', examples: [true] }),
    ),
    version: Type.Optional(RowVersion),
  },
  { additionalProperties: false, minProperties: 1 },
)
export type AppointmentChanges = Static<typeof AppointmentChanges>

export const AppointmentStatusChange = Body({
  status: Enum(APPOINTMENT_STATUSES, 'checked_in'),
  version: Type.Optional(RowVersion),
  reason: Type.Optional(Nullable(Reason)),
  starts_at: Type.Optional(Timestamp),
  specialist_id: Type.Optional(Id),
  over_limit: Type.Optional(OverLimit),
})
export type AppointmentStatusChange = Static<typeof AppointmentStatusChange>

export const AppointmentMove = Body({
  hold_id: Type.Optional(Id),
  starts_at: Type.Optional(Timestamp),
  service_id: Type.Optional(Id),
  specialist_id: Type.Optional(Id),
  mode: Type.Optional(Mode),
  location_id: Type.Optional(Id),
  over_limit: Type.Optional(OverLimit),
  allow_past: Type.Optional(Type.Boolean({ description: 'Also accepts a time that has passed.', examples: [false] })),
})
export type AppointmentMove = Static<typeof AppointmentMove>

/** What a patient was last told about a visit. */
export type ToldVisit = Pick<
  Appointment,
  'status' | 'starts_at' | 'ends_at' | 'time_zone' | 'service_id' | 'specialist_id' | 'location_id' | 'mode'
>

/** The specialist and time of a waitlist entry before staff gave it another one. */
export type TimeBeforeBooking = Pick<Appointment, 'specialist_id' | 'starts_at' | 'ends_at' | 'time_zone'>
export const LinkPatient = Body({ patient_id: Id })

export const appointmentList = {
  sort: ['starts_at', 'created_at', 'updated_at', 'slot_freed_at'],
  ranges: ['starts_at', 'created_at', 'slot_freed_at'],
  filters: {
    status: APPOINTMENT_STATUSES,
    specialist_id: 'uuid',
    patient_id: 'uuid',
    service_id: 'uuid',
    location_id: 'uuid',
    series_id: 'uuid',
    day_off: ['unsettled', 'kept'],
    include: APPOINTMENT_INCLUDES,
  },
} as const

/** A day off before it is saved: of one calendar, else of a location or the whole clinic. */
export const PlannedDayOff = Type.Object({
  date: CalendarDate,
  date_to: Type.Optional(CalendarDate),
  calendar_id: Type.Optional(Id),
  location_id: Type.Optional(Id),
})

export const AffectedAppointments = Type.Object({
  data: Type.Array(Appointment),
  total: Type.Integer({ description: 'How many there are; data has at most 500.', examples: [1] }),
})

// The same as in the calendar files of mails, so that a calendar replaces its entry instead of adding a second one.
export const CalendarUid = Id
export const CalendarSequence = Type.Integer({ minimum: 0, examples: [0] })

/** What a patient sees of their own appointment. */
export const MyAppointment = Type.Object({
  id: Id,
  organization_id: Id,
  starts_at: Nullable(Timestamp),
  ends_at: Nullable(Timestamp),
  time_zone: Type.String({ examples: ['Europe/Bucharest'] }),
  mode: Mode,
  status: Enum(APPOINTMENT_STATUSES, 'confirmed'),
  patient_note: Nullable(Note),
  price_cents: Nullable(PriceCents),
  currency: Currency,
  missing_consents: Type.Array(Type.String({ examples: ['telemedicine'] })),
  cancellation_reason: Nullable(Reason),
  rescheduled_to_id: Nullable(Id),
  service: NameOf('Initial assessment'),
  specialist: Type.Union([NameOf('Ana Ionescu'), Type.Null()]),
  location: Type.Union([Place, Type.Null()]),
  cancel_until: Nullable(Timestamp),
  reschedule_until: Nullable(Timestamp),
  can_join: Type.Boolean({ description: 'A meeting link is there, and now is the time to join.', examples: [false] }),
  is_reviewed: Type.Boolean({ examples: [false] }),
  calendar_uid: CalendarUid,
  calendar_sequence: CalendarSequence,
})
export type MyAppointment = Static<typeof MyAppointment>

export const NewMyAppointment = Body({ hold_id: Id, patient_note: Type.Optional(Nullable(Note)) })
export const MyAppointmentCancel = Body({ reason: Type.Optional(Nullable(Reason)) })
export const MyAppointmentMove = Body({ hold_id: Id })
export const MeetingLink = Type.Object({ url: MeetingUrl })
export const myAppointmentList = {
  sort: ['starts_at'],
  ranges: ['starts_at'],
  filters: { status: APPOINTMENT_STATUSES },
} as const

export const AppointmentReview = Type.Object({
  id: Id,
  appointment_id: Id,
  rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
  comment: Nullable(Note),
  created_at: Timestamp,
})
export type AppointmentReview = Static<typeof AppointmentReview>
export const NewAppointmentReview = Body({
  rating: Type.Integer({ minimum: 1, maximum: 5, examples: [5] }),
  comment: Type.Optional(Nullable(Note)),
})
