import type { ClinicFormats } from '@tendon/contracts'

/** The columns; null: the clinic has not saved any settings. */
export interface StoredFormats {
  date_format: ClinicFormats['date'] | null
  clock_format: ClinicFormats['clock'] | null
  week_start: ClinicFormats['week'] | null
}

const DEFAULT_FORMATS: ClinicFormats = { date: 'dmy', clock: '24h', week: 'monday' }

export const formatsOf = ({ date_format, clock_format, week_start }: StoredFormats): ClinicFormats => ({
  date: date_format ?? DEFAULT_FORMATS.date,
  clock: clock_format ?? DEFAULT_FORMATS.clock,
  week: week_start ?? DEFAULT_FORMATS.week,
})

/** The same row with its formats as the API shows them. */
export function withFormats<Row extends StoredFormats>(row: Row) {
  const { date_format, clock_format, week_start, ...rest } = row
  return { ...rest, formats: formatsOf({ date_format, clock_format, week_start }) }
}

/** The columns that a change of formats writes. */
export const formatColumns = ({ date, clock, week }: Partial<ClinicFormats> = {}) => ({
  ...(date === undefined ? {} : { date_format: date }),
  ...(clock === undefined ? {} : { clock_format: clock }),
  ...(week === undefined ? {} : { week_start: week }),
})
