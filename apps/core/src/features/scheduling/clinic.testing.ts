import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import type { Answer, Person, TestCore } from '../../testing/core.ts'

export interface SchedulingClinic {
  id: string
  slug: string
  roles: Record<string, string>
  admin: Person
  specialist: { id: string }
  service: { id: string }
}

export async function created(answer: Promise<Answer>) {
  const { status, body, text } = await answer
  assert.equal(status, 201, text)
  return body.data
}

const MONDAYS = [{ weekday: 1, start: '09:00', end: '17:00' }]

/** A clinic with one specialist who works on Mondays, and one service of an hour. */
export async function schedulingClinic(core: TestCore, service: object = {}): Promise<SchedulingClinic> {
  const clinic = await core.organization()
  const post = (path: string, body: unknown) => created(core.post(path, { as: clinic.admin, body }))
  const specialist = await addSpecialist(core, clinic)
  const offered = await post('/v1/services', {
    name: 'Session',
    duration_minutes: 60,
    min_notice_minutes: 0,
    max_days_ahead: 700,
    ...service,
  })
  return { ...clinic, specialist, service: offered }
}

export async function addSpecialist(core: TestCore, clinic: { admin: Person }, weekly_hours: object[] = MONDAYS) {
  const post = (path: string, body: unknown) => created(core.post(path, { as: clinic.admin, body }))
  const name = { name: 'Ana', slug: `s-${randomUUID()}`, scheduling_timezone: 'Europe/Bucharest' }
  const specialist = await post('/v1/specialists', name)
  await post('/v1/calendars', { specialist_id: specialist.id, name: 'Week', weekly_hours })
  return specialist
}

/** Read once: the Monday stays the same when midnight passes during a test. */
const STARTED_MS = Date.now()

/** The first Monday at least a week from now, at this hour of UTC. From 7 to 13 it is open in winter and in summer. */
export function nextMonday(hour = 10): Date {
  const day = new Date(STARTED_MS + 7 * 86_400_000)
  day.setUTCDate(day.getUTCDate() + ((8 - day.getUTCDay()) % 7))
  day.setUTCHours(hour, 0, 0, 0)
  return day
}

/** A Monday that is over. */
export const lastMonday = (hour?: number): Date => new Date(nextMonday(hour).getTime() - 28 * 86_400_000)

export const holdBody = (clinic: SchedulingClinic, startsAt = nextMonday(), values: object = {}) => ({
  organization: clinic.slug,
  service_id: clinic.service.id,
  mode: 'in_person',
  starts_at: startsAt.toISOString(),
  ...values,
})
