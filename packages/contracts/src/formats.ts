import { type Static, Type } from 'typebox'
import { Body, Enum } from './shapes.ts'

const DateFormat = Type.Unsafe<'dmy' | 'mdy' | 'ymd'>({
  ...Enum(['dmy', 'mdy', 'ymd']),
  description: 'The order of day, month and year.',
})
const ClockFormat = Enum(['24h', '12h'])
const WeekStart = Type.Unsafe<'monday' | 'saturday' | 'sunday'>({
  ...Enum(['monday', 'saturday', 'sunday']),
  description: 'The first day of a week.',
})

/** How a clinic writes dates and times. */
export const ClinicFormats = Type.Object({ date: DateFormat, clock: ClockFormat, week: WeekStart })
export type ClinicFormats = Static<typeof ClinicFormats>

export const ClinicFormatsChanges = Type.Unsafe<Partial<ClinicFormats>>({
  ...Body({
    date: Type.Optional(DateFormat),
    clock: Type.Optional(ClockFormat),
    week: Type.Optional(WeekStart),
  }),
  description: 'What is left out stays as it is.',
})
