import { type LocalDay, mergeSpans, type Span, workingHours } from '@tendon/availability'
import type { CalendarBusy, CalendarView } from '@tendon/contracts'
import { type ServiceTx, together } from '@tendon/db'
import {
  type BusyRow,
  listClosuresNear,
  listExternalTimes,
  listHeldTimes,
  listServiceLegend,
  listSpecialistNames,
  listWorkingCalendars,
} from './facts-queries.ts'
import type { Asked } from './queries.ts'
import { isShown } from './rules.ts'

/** Ids in the answer whose names are needed also when they are deleted. */
interface Used {
  specialists: readonly string[]
  services: readonly string[]
}

/** What is beside the visits: who works when, what else is taken, and names. */
export async function readSurroundings(
  tx: ServiceTx,
  asked: Asked,
  days: readonly LocalDay[],
  used: Used,
): Promise<Pick<CalendarView, 'specialists' | 'busy' | 'closures' | 'services'>> {
  const [names, calendars, closures, held, external, services] = await together([
    listSpecialistNames(tx, asked, used.specialists),
    listWorkingCalendars(tx, asked),
    listClosuresNear(tx, asked),
    listHeldTimes(tx, asked),
    listExternalTimes(tx, asked),
    listServiceLegend(tx, used.services),
  ])
  const hours = workingHours({ fromMs: asked.from.getTime(), toMs: asked.to.getTime(), calendars, closures })
  const shown = { first: days[0]?.date ?? '', last: days.at(-1)?.date ?? '' }
  return {
    specialists: names.map(({ id, name }) => ({ id, name, hours: (hours.get(id) ?? []).map(spanRow) })),
    busy: [...busyTimes(held, 'hold'), ...busyTimes(external, 'external')],
    closures: closures.filter((closure) => isShown(closure, shown, asked.locationId)),
    services,
  }
}

export const spanRow = ({ fromMs, toMs }: Span) => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
})

/** Merged: two connected calendars often have the same event. */
function busyTimes(rows: readonly BusyRow[], kind: CalendarBusy['kind']): CalendarBusy[] {
  const bySpecialist = Map.groupBy(rows, ({ specialist_id }) => specialist_id)
  return [...bySpecialist].flatMap(([specialist_id, times]) =>
    mergeSpans(times.map(spanOf)).map((span) => ({ specialist_id, ...spanRow(span), kind })),
  )
}

export const spanOf = ({ starts_at, ends_at }: { starts_at: string; ends_at: string }): Span => ({
  fromMs: Date.parse(starts_at),
  toMs: Date.parse(ends_at),
})
