import { daysBetween, type LocalDay, localLength } from '@tendon/availability'
import type { CalendarView, CalendarVisit } from '@tendon/contracts'
import { asService, type TenantTx, together } from '@tendon/db'
import { KEEPS_TIME } from '../appointments/index.ts'
import { periodTooLarge } from './errors.ts'
import { READS_CALENDAR } from './facts-queries.ts'
import { readMarks } from './marks.ts'
import { type Asked, findTimeZone, listTakenTimes, listVisits, type VisitRow } from './queries.ts'
import { hasTooManyVisits, isTooLong } from './rules.ts'
import { readSurroundings, spanOf, spanRow } from './surroundings.ts'
import { takenByDay } from './taken.ts'

/** The visits of the period, with what is around them. */
export async function visitsView(tx: TenantTx, asked: Asked, maySeeForms: boolean): Promise<CalendarView> {
  const [timeZone, rows] = await together([findTimeZone(tx), listVisits(tx, asked)])
  const days = daysOf(timeZone, asked, rows.length)
  const used = {
    specialists: distinct(rows.map(({ specialist_id }) => specialist_id)),
    services: distinct(rows.map(({ service_id }) => service_id)),
  }
  const [around, marksOf] = await asService(tx, READS_CALENDAR.codes, (own) =>
    together([readSurroundings(own, asked, days, used), readMarks(own, rows, maySeeForms)]),
  )
  return { visits: rows.map((row) => ({ ...visitOf(row), ...marksOf(row) })), ...around }
}

/** The same for the week of a team: counts and taken time instead of visits. */
export async function takenView(tx: TenantTx, asked: Asked): Promise<CalendarView> {
  const [timeZone, times] = await together([findTimeZone(tx), listTakenTimes(tx, asked, KEEPS_TIME)])
  const days = daysOf(timeZone, asked, times.length)
  const used = { specialists: distinct(times.map(({ specialist_id }) => specialist_id)), services: [] }
  const around = await asService(tx, READS_CALENDAR.codes, (own) => readSurroundings(own, asked, days, used))
  const taken = takenByDay(
    times.map((time) => ({ specialist_id: time.specialist_id, ...spanOf(time) })),
    days,
  )
  return { taken: taken.map((day) => ({ ...day, spans: day.spans.map(spanRow) })), ...around }
}

function daysOf(timeZone: string, { from, to }: Asked, visits: number): LocalDay[] {
  const [fromMs, toMs] = [from.getTime(), to.getTime()]
  if (isTooLong(localLength(timeZone, fromMs, toMs)) || hasTooManyVisits(visits)) throw periodTooLarge()
  return daysBetween(timeZone, fromMs, toMs)
}

const distinct = (ids: readonly (string | null)[]) => [...new Set(ids)].filter((id) => id !== null)

/** The patient_id stays in the row; the contract leaves it out of the answer. */
function visitOf({
  seen_patient_id: id,
  name,
  last_name,
  ...row
}: VisitRow): Omit<CalendarVisit, 'is_first' | 'forms_open'> {
  const isSeen = id !== null && name !== null && last_name !== null
  return { ...row, patient: isSeen ? { id, name, last_name } : null }
}
