import type { AvailableSlot, PublicService } from '@tendon/sdk'
import { useRead } from '../../../ui/api/hooks.ts'
import { dayIn, windowOfDays } from '../../../ui/format/dates.ts'
import type { BookingSearch, Mode } from './booking-search.ts'

export const WINDOW_DAYS = 28
/** Refreshes, so that taken times disappear. */
const REFRESH_MS = 20_000
const MAX_TIMES = 1_000

/** The free days from `from` on, and the free times of one of them. */
export function useFreeTimes(
  organization: string,
  service: PublicService,
  { specialist, location, mode }: Pick<BookingSearch, 'specialist' | 'location'> & { mode: Mode },
  { from, day: wanted }: { from: string; day: string | undefined },
) {
  const zone = service.time_zone
  const query = {
    organization,
    service_id: service.id,
    specialist_id: specialist,
    location_id: location,
    mode,
    timezone: zone,
  }
  const refresh = { refreshEvery: REFRESH_MS, keepPrevious: true, staleTime: 0 }
  const days = useRead(
    'GET /v1/public/availability',
    { query: { ...query, ...windowOfDays(from, WINDOW_DAYS), limit: 1 } },
    refresh,
  )
  const free = (days.data?.days ?? []).filter(({ date }) => date >= from).map(({ date }) => date)
  const day = wanted !== undefined && wanted >= from ? wanted : free[0]
  const times = useRead(
    'GET /v1/public/availability',
    { query: { ...query, ...windowOfDays(day ?? from, 1), limit: MAX_TIMES } },
    { ...refresh, enabled: day !== undefined },
  )
  const slots = (times.data?.data ?? []).filter(({ starts_at }) => dayIn(zone, new Date(starts_at)) === day)
  return {
    days,
    free,
    day,
    times,
    slots: oneEach(slots),
    refresh: () => {
      void days.refetch()
      void times.refetch()
    },
  }
}

/** Several specialists may be free at the same time: it is shown once. */
const oneEach = (slots: readonly AvailableSlot[]): AvailableSlot[] => [
  ...new Map(slots.map((slot) => [slot.starts_at, slot])).values(),
]
