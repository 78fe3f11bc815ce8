import type { AvailableSlot, PublicService } from '@tendon/sdk'
import { useRead } from '#ui/api/hooks.ts'
import { addDays, dayIn, windowOfDays } from '#ui/format/dates.ts'
import type { offeredChoices } from './booking-search.ts'

export const WINDOW_DAYS = 28
/** Refreshes, so that taken times disappear. */
const REFRESH_MS = 20_000
const MAX_TIMES = 1_000
/** Enough for the times of the first day, so that it needs no second request. */
const FIRST_TIMES = 100

/** The free days from `from` on, and the free times of one of them. */
export function useFreeTimes(
  organization: string,
  service: PublicService,
  { specialist, location, mode }: ReturnType<typeof offeredChoices>,
  { from, day: wanted, moves }: { from: string; day: string | undefined; moves: string | undefined },
) {
  const zone = service.time_zone
  const query = {
    organization,
    service_id: service.id,
    specialist_id: specialist,
    location_id: location,
    mode,
    moves_calendar_uid: moves,
    timezone: zone,
  }
  const refresh = { refreshEvery: REFRESH_MS, staleTime: 0 }
  const days = useRead(
    'GET /v1/public/availability',
    { query: { ...query, ...windowOfDays(from, WINDOW_DAYS), limit: FIRST_TIMES } },
    { ...refresh, keepPrevious: true },
  )
  // The answer has a part of the day before and of the day after, too.
  const end = addDays(from, WINDOW_DAYS)
  const shown = (days.data?.days ?? []).filter(({ date }) => date >= from && date < end)
  const free = shown.map(({ date }) => date)
  const day = wanted !== undefined && wanted >= from ? wanted : free[0]
  const ofDay = (slots: readonly AvailableSlot[]) =>
    slots.filter(({ starts_at }) => dayIn(zone, new Date(starts_at)) === day)
  const known = ofDay(days.data?.data ?? [])
  const isKnown = shown.some(({ date, free: count }) => date === day && count === known.length)
  const times = useRead(
    'GET /v1/public/availability',
    { query: { ...query, ...windowOfDays(day ?? from, 1), limit: MAX_TIMES } },
    { ...refresh, enabled: day !== undefined && !isKnown && !days.isPlaceholderData },
  )
  const slots = isKnown ? known : ofDay(times.data?.data ?? [])
  return {
    days,
    free,
    day,
    // The days of the choices before stay until the next have come; their times are those of somebody else.
    isLoading: days.isPlaceholderData || (!isKnown && times.data === undefined),
    /** Why the times of the day could not be loaded. */
    error: isKnown || times.data ? null : times.error,
    slots,
    refresh: () => {
      void days.refetch()
      if (!isKnown) void times.refetch()
    },
  }
}
