import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { APPOINTMENT_STATUSES } from '@tendon/contracts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import {
  addSpecialist,
  created,
  holdBody,
  lastMonday,
  nextMonday,
  type SchedulingClinic,
  schedulingClinic,
} from '../clinic.testing.ts'
import { canBecome } from './rules.ts'

describe('appointments', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: { status: number; body: { error?: { code: string } } }) => [
    status,
    body.error?.code,
  ]
  const book = (clinic: SchedulingClinic, values: object = {}) =>
    core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: nextMonday().toISOString(),
        ...values,
      },
    })
  const setStatus = (clinic: SchedulingClinic, id: string, status: string) =>
    core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })
  const hold = async (clinic: SchedulingClinic, startsAt: Date, values: object = {}) =>
    created(core.post('/v1/public/holds', { body: holdBody(clinic, startsAt, values) }))
  async function withPatient(clinic: SchedulingClinic) {
    await core.publishNotice(clinic)
    const person = await core.signIn()
    const record = await core.patient(clinic, person)
    await core.acceptAll(record)
    return { person, record, headers: { 'x-organization-id': clinic.id } }
  }

  test('staff book a free time, which then is taken; cancelling gives it back', async () => {
    const clinic = await schedulingClinic(core, { price_cents: 9000 })
    const first = await created(book(clinic))
    assert.deepEqual(
      [first.status, first.source, first.price_cents, first.time_zone, first.version],
      ['confirmed', 'staff', 9000, 'Europe/Bucharest', 1],
    )
    assert.equal(Date.parse(first.ends_at) - Date.parse(first.starts_at), 3_600_000)
    assert.deepEqual(codeOf(await book(clinic)), [409, 'slot_taken'])
    const cancelled = await setStatus(clinic, first.id, 'cancelled')
    assert.deepEqual([cancelled.body.data.status, cancelled.body.data.cancelled_by], ['cancelled', 'staff'])
    await created(book(clinic))
  })

  test('of twenty bookings of one time exactly one wins', async () => {
    const clinic = await schedulingClinic(core)
    const answers = await Promise.all(Array.from({ length: 20 }, () => book(clinic)))
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [201, ...Array(19).fill(409)],
    )
  })

  test('a hold is booked once; an expired or unknown one is refused', async () => {
    const clinic = await schedulingClinic(core)
    const held = await hold(clinic, nextMonday())
    const fromHold = (hold_id: string) => core.post('/v1/appointments', { as: clinic.admin, body: { hold_id } })
    const booked = await created(fromHold(held.id))
    assert.equal(booked.starts_at, held.starts_at)
    assert.deepEqual(codeOf(await fromHold(held.id)), [409, 'hold_converted'])
    assert.deepEqual(codeOf(await fromHold(randomUUID())), [404, 'hold_not_found'])
    const late = await hold(clinic, nextMonday(12))
    await core.database.query(`update time_claims set expires_at = now() - interval '1 s' where hold_id = '${late.id}'`)
    assert.deepEqual(codeOf(await fromHold(late.id)), [410, 'hold_expired'])
    const other = await schedulingClinic(core)
    const foreign = await hold(other, nextMonday())
    assert.deepEqual(codeOf(await fromHold(foreign.id)), [404, 'hold_not_found'])
  })

  test('who may book but not see appointments books neither a hold nor a time, and the hold stays', async () => {
    const clinic = await schedulingClinic(core)
    const as = await core.memberWith(clinic, ['appointments.manage'])
    const held = await hold(clinic, nextMonday())
    const time = { service_id: clinic.service.id, specialist_id: clinic.specialist.id, starts_at: nextMonday(12) }
    for (const body of [{ hold_id: held.id }, { hold_id: held.id, title: 'Knee' }, time]) {
      const refused = await core.post('/v1/appointments', { as, body })
      assert.deepEqual([...codeOf(refused), refused.body.error.required], [403, 'forbidden', 'appointments.view_org'])
    }
    await created(core.post('/v1/appointments', { as: clinic.admin, body: { hold_id: held.id } }))
  })

  test('who may delete appointments that they see need not manage them', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await created(book(clinic))
    const blind = await core.memberWith(clinic, ['appointments.delete'])
    assert.deepEqual(codeOf(await core.delete(`/v1/appointments/${id}`, { as: blind })), [404, 'appointment_not_found'])
    const as = await core.memberWith(clinic, ['appointments.delete', 'appointments.view_org'])
    const deleted = await core.delete(`/v1/appointments/${id}`, { as })
    assert.equal(deleted.status, 204, deleted.text)
    assert.equal((await core.get(`/v1/appointments/${id}`, { as })).body.data.status, 'entered_in_error')
    await created(book(clinic))
    const other = await schedulingClinic(core)
    const foreign = await created(book(other))
    assert.deepEqual(codeOf(await core.delete(`/v1/appointments/${foreign.id}`, { as })), [
      404,
      'appointment_not_found',
    ])
  })

  test('every pair of states: the transitions of the design and no other', () => {
    const allowed: Record<string, string[]> = {
      waitlist: ['pending', 'confirmed', 'cancelled'],
      pending: ['confirmed', 'cancelled'],
      confirmed: ['checked_in', 'completed', 'no_show', 'cancelled'],
      checked_in: ['completed', 'cancelled'],
      no_show: ['checked_in'],
    }
    const past = { starts_at: '2026-01-01T00:00:00.000Z' }
    for (const from of APPOINTMENT_STATUSES) {
      for (const to of APPOINTMENT_STATUSES) {
        const can = canBecome({ status: from, ...past }, to, new Date())
        assert.equal(can, allowed[from]?.includes(to) ?? false, `${from} → ${to}`)
      }
    }
    const future = { starts_at: '2999-01-01T00:00:00.000Z' }
    for (const to of ['no_show', 'completed'] as const)
      for (const status of ['confirmed', 'checked_in'] as const)
        assert.equal(canBecome({ status, ...future }, to, new Date()), false, `${status} → ${to}`)
  })

  test('a wrong transition is refused (409), and each change says who made it', async () => {
    const clinic = await schedulingClinic(core)
    const future = await created(book(clinic))
    for (const status of ['no_show', 'completed'])
      assert.deepEqual(codeOf(await setStatus(clinic, future.id, status)), [409, 'invalid_transition'], status)
    assert.equal((await setStatus(clinic, future.id, 'checked_in')).body.data.version, 2)
    assert.deepEqual(codeOf(await setStatus(clinic, future.id, 'completed')), [409, 'invalid_transition'])
    const { id } = await created(book(clinic, { starts_at: lastMonday().toISOString() }))
    assert.equal((await setStatus(clinic, id, 'checked_in')).body.data.version, 2)
    assert.equal((await setStatus(clinic, id, 'completed')).status, 200)
    assert.deepEqual(codeOf(await setStatus(clinic, id, 'cancelled')), [409, 'invalid_transition'])
    const stale = await core.patch(`/v1/appointments/${id}`, { as: clinic.admin, body: { title: 'x', version: 1 } })
    assert.deepEqual(codeOf(stale), [409, 'stale_version'])
  })

  test('confirming a waitlist entry claims its time, or is refused when the time is taken (409)', async () => {
    const clinic = await schedulingClinic(core)
    const waiting = await created(book(clinic, { status: 'waitlist' }))
    const { id } = await created(book(clinic))
    assert.deepEqual(codeOf(await setStatus(clinic, waiting.id, 'confirmed')), [409, 'slot_taken'])
    await setStatus(clinic, id, 'cancelled')
    assert.equal((await setStatus(clinic, waiting.id, 'pending')).status, 200)
    assert.deepEqual(codeOf(await book(clinic)), [409, 'slot_taken'])
  })

  test('rescheduling makes a new row, frees the old time and keeps the calendar entry', async () => {
    const clinic = await schedulingClinic(core)
    const first = await created(book(clinic, { title: 'Knee' }))
    const move = (id: string, body: object) =>
      core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body })
    const moved = await move(first.id, { starts_at: nextMonday(12).toISOString() })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual([moved.body.data.rescheduled_from_id, moved.body.data.title], [first.id, 'Knee'])
    const old = (await core.get(`/v1/appointments/${first.id}`, { as: clinic.admin })).body.data
    assert.deepEqual(
      [old.status, old.cancellation_reason, old.rescheduled_to_id],
      ['cancelled', 'rescheduled', moved.body.data.id],
    )
    await created(book(clinic))
    assert.deepEqual(codeOf(await move(moved.body.data.id, { starts_at: nextMonday().toISOString() })), [
      409,
      'slot_taken',
    ])
    assert.equal(
      (await core.get(`/v1/appointments/${moved.body.data.id}`, { as: clinic.admin })).body.data.status,
      'confirmed',
    )
  })

  test('a move keeps the location unless it names another one of the clinic', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    const place = async (of: SchedulingClinic, name: string) =>
      (await created(core.post(`/v1/organizations/${of.id}/locations`, { as: of.admin, body: { name } }))).id
    const [centre, north, foreign] = [
      await place(clinic, 'Centre'),
      await place(clinic, 'North'),
      await place(other, 'A'),
    ]
    const move = (id: string, hour: number, values: object = {}) =>
      core.post(`/v1/appointments/${id}/reschedule`, {
        as: clinic.admin,
        body: { starts_at: nextMonday(hour).toISOString(), ...values },
      })
    const first = await created(book(clinic, { location_id: centre }))
    const kept = (await move(first.id, 12)).body.data
    assert.equal(kept.location_id, centre)
    const refused = await move(kept.id, 13, { location_id: foreign })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['location_id']])
    const moved = (await move(kept.id, 13, { location_id: north })).body.data
    assert.deepEqual([moved.location_id, moved.status], [north, 'confirmed'])
  })

  test('nothing is booked at, moved or changed to a deleted location; what is there stays', async () => {
    const clinic = await schedulingClinic(core)
    const places = `/v1/organizations/${clinic.id}/locations`
    const { id: closed } = await created(core.post(places, { as: clinic.admin, body: { name: 'Centre' } }))
    const there = await created(book(clinic, { location_id: closed }))
    const elsewhere = await created(book(clinic, { starts_at: nextMonday(12).toISOString() }))
    assert.equal((await core.delete(`${places}/${closed}`, { as: clinic.admin })).status, 204)
    const body = { location_id: closed, starts_at: nextMonday(14).toISOString() }
    const path = `/v1/appointments/${elsewhere.id}`
    for (const refused of [
      await book(clinic, body),
      await core.post(`${path}/reschedule`, { as: clinic.admin, body }),
      await core.patch(path, { as: clinic.admin, body: { location_id: closed } }),
    ])
      assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['location_id']])
    assert.equal((await core.get(path, { as: clinic.admin })).body.data.status, 'confirmed')
    const kept = await core.patch(`/v1/appointments/${there.id}`, {
      as: clinic.admin,
      body: { location_id: closed, title: 'First visit' },
    })
    assert.deepEqual([kept.status, kept.body.data.location_id], [200, closed])
  })

  test('crossing moves of two specialists end without a deadlock', async () => {
    const clinic = await schedulingClinic(core)
    const second = await addSpecialist(core, clinic)
    const one = await created(book(clinic))
    const two = await created(book(clinic, { specialist_id: second.id, starts_at: nextMonday(12).toISOString() }))
    const [holdTwo, holdOne] = [
      await hold(clinic, nextMonday(13), { specialist_id: second.id }),
      await hold(clinic, nextMonday(13), { specialist_id: clinic.specialist.id }),
    ]
    const move = (id: string, hold_id: string) =>
      core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body: { hold_id } })
    const answers = await Promise.all([move(one.id, holdTwo.id), move(two.id, holdOne.id)])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
  })

  test('a series keeps the wall clock; taken weeks fail it or are skipped', async () => {
    const clinic = await schedulingClinic(core)
    const later = new Date(nextMonday().getTime() + 14 * 86_400_000)
    // Three hours, because between the two Mondays the clocks may change.
    for (const hour of [-1, 0, 1])
      await created(book(clinic, { starts_at: new Date(later.getTime() + hour * 3_600_000).toISOString() }))
    const repeat = { every_weeks: 1, count: 4 }
    assert.deepEqual(codeOf(await book(clinic, { repeat })), [409, 'slot_taken'])
    const first = await created(book(clinic, { repeat: { ...repeat, on_conflict: 'skip' } }))
    const { body } = await core.get(`/v1/appointments?series_id=${first.series_id}&sort=starts_at`, {
      as: clinic.admin,
    })
    assert.equal(body.pagination.total, 3)
    const clock = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Bucharest', timeStyle: 'short' })
    const times = body.data.map(({ starts_at }: { starts_at: string }) => clock.format(new Date(starts_at)))
    assert.deepEqual(times, Array(3).fill(clock.format(nextMonday())))
  })

  test('a patient is in one place at a time, unless staff allow it', async () => {
    const clinic = await schedulingClinic(core)
    const second = await addSpecialist(core, clinic)
    const { record } = await withPatient(clinic)
    await created(book(clinic, { patient_id: record.id }))
    const overlap = { patient_id: record.id, specialist_id: second.id }
    assert.deepEqual(codeOf(await book(clinic, overlap)), [409, 'patient_busy'])
    await created(book(clinic, { ...overlap, overlap_allowed: true }))
  })

  test('patients book, move and cancel their own within the notice, and see no notes of staff', async () => {
    const clinic = await schedulingClinic(core)
    const { person, headers } = await withPatient(clinic)
    const held = await hold(clinic, nextMonday())
    const as = { as: person, headers }
    const mine = await created(
      core.post('/v1/me/appointments', { ...as, body: { hold_id: held.id, patient_note: 'Stairs' } }),
    )
    assert.deepEqual([mine.status, mine.service.name, mine.patient_note], ['confirmed', 'Session', 'Stairs'])
    await core.patch(`/v1/appointments/${mine.id}`, { as: clinic.admin, body: { notes: 'for us' } })
    const listed = await core.get('/v1/me/appointments', as)
    assert.equal(listed.body.data.length, 1)
    assert.ok(!listed.text.includes('for us'))
    const next = await hold(clinic, nextMonday(12))
    const moved = await core.post(`/v1/me/appointments/${mine.id}/reschedule`, { ...as, body: { hold_id: next.id } })
    assert.equal(moved.status, 200, moved.text)
    const cancelled = await core.post(`/v1/me/appointments/${moved.body.data.id}/cancel`, { ...as, body: {} })
    assert.equal(cancelled.body.data.status, 'cancelled')
    const stranger = await withPatient(clinic)
    const foreign = await core.post(`/v1/me/appointments/${moved.body.data.id}/cancel`, {
      as: stranger.person,
      headers,
      body: {},
    })
    assert.deepEqual(codeOf(foreign), [404, 'appointment_not_found'])
  })

  test('too late is too late (403 too_late)', async () => {
    const clinic = await schedulingClinic(core, { cancel_notice_minutes: 43_200, reschedule_notice_minutes: 43_200 })
    const { person, headers } = await withPatient(clinic)
    const held = await hold(clinic, nextMonday())
    const { id } = await created(core.post('/v1/me/appointments', { as: person, headers, body: { hold_id: held.id } }))
    const answer = await core.post(`/v1/me/appointments/${id}/cancel`, { as: person, headers, body: {} })
    assert.deepEqual(codeOf(answer), [403, 'too_late'])
  })

  test('a video appointment needs telemedicine, and its link opens only around its time', async () => {
    const clinic = await schedulingClinic(core, { modes: ['video'] })
    const { person, record, headers } = await withPatient(clinic)
    const held = await hold(clinic, nextMonday(), { mode: 'video' })
    const refused = await core.post('/v1/me/appointments', { as: person, headers, body: { hold_id: held.id } })
    assert.deepEqual(codeOf(refused), [403, 'consent_required'])
    const byStaff = await created(
      book(clinic, { mode: 'video', patient_id: record.id, starts_at: nextMonday(12).toISOString() }),
    )
    assert.deepEqual(byStaff.missing_consents, ['telemedicine'])
  })

  test('without a mode, an appointment is in person if its service offers that, otherwise in its first mode', async () => {
    const video = await schedulingClinic(core, { modes: ['video'] })
    const { record } = await withPatient(video)
    const first = await created(book(video, { patient_id: record.id, repeat: { every_weeks: 1, count: 2 } }))
    const { body } = await core.get(`/v1/appointments?series_id=${first.series_id}`, { as: video.admin })
    const modesOf = body.data.map((one: { mode: string; missing_consents: string[] }) => [
      one.mode,
      one.missing_consents,
    ])
    assert.deepEqual(modesOf, [
      ['video', ['telemedicine']],
      ['video', ['telemedicine']],
    ])
    const phone = await schedulingClinic(core, { modes: ['phone', 'video'] })
    assert.equal((await created(book(phone))).mode, 'phone')
    const other = { starts_at: nextMonday(12).toISOString(), mode: 'video' }
    assert.equal((await created(book(phone, other))).mode, 'video')
    assert.equal((await created(book(phone, { status: 'waitlist', starts_at: undefined }))).mode, 'phone')
    const both = await schedulingClinic(core, { modes: ['video', 'in_person'] })
    assert.equal((await created(book(both))).mode, 'in_person')
  })

  test('a refused change names the status of the appointment, also where it is too late for the change', async () => {
    const clinic = await schedulingClinic(core, { cancel_notice_minutes: 43_200, reschedule_notice_minutes: 43_200 })
    const { person, record, headers } = await withPatient(clinic)
    const { id } = await created(book(clinic, { patient_id: record.id }))
    await setStatus(clinic, id, 'cancelled')
    const stateOf = ({ status, body }: Awaited<ReturnType<typeof setStatus>>) => [
      status,
      body.error?.code,
      body.error?.status,
    ]
    const cancelled = [409, 'invalid_transition', 'cancelled']
    const { id: hold_id } = await hold(clinic, nextMonday(12))
    const mine = (action: string, body: object) =>
      core.post(`/v1/me/appointments/${id}/${action}`, { as: person, headers, body })
    assert.deepEqual(stateOf(await mine('cancel', {})), cancelled)
    assert.deepEqual(stateOf(await mine('reschedule', { hold_id })), cancelled)
    const byStaff = await core.post(`/v1/appointments/${id}/reschedule`, { as: clinic.admin, body: { hold_id } })
    assert.deepEqual(stateOf(byStaff), cancelled)
    assert.deepEqual(stateOf(await setStatus(clinic, id, 'completed')), cancelled)
  })

  test('an unknown service or patient is refused with the name of the field (422)', async () => {
    const clinic = await schedulingClinic(core)
    const fieldsOf = async (values: object) => Object.keys((await book(clinic, values)).body.error.fields ?? {})
    assert.deepEqual(await fieldsOf({ service_id: randomUUID() }), ['service_id'])
    assert.deepEqual(await fieldsOf({ patient_id: randomUUID() }), ['patient_id'])
    assert.deepEqual(await fieldsOf({ specialist_id: randomUUID() }), ['specialist_id'])
    const other = await schedulingClinic(core)
    assert.deepEqual(await fieldsOf({ service_id: other.service.id }), ['service_id'])
    const held = await hold(clinic, nextMonday())
    const unknown = await core.post('/v1/appointments', {
      as: clinic.admin,
      body: { hold_id: held.id, patient_id: randomUUID() },
    })
    assert.deepEqual(Object.keys(unknown.body.error.fields), ['patient_id'])
  })

  test('an appointment of a restricted patient cannot be moved (409 processing_restricted), but can be cancelled', async () => {
    const clinic = await schedulingClinic(core)
    const { record, person, headers } = await withPatient(clinic)
    const { id } = await created(book(clinic, { patient_id: record.id }))
    await core.database.query('update patients set restricted_at = now() where id = $1', [record.id])
    const byStaff = await core.post(`/v1/appointments/${id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(12).toISOString() },
    })
    assert.deepEqual(codeOf(byStaff), [409, 'processing_restricted'])
    const { id: hold_id } = await hold(clinic, nextMonday(12))
    const own = await core.post(`/v1/me/appointments/${id}/reschedule`, { as: person, headers, body: { hold_id } })
    assert.deepEqual(codeOf(own), [409, 'processing_restricted'])
    assert.equal((await setStatus(clinic, id, 'cancelled')).status, 200)
  })

  test('a patient reviews a completed appointment once', async () => {
    const clinic = await schedulingClinic(core)
    const { person, record, headers } = await withPatient(clinic)
    const { id } = await created(book(clinic, { patient_id: record.id, starts_at: lastMonday().toISOString() }))
    const review = () => core.post(`/v1/appointments/${id}/reviews`, { as: person, headers, body: { rating: 5 } })
    assert.deepEqual(codeOf(await review()), [409, 'not_completed'])
    await setStatus(clinic, id, 'completed')
    assert.equal((await created(review())).rating, 5)
    assert.deepEqual(codeOf(await review()), [409, 'already_reviewed'])
    const seen = await core.get(`/v1/appointments/${id}/reviews`, { as: clinic.admin })
    assert.equal(seen.body.data.length, 1)
  })

  test('another clinic finds neither the appointment nor its reviews', async () => {
    const [clinic, other] = [await schedulingClinic(core), await schedulingClinic(core)]
    const { id } = await created(book(clinic))
    assert.deepEqual(codeOf(await core.get(`/v1/appointments/${id}`, { as: other.admin })), [
      404,
      'appointment_not_found',
    ])
    assert.equal((await setStatus(other, id, 'cancelled')).status, 404)
    assert.deepEqual(codeOf(await core.get(`/v1/appointments/${id}/reviews`, { as: other.admin })), [
      404,
      'appointment_not_found',
    ])
    assert.deepEqual((await core.get(`/v1/appointments/${id}/reviews`, { as: clinic.admin })).body.data, [])
    assert.deepEqual((await core.get('/v1/appointments', { as: other.admin })).body.data, [])
    const foreignPatient = await withPatient(other)
    const linked = await core.post(`/v1/appointments/${id}/link-patient`, {
      as: clinic.admin,
      body: { patient_id: foreignPatient.record.id },
    })
    assert.equal(linked.status, 404)
  })
})
