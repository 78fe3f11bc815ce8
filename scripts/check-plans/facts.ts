import type pg from 'pg'
import type { Seeded } from '../seed/seed.ts'
import { type Call, succeeds } from './call.ts'

/** What the requests name: rows of the largest clinic. Another one for each number. */
export interface Facts {
  clinic: string
  slug: string
  domain: string
  service: string
  from: string
  to: string
  patient(number: number): { id: string; profileId: string; email: string; name: string }
  plan(number: number): string
  form(number: number): string
  visit(number: number): string
  /** A visit, and a free time of its specialist. */
  move(number: number): { visit: string; starts_at: string }
  /** Free times of the other specialists. */
  free(number: number): Slot
}

interface Slot {
  starts_at: string
  specialist_id: string
  location_id: string | null
}

const DAY_MS = 86_400_000
const KEPT = 200

export async function findFacts(admin: pg.ClientBase, { clinics, patients }: Seeded, call: Call): Promise<Facts> {
  const [largest] = clinics
  if (!largest) throw new Error('no clinic was seeded')
  const { id: clinic, slug, domain } = largest
  const ids = async (statement: string) => {
    const { rows } = await admin.query<{ id: string }>(`${statement} limit ${KEPT}`, [clinic])
    return pick(rows.map(({ id }) => id))
  }
  const service = (await ids(`select id from services where organization_id = $1 order by slug`))(0)
  const from = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS)
  const week = { from: from.toISOString(), to: new Date(from.getTime() + 7 * DAY_MS).toISOString() }
  const later = new Date(from.getTime() + 30 * DAY_MS).toISOString()
  const query = new URLSearchParams({ service_id: service, from: week.to, to: later, limit: '1000' })
  const { data } = await succeeds(call, { method: 'GET', path: `/v1/availability?${query.toString()}`, as: 'admin' })
  const slots: Slot[] = data
  const mover = slots[0]?.specialist_id
  const { rows: visits } = await admin.query<{ id: string }>(
    `select id from appointments where organization_id = $1 and specialist_id = $2 and status = 'confirmed'
       and starts_at > now() + interval '2 days' order by starts_at, id`,
    [clinic, mover],
  )
  const places = slots.filter(({ specialist_id }) => specialist_id === mover)
  return {
    clinic,
    slug,
    domain,
    service,
    ...week,
    patient: pick(patients.filter(({ organizationId }) => organizationId === clinic)),
    plan: await ids(`select id from treatment_plans where organization_id = $1 and status = 'active' order by id`),
    form: await ids(`select id from forms where organization_id = $1 order by id`),
    visit: pick(visits.map(({ id }) => id)),
    move: pick(
      places.flatMap(({ starts_at }, index) =>
        visits.slice(index, index + 1).map(({ id }) => ({ visit: id, starts_at })),
      ),
    ),
    free: pick(slots.filter(({ specialist_id }) => specialist_id !== mover)),
  }
}

/** Wraps around: a warm-up may ask for more than there is. */
function pick<Value>(values: readonly Value[]): (number: number) => Value {
  return (number) => {
    const value = values[number % values.length]
    if (value === undefined) throw new Error('the seed has none of these')
    return value
  }
}
