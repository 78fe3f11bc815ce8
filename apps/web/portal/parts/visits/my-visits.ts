import type { MyAppointment } from '@tendon/sdk'
import { useWholeList } from '#ui/api/hooks.ts'
import { useClinic } from '#ui/session/clinic.tsx'
import { useServiceNames } from '../book/service-names.ts'

/** The first page comes with the document; most people have fewer visits. */
const PAGE_VISITS = 100
/** Refreshes, so that changes by the clinic appear without a reload. */
const REFRESH_MS = 60_000

const OPEN: readonly MyAppointment['status'][] = ['pending', 'confirmed', 'checked_in']

export interface Visits {
  upcoming: MyAppointment[]
  waiting: MyAppointment[]
  past: MyAppointment[]
}

/** The person's visits at this clinic. */
export function useMyVisits() {
  const { id, slug } = useClinic()
  const query = useWholeList(
    'GET /v1/me/appointments',
    { query: { sort: '-starts_at', limit: PAGE_VISITS } },
    { refreshEvery: REFRESH_MS },
  )
  const nameOf = useServiceNames(slug)
  const here = query.data?.items.filter(({ organization_id }) => organization_id === id)
  const data = here && sorted(here.map((visit) => ({ ...visit, service: nameOf(visit.service) })))
  return { data, error: query.error, refetch: query.refetch }
}

function sorted(visits: readonly MyAppointment[]): Visits {
  const now = Date.now()
  const isUpcoming = ({ status, ends_at }: MyAppointment) =>
    OPEN.includes(status) && ends_at !== null && Date.parse(ends_at) > now
  const isWaiting = ({ status }: MyAppointment) => status === 'waitlist'
  return {
    upcoming: visits.filter(isUpcoming).reverse(),
    waiting: visits.filter(isWaiting),
    past: visits.filter((visit) => !isUpcoming(visit) && !isWaiting(visit)),
  }
}
