import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, sharedCore, type TestCore } from '../../../testing/core.ts'
import {
  addSpecialist,
  created,
  holdBody,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from '../clinic.testing.ts'

const HOUR_MS = 3_600_000

describe('changing the service, specialist, mode or place of an appointment', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const fieldsOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [
    status,
    Object.keys(body?.error?.fields ?? {}),
  ]
  const newAppointment = (clinic: SchedulingClinic, values: object = {}) =>
    core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: nextMonday().toISOString(),
        ...values,
      },
    })
  const book = (clinic: SchedulingClinic, values: object = {}) => created(newAppointment(clinic, values))
  const change = (clinic: SchedulingClinic, id: string, values: object) =>
    core.post(`/v1/appointments/${id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday().toISOString(), ...values },
    })
  const service = (clinic: SchedulingClinic, values: object = {}) =>
    created(core.post('/v1/services', { as: clinic.admin, body: { name: 'Short', duration_minutes: 30, ...values } }))
  const claimsOf = (id: string) =>
    core.database.query<{ specialist_id: string; minutes: number }>(
      `select specialist_id, (extract(epoch from ends_at - starts_at) / 60)::integer as minutes
       from time_claims where appointment_id = $1`,
      [id],
    )

  test('another service gives its length and price, another specialist the claim, and mode and place follow', async () => {
    const clinic = await schedulingClinic(core, { price_cents: 9000 })
    const short = await service(clinic, { price_cents: 5000 })
    const dan = await addSpecialist(core, clinic)
    const places = `/v1/organizations/${clinic.id}/locations`
    const centre = await created(core.post(places, { as: clinic.admin, body: { name: 'Centre' } }))
    const { id } = await book(clinic)
    const answer = await change(clinic, id, {
      service_id: short.id,
      specialist_id: dan.id,
      mode: 'video',
      location_id: centre.id,
    })
    assert.equal(answer.status, 200, answer.text)
    const { data } = answer.body
    assert.deepEqual(
      [data.service_id, data.specialist_id, data.mode, data.location_id, data.price_cents, data.missing_consents],
      [short.id, dan.id, 'video', centre.id, 5000, ['telemedicine']],
    )
    assert.equal(Date.parse(data.ends_at) - Date.parse(data.starts_at), HOUR_MS / 2)
    assert.deepEqual(await claimsOf(data.id), [{ specialist_id: dan.id, minutes: 30 }])
    assert.deepEqual(await claimsOf(id), [])
    await book(clinic)
  })

  test('a move of the time alone keeps service, specialist, length and price', async () => {
    const clinic = await schedulingClinic(core, { price_cents: 9000 })
    const { id } = await book(clinic)
    await core.patch(`/v1/services/${clinic.service.id}`, {
      as: clinic.admin,
      body: { price_cents: 1, duration_minutes: 30 },
    })
    const same = { service_id: clinic.service.id, specialist_id: clinic.specialist.id.toUpperCase() }
    const { data } = (await change(clinic, id, { ...same, starts_at: nextMonday(12).toISOString() })).body
    const kept = [9000, clinic.service.id, clinic.specialist.id]
    assert.deepEqual([data.price_cents, data.service_id, data.specialist_id], kept)
    assert.equal(Date.parse(data.ends_at) - Date.parse(data.starts_at), HOUR_MS)
  })

  test('what is of another clinic, deleted or taken is refused, and the visit stays', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    const dan = await addSpecialist(core, clinic)
    const full = await service(clinic, { max_per_day: 1, duration_minutes: 60 })
    const { id } = await book(clinic)
    assert.deepEqual(fieldsOf(await change(clinic, id, { service_id: other.service.id })), [422, ['service_id']])
    assert.deepEqual(fieldsOf(await change(clinic, id, { specialist_id: other.specialist.id })), [
      422,
      ['specialist_id'],
    ])
    await book(clinic, { specialist_id: dan.id })
    assert.deepEqual(codeOf(await change(clinic, id, { specialist_id: dan.id })), [409, 'slot_taken'])
    await book(clinic, { service_id: full.id, starts_at: nextMonday(13).toISOString() })
    assert.deepEqual(codeOf(await change(clinic, id, { service_id: full.id })), [409, 'day_full'])
    const gone = await service(clinic, { name: 'Gone' })
    assert.equal((await core.delete(`/v1/services/${gone.id}`, { as: clinic.admin })).status, 204)
    assert.deepEqual(fieldsOf(await change(clinic, id, { service_id: gone.id })), [422, ['service_id']])
    const seen = (await core.get(`/v1/appointments/${id}`, { as: clinic.admin })).body.data
    assert.deepEqual([seen.status, (await claimsOf(id)).length], ['confirmed', 1])
  })

  test('a hold brings its service and specialist; they must be those of the request', async () => {
    const clinic = await schedulingClinic(core)
    const dan = await addSpecialist(core, clinic)
    const short = await service(clinic, { min_notice_minutes: 0, max_days_ahead: 700 })
    const { id } = await book(clinic)
    const values = { service_id: short.id, specialist_id: dan.id }
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic, nextMonday(12), values) }))
    const move = (body: object) => core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })
    assert.deepEqual(codeOf(await move({ hold_id: held.id })), [404, 'hold_not_found'])
    const mismatch = { hold_id: held.id, service_id: short.id, specialist_id: clinic.specialist.id }
    assert.deepEqual(fieldsOf(await move(mismatch)), [422, ['specialist_id']])
    const moved = await move({ hold_id: held.id, service_id: short.id })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual([moved.body.data.service_id, moved.body.data.specialist_id], [short.id, dan.id])
  })

  test('two visits that change their specialists with each other crosswise do not deadlock', async () => {
    const clinic = await schedulingClinic(core)
    const dan = await addSpecialist(core, clinic)
    let [one, two] = [await book(clinic), await book(clinic, { specialist_id: dan.id })]
    for (let round = 0; round < 5; round++) {
      const later = { starts_at: nextMonday(round % 2 === 0 ? 12 : 10).toISOString() }
      const answers = await Promise.all([
        change(clinic, one.id, { ...later, specialist_id: two.specialist_id }),
        change(clinic, two.id, { ...later, specialist_id: one.specialist_id }),
      ])
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200],
      )
      ;[one, two] = answers.map(({ body }) => body.data)
    }
  })

  test('a person who comes without an appointment is added as arrived, at most 12 hours later and a few minutes before', async () => {
    const clinic = await schedulingClinic(core)
    const ago = (hours: number) => new Date(Date.now() - hours * HOUR_MS).toISOString()
    const arrived = { status: 'checked_in', starts_at: ago(11.9) }
    const visit = await book(clinic, arrived)
    assert.deepEqual([visit.status, visit.previous_status, visit.confirmed_at], ['checked_in', null, null])
    assert.ok(visit.checked_in_at)
    assert.equal((await claimsOf(visit.id)).length, 1)
    assert.deepEqual(codeOf(await newAppointment(clinic, arrived)), [409, 'slot_taken'])
    assert.deepEqual(fieldsOf(await newAppointment(clinic, { ...arrived, starts_at: ago(12.1) })), [422, ['starts_at']])
    for (const hours of [0.5, 24 * 365])
      assert.deepEqual(fieldsOf(await newAppointment(clinic, { ...arrived, starts_at: ago(-hours) })), [
        422,
        ['starts_at'],
      ])
    assert.equal((await book(clinic, { ...arrived, starts_at: ago(-0.1) })).status, 'checked_in')
    const held = await created(core.post('/v1/public/holds', { body: holdBody(clinic) }))
    for (const values of [
      { starts_at: undefined, hold_id: held.id },
      { repeat: { every_weeks: 1, count: 2 } },
      { starts_at: undefined },
    ])
      assert.deepEqual(fieldsOf(await newAppointment(clinic, { ...arrived, ...values })), [422, ['status']])
  })
})
