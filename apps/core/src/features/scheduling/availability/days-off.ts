import { type Booked, type Calendar, type Closure, type DayOff, dayOffOf } from '@tendon/availability'
import type { TenantTx } from '@tendon/db'
import { type BookedRow, listBooked, listCalendarFacts, listClosureFacts } from './days-off-queries.ts'

interface OnDayOff {
  id: string
  reason: string | null
  /** The clinic decided to keep the appointment after the day off was added. */
  is_kept: boolean
}

/** A day off that is not saved yet: of one calendar, or of the clinic or a location. */
export interface PlannedDayOff {
  date: string
  date_to: string | null
  calendar_id: string | null
  location_id: string | null
}

export const bookedOf = (row: Omit<BookedRow, 'id' | 'specialist_id' | 'kept_on_day_off_at'>): Booked => ({
  ...row,
  startsAtMs: Date.parse(row.starts_at),
  endsAtMs: Date.parse(row.ends_at),
})

/** Booked appointments in the future that are on a day off. Needs calendars.view_org. */
export async function listOnDaysOff(tx: TenantTx, now: Date, appointmentId?: string): Promise<OnDayOff[]> {
  const rows = await listBooked(tx, now, { appointmentId })
  const calendars = await listCalendarFacts(tx, specialistsOf(rows))
  const found = withDayOff(rows, calendars, await listClosureFacts(tx, now))
  return found.map(({ row: { id, kept_on_day_off_at: kept }, off: { reason = null, since } }) => ({
    id,
    reason,
    is_kept: kept !== null && (since === undefined || Date.parse(kept) >= Date.parse(since)),
  }))
}

/** The ids of booked appointments in the future for which a planned day off takes the hours away. */
export async function listAffected(tx: TenantTx, now: Date, planned: PlannedDayOff): Promise<string[]> {
  const { calendar_id, location_id, date, date_to } = planned
  const rows = await listBooked(tx, now, { period: { from: date, to: date_to ?? date } })
  const calendars = await listCalendarFacts(tx, specialistsOf(rows))
  const closures = await listClosureFacts(tx, now)
  const off = { date, date_to, location_id, windows: [] }
  const found =
    calendar_id === null
      ? withDayOff(rows, calendars, [off, ...closures])
      : withDayOff(
          rows,
          calendars.map((one) => (one.id === calendar_id ? { ...one, overrides: [...one.overrides, off] } : one)),
          closures,
        )
  return found.filter((one) => one.off === off).map(({ row }) => row.id)
}

const specialistsOf = (rows: readonly BookedRow[]) => [...new Set(rows.map(({ specialist_id }) => specialist_id))]

function withDayOff(
  rows: readonly BookedRow[],
  calendars: readonly Calendar[],
  closures: readonly Closure[],
): { row: BookedRow; off: DayOff }[] {
  const bySpecialist = Map.groupBy(calendars, ({ specialist_id }) => specialist_id)
  return rows.flatMap((row) => {
    const off = dayOffOf(bookedOf(row), bySpecialist.get(row.specialist_id) ?? [], closures)
    return off ? [{ row, off }] : []
  })
}
