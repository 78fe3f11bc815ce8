import { instantOf, readZone } from '@tendon/availability'
import { randomFrom } from '@tendon/testing'
import type { Api, Json } from './api.ts'

// Two weeks of appointments before and after today, through the API: three specialists at two locations, every status, a
// series, a booking without an account and a waitlist. The calendar depends only on the day.

const ZONE = 'Europe/Bucharest'
const DAY_MS = 86_400_000
const DAYS = 14

const SERVICES = [
  {
    name: 'Evaluare inițială',
    translations: { en: { name: 'Initial assessment' } },
    duration_minutes: 60,
    modes: ['in_person', 'video'],
    price_cents: 22_000,
    color: '#0b7a61',
  },
  {
    name: 'Ședință de kinetoterapie',
    translations: { en: { name: 'Physiotherapy session' } },
    duration_minutes: 50,
    buffer_after_minutes: 10,
    modes: ['in_person'],
    price_cents: 15_000,
    color: '#2563a8',
  },
  {
    name: 'Consult video',
    translations: { en: { name: 'Video consultation' } },
    duration_minutes: 30,
    modes: ['video'],
    requires_confirmation: true,
    price_cents: 12_000,
    color: '#8a4fbf',
  },
]
const CLOSURES = [
  { month: 12, day: 25, days: 2, name: 'Crăciun' },
  { month: 1, day: 1, days: 2, name: 'Anul Nou' },
]
const CRISTINA = { name: 'Cristina Munteanu', slug: 'cristina-munteanu', title: 'Kinetoterapeut' }

const hours = (weekdays: number[], start: string, end: string) => weekdays.map((weekday) => ({ weekday, start, end }))

/** Working hours: slug of the specialist, name of the location, hours. */
const CALENDARS = [
  { slug: 'andrei-popescu', location: 'Centru', from: 9, to: 17, weekdays: [1, 2, 3, 4, 5] },
  { slug: 'emily-carter', location: 'Centru', from: 10, to: 18, weekdays: [1, 3, 5] },
  { slug: 'emily-carter', location: 'Cluj', from: 9, to: 15, weekdays: [2, 4] },
  { slug: 'cristina-munteanu', location: 'Cluj', from: 8, to: 14, weekdays: [2, 3, 4, 5, 6] },
] as const

const clock = (hour: number) => `${String(hour).padStart(2, '0')}:00`

export async function seedSchedule(api: Api, organizationPath: string, admin: string, now = new Date()): Promise<void> {
  const specialists: Json[] = await api.get('/v1/specialists?limit=100', admin)
  const known = new Map(specialists.map((one) => [one.slug, one.id]))
  const timeZone = { scheduling_timezone: ZONE }
  if (!known.has(CRISTINA.slug))
    known.set(CRISTINA.slug, (await api.post('/v1/specialists', admin, { ...CRISTINA, ...timeZone })).id)
  const locations: Json[] = await api.get(`${organizationPath}/locations?limit=100`, admin)
  const locationId = (name: string) => locations.find((one) => one.name === name)?.id ?? null
  for (const { slug, location, from, to, weekdays } of CALENDARS) {
    if (!known.has(slug)) continue
    await api.post('/v1/calendars', admin, {
      specialist_id: known.get(slug),
      name: location,
      location_id: locationId(location),
      weekly_hours: hours([...weekdays], clock(from), clock(to)),
    })
  }
  for (const { month, day, days, name } of CLOSURES) {
    const date = new Date(Date.UTC(now.getUTCFullYear() + (month < now.getUTCMonth() + 1 ? 1 : 0), month - 1, day))
    const to = new Date(date.getTime() + (days - 1) * DAY_MS)
    await api.post('/v1/closures', admin, { date: isoDate(date), date_to: isoDate(to), name })
  }
  const services: Json[] = []
  for (const service of SERVICES) services.push(await api.post('/v1/services', admin, service))
  const patients: Json[] = await api.get('/v1/patients?limit=100', admin)
  await seedAppointments({ api, admin, now, known, locationId, services, patients })
}

const isoDate = (date: Date) => date.toISOString().slice(0, 10)

interface Clinic {
  api: Api
  admin: string
  now: Date
  known: Map<string, string>
  locationId: (name: string) => string | null
  services: Json[]
  patients: Json[]
}

async function seedAppointments(clinic: Clinic): Promise<void> {
  const { api, admin, now, known, locationId, services, patients } = clinic
  const random = randomFrom(19)
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const zone = readZone(ZONE, today - (DAYS + 1) * DAY_MS, today + 60 * DAY_MS)
  const instant = (day: number, hour: number) => instantOf(zone, today + day * DAY_MS + hour * 3_600_000)
  const book = (body: object) => api.post('/v1/appointments', admin, body)
  const setStatus = (id: string, status: string, reason?: string) =>
    api.put(`/v1/appointments/${id}/status`, admin, { status, ...(reason ? { reason } : {}) })
  const weekdayOf = (day: number) => new Date(today + day * DAY_MS).getUTCDay() || 7

  await seedSeries(clinic, instant, weekdayOf)
  for (let day = -DAYS; day <= DAYS; day++) {
    for (const [place, { slug, location, from, to, weekdays }] of CALENDARS.entries()) {
      if (!known.has(slug) || !(weekdays as readonly number[]).includes(weekdayOf(day))) continue
      for (let hour = from; hour < to; hour++) {
        const at = instant(day, hour)
        // The first hour of the first calendar is the series; the last hours of the day stay free.
        const isFree =
          hour === to - 1 || (place === 0 && hour === from) || random() > (day <= 0 ? 0.6 : 0.6 - day * 0.03)
        if (at === undefined || isFree) continue
        const patient = patients[(day + DAYS + hour + place * 5) % patients.length]
        const service = services[random() < 0.2 ? 0 : 1]
        const isPending = day > 0 && random() < 0.12
        const { id } = await book({
          service_id: service.id,
          specialist_id: known.get(slug),
          location_id: locationId(location),
          patient_id: patient.id,
          starts_at: new Date(at).toISOString(),
          status: isPending ? 'pending' : 'confirmed',
          overlap_allowed: true,
        })
        const ended = at + service.duration_minutes * 60_000 < now.getTime()
        const chance = random()
        if (ended) {
          if (chance < 0.08) await setStatus(id, 'no_show')
          else if (chance < 0.18) await setStatus(id, 'cancelled', 'Pacientul a răcit.')
          else await setStatus(id, 'completed')
        } else if (at < now.getTime()) await setStatus(id, 'checked_in')
        else if (chance < 0.06) await setStatus(id, 'cancelled', 'Pacientul este plecat.')
      }
    }
  }
  await seedWaitlist(clinic, instant)
}

type Instant = (day: number, hour: number) => number | undefined

/** A weekly series of eight appointments for one patient, one of them moved. */
async function seedSeries(
  { api, admin, known, services, patients }: Clinic,
  instant: Instant,
  weekdayOf: (day: number) => number,
) {
  const first = -DAYS + ((8 - weekdayOf(-DAYS)) % 7)
  const at = instant(first, 9)
  const specialist = known.get('andrei-popescu')
  if (at === undefined || specialist === undefined) return
  await api.post('/v1/appointments', admin, {
    service_id: services[1].id,
    specialist_id: specialist,
    patient_id: patients[0].id,
    starts_at: new Date(at).toISOString(),
    title: 'Genunchi, 8 ședințe',
    overlap_allowed: true,
    repeat: { every_weeks: 1, count: 8, on_conflict: 'skip' },
  })
  const coming: Json[] = await api.get(
    `/v1/appointments?specialist_id=${specialist}&starts_at_after=${new Date().toISOString()}&sort=starts_at&limit=1`,
    admin,
  )
  if (coming[0])
    await api.post(`/v1/appointments/${coming[0].id}/reschedule`, admin, {
      starts_at: new Date(Date.parse(coming[0].starts_at) + 7 * 3_600_000).toISOString(),
    })
}

/** Three waitlist entries, and a cancelled appointment whose time matches two of them. */
async function seedWaitlist({ api, admin, known, services, patients }: Clinic, instant: Instant): Promise<void> {
  const iso = (day: number, hour: number) => new Date(instant(day, hour) ?? 0).toISOString()
  const wanted = [
    { windows: [{ from: iso(1, 8), to: iso(8, 20) }] },
    { specialist_ids: [known.get('emily-carter')].filter(Boolean) },
    { windows: [{ from: iso(3, 12), to: iso(5, 20) }] },
  ]
  for (const [index, one] of wanted.entries())
    await api.post('/v1/appointments', admin, {
      service_id: services[1].id,
      patient_id: patients[(index * 3 + 1) % patients.length].id,
      status: 'waitlist',
      wanted: one,
    })
  const next: Json[] = await api.get(
    `/v1/appointments?status=confirmed&starts_at_after=${iso(1, 8)}&sort=starts_at&limit=1`,
    admin,
  )
  if (next[0]) await api.put(`/v1/appointments/${next[0].id}/status`, admin, { status: 'cancelled', reason: 'Mutare.' })
}
