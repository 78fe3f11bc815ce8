import { type Static, Type } from 'typebox'
import { Appointment, Booker } from './appointments.ts'
import { CalendarDate } from './calendars.ts'
import { Closure } from './closures.ts'
import { Service } from './services.ts'
import { Enum, Id, Nullable, Text, Timestamp } from './shapes.ts'

export const MAX_CALENDAR_DAYS = 14
export const MAX_CALENDAR_VISITS = 1500

const Detail = Enum(['visits', 'taken'] as const)

export const CalendarViewQuery = Type.Object(
  {
    from: Timestamp,
    to: Timestamp,
    specialist_id: Type.Optional(Id),
    location_id: Type.Optional(Id),
    detail: Type.Optional({ ...Detail, description: 'taken: sums by specialist and day instead of visits.' }),
  },
  { additionalProperties: false },
)
export type CalendarViewQuery = Static<typeof CalendarViewQuery>

const PatientOfVisit = Type.Object({
  id: Id,
  name: Text(400, 'Ion Popescu'),
  last_name: Text(200, 'Popescu'),
})

const { id, version, status, mode, specialist_id, location_id, service_id, series_id, missing_consents } =
  Appointment.properties

/** In this order the answer compresses best: ids and phone numbers are beside each other, what repeats is together. */
export const CalendarVisit = Type.Object({
  status,
  mode,
  starts_at: Timestamp,
  ends_at: Timestamp,
  service_id,
  patient: Type.Union([PatientOfVisit, Type.Null()], {
    description: 'null: not linked to a patient, or you may not see patients.',
  }),
  is_first: Type.Unsafe<boolean | null>({
    ...Nullable(Type.Boolean({ examples: [true] })),
    description:
      'The patient has no earlier visit here that is booked or took place. null: the visit is not linked to a patient.',
  }),
  forms_open: Type.Unsafe<number | null>({
    ...Nullable(Type.Integer({ minimum: 0, examples: [1] })),
    description:
      'Forms of the patient that are not completed: those of this visit and those of no visit. null: you may not see forms.',
  }),
  missing_consents,
  version,
  booker_name: Type.Unsafe<string | null>({ ...Nullable(Booker.properties.name), description: 'Who booked online.' }),
  location_id,
  series_id,
  specialist_id,
  has_note: Type.Boolean({ description: 'There is a note of the staff or of the patient.', examples: [false] }),
  id,
  phone: Type.Unsafe<string | null>({
    ...Nullable(Text(40, '+40 721 000 000')),
    description: 'Of the patient, otherwise of the person who booked online.',
  }),
})
export type CalendarVisit = Static<typeof CalendarVisit>

const CalendarSpan = Type.Object({ from: Timestamp, to: Timestamp })

export const CalendarTaken = Type.Object({
  specialist_id: Nullable(Id),
  day: CalendarDate,
  visits: Type.Integer({
    description: 'Visits that start on this day and are not cancelled or missed.',
    examples: [7],
  }),
  spans: Type.Array(CalendarSpan, { description: 'The time of these visits, merged.' }),
})
export type CalendarTaken = Static<typeof CalendarTaken>

const CalendarSpecialist = Type.Object({
  id: Id,
  name: Text(400, 'Ana Ionescu'),
  hours: Type.Array(CalendarSpan, { description: 'Working time, after overrides and closures.' }),
})

export const CalendarBusy = Type.Object({
  specialist_id: Id,
  from: Timestamp,
  to: Timestamp,
  kind: Enum(['hold', 'external'] as const),
})
export type CalendarBusy = Static<typeof CalendarBusy>

export const CalendarView = Type.Object({
  visits: Type.Optional(
    Type.Array(CalendarVisit, {
      description:
        'By start, of every status except entered_in_error; a moved visit at its new time only. With detail=visits.',
    }),
  ),
  taken: Type.Optional(
    Type.Array(CalendarTaken, {
      description: 'By specialist and local day of the clinic; days without visits are left out. With detail=taken.',
    }),
  ),
  specialists: Type.Array(CalendarSpecialist, {
    description: 'Every specialist, and deleted ones with visits in the period.',
  }),
  busy: Type.Array(CalendarBusy, {
    description: 'Times that somebody holds now, and busy times of connected calendars. Also binds other locations.',
  }),
  closures: Type.Array(Type.Pick(Closure, ['id', 'date', 'date_to', 'location_id', 'name'])),
  services: Type.Array(Type.Pick(Service, ['id', 'name', 'translations', 'color', 'duration_minutes']), {
    description: 'Every service, and deleted ones with visits in the period.',
  }),
})
export type CalendarView = Static<typeof CalendarView>
