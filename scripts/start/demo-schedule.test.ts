import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startCore, type TestCore } from '../../apps/core/src/testing/core.ts'
import { tokensOf } from '../simulate/testing.ts'
import { type Api, createApi, type Json } from './api.ts'
import { seedPatients } from './demo-patients.ts'
import { seedRecords } from './demo-records.ts'
import { seedSchedule } from './demo-schedule.ts'

describe('the schedule of the demo clinic', () => {
  let core: TestCore
  let api: Api
  let admin: string
  let slug: string
  before(async () => {
    core = await startCore()
    const clinic = await core.organization({ plan: 'pro' })
    admin = clinic.admin.email
    slug = clinic.slug
    api = createApi({ url: core.url, tokenOf: tokensOf(core, clinic.admin) })
    const path = `/v1/organizations/${clinic.id}`
    for (const name of ['Centru', 'Cluj']) await api.post(`${path}/locations`, admin, { name })
    await seedPatients(api, path, admin)
    const roles: Json[] = await api.get(`${path}/roles`, admin)
    const role_id = roles.find(({ code }) => code === 'specialist')?.id
    await api.post(`${path}/members`, admin, { email: 'andrei.popescu@mladita.example', role_id })
    await seedRecords(api, path, admin, admin)
    await seedSchedule(api, path, admin)
  })
  after(() => core.close())

  test('specialists are linked to their sign-ins', async () => {
    const specialists: Json[] = await api.get('/v1/specialists?include=human&sort=name', admin)
    assert.deepEqual(
      specialists.map(({ slug: name, human }) => [name, human?.email ?? null]),
      [
        ['andrei-popescu', 'andrei.popescu@mladita.example'],
        ['cristina-munteanu', null],
        ['emily-carter', null],
      ],
    )
  })

  test('the schedule of the demo clinic has every status over two weeks before and after today, for several specialists', async () => {
    const all: Json[] = []
    for (let page = 1; page <= 5; page++)
      all.push(...(await api.get(`/v1/appointments?limit=100&page=${page}&sort=starts_at`, admin)))
    const statuses = new Set(all.map(({ status }) => status))
    for (const status of ['waitlist', 'pending', 'confirmed', 'completed', 'no_show', 'cancelled'])
      assert.ok(statuses.has(status), status)
    assert.ok(new Set(all.map(({ specialist_id }) => specialist_id)).size >= 3)
    const times = all.flatMap(({ starts_at }) => (starts_at === null ? [] : [Date.parse(starts_at)]))
    const days = (ms: number) => (ms - Date.now()) / 86_400_000
    assert.ok(days(Math.min(...times)) < -10 && days(Math.max(...times)) > 10)
    assert.ok(all.some(({ source }) => source === 'series'))
    assert.ok(all.some(({ rescheduled_from_id }) => rescheduled_from_id !== null))
    assert.ok(all.length > 60, String(all.length))
  })

  test('the schedule of the demo clinic leaves free times that can be booked', async () => {
    const [service] = await api.get('/v1/services?limit=1', admin)
    const [from, to] = [new Date(), new Date(Date.now() + 7 * 86_400_000)]
    const query = `service_id=${service.id}&from=${from.toISOString()}&to=${to.toISOString()}`
    const { data } = await api.raw(`/v1/availability?${query}`, admin)
    assert.ok(data.length > 5, String(data.length))
  })

  test('a newcomer opens the booking page of the clinic and books without an account', async () => {
    const services = await core.get(`/v1/public/services?organization=${slug}`)
    assert.ok(services.body.data.length >= 2, services.text)
    const [service] = services.body.data
    assert.ok(service.specialists.length > 0 && service.locations.length > 0)
    const [from, to] = [new Date(), new Date(Date.now() + 14 * 86_400_000)]
    const window = `from=${from.toISOString()}&to=${to.toISOString()}`
    const free = await core.get(`/v1/public/availability?organization=${slug}&service_id=${service.id}&${window}`)
    // The last one: the first may be over before it is held.
    const { starts_at, specialist_id } = free.body.data.at(-1)
    const wanted = { organization: slug, service_id: service.id, specialist_id, starts_at, mode: service.modes[0] }
    const held = await core.post('/v1/public/holds', { body: wanted })
    assert.equal(held.status, 201, held.text)
    const booker = { name: 'Nina Nou', email: 'nina@mail.example' }
    const booked = await core.post('/v1/public/bookings', { body: { hold_id: held.body.data.id, booker } })
    assert.equal(booked.status, 201, booked.text)
    assert.equal(booked.body.data.starts_at, starts_at)
  })
})
