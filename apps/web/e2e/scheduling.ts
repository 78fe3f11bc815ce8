import { randomUUID } from 'node:crypto'
import type { TestClinic } from './people.ts'
import type { WebServices } from './services.ts'

export interface Schedule {
  service: { id: string; name: string }
  specialists: { id: string; name: string }[]
}

const EVERY_DAY = Array.from({ length: 7 }, (_, day) => ({ weekday: day + 1, start: '09:00', end: '18:00' }))

/** Gives the clinic specialists who work every day, and a service that can be booked online. */
export async function scheduleOf(
  { api }: WebServices,
  { admin }: TestClinic,
  { service = {}, names = ['Ana Ionescu', 'Andrei Popescu'] }: { service?: object; names?: readonly string[] } = {},
): Promise<Schedule> {
  const specialists = []
  for (const name of names) {
    const specialist = await api.post('/v1/specialists', admin, {
      name,
      slug: `s-${randomUUID()}`,
      scheduling_timezone: 'Europe/Bucharest',
    })
    await api.post('/v1/calendars', admin, { specialist_id: specialist.id, name: 'Week', weekly_hours: EVERY_DAY })
    specialists.push(specialist)
  }
  const offered = await api.post('/v1/services', admin, {
    name: 'Initial assessment',
    description: 'A first talk and examination.',
    translations: { ro: { name: 'Evaluare inițială', description: 'Prima discuție și examinare.' } },
    duration_minutes: 60,
    min_notice_minutes: 0,
    price_cents: 20_000,
    ...service,
  })
  return { service: offered, specialists }
}

/** The body of a hold: the day after tomorrow at an hour of UTC that is inside the working hours all year. */
export function holdAt({ slug }: TestClinic, { service }: Schedule, hour = 10, mode = 'in_person') {
  const day = new Date(Date.now() + 2 * 86_400_000)
  day.setUTCHours(hour, 0, 0, 0)
  return { organization: slug, service_id: service.id, mode, starts_at: day.toISOString() }
}
