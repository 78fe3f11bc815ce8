import { useNavigate, useSearch } from '@tanstack/react-router'
import type { PublicService } from '@tendon/sdk'

export type Mode = 'in_person' | 'video' | 'phone'

/** The choice that leaves specialist or location open, also where a moved visit would keep its own. */
export const ANY = 'any'

/** The visit to move. Service and mode stay; specialist and location stay until the person chooses others. */
export interface MovedVisit {
  service: { id: string }
  mode: Mode
  specialist: { id: string; name: string } | null
  location: { id: string } | null
  calendar_uid: string
}

/** The choices so far, in the URL, so that "back" undoes one choice. */
export interface BookingSearch {
  service?: string
  specialist?: string
  location?: string
  mode?: Mode
  /** The first day shown. */
  from?: string
  day?: string
  /** The start of the held time. */
  slot?: string
}

const ID = /^[\da-f-]{36}$/
const ID_OR_ANY = /^([\da-f-]{36}|any)$/
const DAY = /^\d{4}-\d{2}-\d{2}$/
const INSTANT = /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/
const PARTS = {
  service: ID,
  specialist: ID_OR_ANY,
  location: ID_OR_ANY,
  mode: /^(in_person|video|phone)$/,
  from: DAY,
  day: DAY,
  slot: INSTANT,
}

/** For `validateSearch`: omits invalid values. */
export const bookingSearch = (search: Record<string, unknown>): BookingSearch =>
  Object.fromEntries(
    Object.entries(PARTS)
      .filter(([name, pattern]) => typeof search[name] === 'string' && pattern.test(search[name]))
      .map(([name]) => [name, search[name]]),
  )

export const useBookingSearch = (): BookingSearch => useSearch({ strict: false })

/** The choices that the service offers: the URL may contain others, and a location matters only in person. */
export function offeredChoices(service: PublicService, search: BookingSearch, moved?: MovedVisit) {
  const offers = (ids: readonly { id: string }[], wanted: string | undefined) =>
    ids.some(({ id }) => id === wanted) ? wanted : undefined
  const mode = moved?.mode ?? service.modes.find((one) => one === search.mode) ?? service.modes[0] ?? 'in_person'
  return {
    mode,
    specialist: offers(service.specialists, search.specialist ?? moved?.specialist?.id),
    location: mode === 'in_person' ? offers(service.locations, search.location ?? moved?.location?.id) : undefined,
  }
}

/** Changes some choices; undefined removes one. */
export function useChoose(): (change: Partial<BookingSearch>, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return (change, { replace = false } = {}) =>
    void navigate({
      to: '.',
      search: (before) => ({ ...before, ...change }),
      replace,
      resetScroll: !replace,
    })
}
