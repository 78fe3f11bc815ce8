import { randomUUID } from 'node:crypto'
import type { TestClinic } from './people.ts'
import type { WebServices } from './services.ts'

export interface Schedule {
  service: { id: string; name: string }
  specialists: { id: string; name: string }[]
}

interface ScheduleOptions {
  service?: object
  names?: readonly string[]
  /** The ids of the locations at which the specialists work, in their order. */
  locations?: readonly string[]
}

const EVERY_DAY = Array.from({ length: 7 }, (_, day) => ({ weekday: day + 1, start: '09:00', end: '18:00' }))

const TIME_ZONE = 'Europe/Bucharest'
const dayFormat = new Intl.DateTimeFormat('en-CA', { timeZone: TIME_ZONE })

/**
 * Gives the clinic specialists who work every day from tomorrow on, and a service that can be booked online. Not today, so
 * that the first free day has all its hours at any time of day.
 */
export async function scheduleOf(
  { api }: WebServices,
  { admin }: TestClinic,
  { service = {}, names = ['Ana Ionescu', 'Andrei Popescu'], locations = [] }: ScheduleOptions = {},
): Promise<Schedule> {
  const specialists = []
  for (const [place, name] of names.entries()) {
    const specialist = await api.post('/v1/specialists', admin, {
      name,
      slug: `s-${randomUUID()}`,
      scheduling_timezone: TIME_ZONE,
    })
    const location_id = locations[place] ?? null
    const week = { specialist_id: specialist.id, name: 'Week', weekly_hours: EVERY_DAY, location_id }
    const { id } = await api.post('/v1/calendars', admin, week)
    await api.post(`/v1/calendars/${id}/overrides`, admin, { date: dayFormat.format(new Date()), windows: [] })
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
