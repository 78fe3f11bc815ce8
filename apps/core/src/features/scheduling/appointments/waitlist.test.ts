import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Client } from 'pg'
import { createServices } from '../../../create-services.ts'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import { jobTools } from '../../connections/job.testing.ts'
import { addSpecialist, created, nextMonday, type SchedulingClinic, schedulingClinic } from '../clinic.testing.ts'
import { appointmentJobs } from './jobs.ts'

describe('the waitlist', () => {
  let core: TestCore
  let worker: ReturnType<typeof createServices>
  before(async () => {
    core = await sharedCore()
    worker = createServices(core.config, 'tendon_worker', core.database.url)
  })
  after(async () => {
    await worker.close()
    await core.close()
  })

  const post = (clinic: SchedulingClinic, body: object) =>
    created(core.post('/v1/appointments', { as: clinic.admin, body }))
  const book = (clinic: SchedulingClinic, hour = 10) =>
    post(clinic, {
      service_id: clinic.service.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(hour).toISOString(),
    })
  const wait = (clinic: SchedulingClinic, wanted: object = {}) =>
    post(clinic, { service_id: clinic.service.id, status: 'waitlist', wanted })
  const setStatus = (clinic: SchedulingClinic, id: string, body: object) =>
    core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body })
  const cancel = (clinic: SchedulingClinic, id: string) => setStatus(clinic, id, { status: 'cancelled' })
  const window = (from: number, to: number) => ({
    from: nextMonday(from).toISOString(),
    to: nextMonday(to).toISOString(),
  })
  async function marked(clinic: SchedulingClinic): Promise<string[]> {
    const { body } = await core.get('/v1/appointments?status=waitlist&sort=created_at', { as: clinic.admin })
    return body.data.flatMap(({ id, slot_freed_at }: { id: string; slot_freed_at: string | null }) =>
      slot_freed_at === null ? [] : [id],
    )
  }

  test('an entry that is being edited when a time is freed is marked later, if the time is still free', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    const edited = await wait(clinic)
    const editor = new Client({ connectionString: core.database.url })
    await editor.connect()
    try {
      await editor.query('begin')
      await editor.query('select 1 from appointments where id = $1 for update', [edited.id])
      assert.equal((await cancel(clinic, id)).status, 200)
      assert.deepEqual(await marked(clinic), [])
      await editor.query('rollback')
    } finally {
      await editor.end()
    }
    const again = await book(clinic)
    await appointmentJobs[0]?.run({}, jobTools(worker))
    assert.deepEqual(await marked(clinic), [])
    await core.database.query('delete from time_claims where appointment_id = $1', [again.id])
    await appointmentJobs[0]?.run({}, jobTools(worker))
    assert.deepEqual(await marked(clinic), [edited.id])
  })

  test('an entry of a restricted patient gets no time (409 processing_restricted), but can be cancelled', async () => {
    const clinic = await schedulingClinic(core)
    const record = await core.patient(clinic, await core.signIn())
    const { id } = await post(clinic, { service_id: clinic.service.id, status: 'waitlist', patient_id: record.id })
    await core.database.query('update patients set restricted_at = now() where id = $1', [record.id])
    const time = { starts_at: nextMonday(11).toISOString(), specialist_id: clinic.specialist.id }
    const given = await setStatus(clinic, id, { status: 'confirmed', ...time })
    assert.deepEqual([given.status, given.body.error.code], [409, 'processing_restricted'])
    assert.equal((await cancel(clinic, id)).status, 200)
  })

  test('an entry of a deleted service gets no time (422)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await wait(clinic)
    await core.database.query('update services set deleted_at = now() where organization_id = $1', [clinic.id])
    const time = { starts_at: nextMonday(11).toISOString(), specialist_id: clinic.specialist.id }
    const given = await setStatus(clinic, id, { status: 'confirmed', ...time })
    assert.deepEqual([given.status, Object.keys(given.body.error.fields)], [422, ['starts_at']])
  })

  test('a cancelled appointment marks the entries that match its time, oldest first', async () => {
    const clinic = await schedulingClinic(core)
    const second = await addSpecialist(core, clinic)
    const { id } = await book(clinic)
    const any = await wait(clinic)
    const inWindow = await wait(clinic, { windows: [window(6, 7), window(9, 12)] })
    const withAna = await wait(clinic, { specialist_ids: [second.id, clinic.specialist.id] })
    await wait(clinic, { windows: [window(12, 18)] })
    await wait(clinic, {
      windows: [{ ...window(9, 12), to: new Date(nextMonday(10).getTime() + 1_800_000).toISOString() }],
    })
    await wait(clinic, { specialist_ids: [second.id] })
    const other = await schedulingClinic(core)
    await wait(other)
    assert.deepEqual(await marked(clinic), [])
    await cancel(clinic, id)
    assert.deepEqual(await marked(clinic), [any.id, inWindow.id, withAna.id])
    assert.deepEqual(await marked(other), [])
    const seen = await core.get(`/v1/appointments/${any.id}`, { as: clinic.admin })
    assert.deepEqual(seen.body.data.freed_slot, {
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(10).toISOString(),
      ends_at: nextMonday(11).toISOString(),
    })
  })

  test('a moved appointment and a longer service free time too; a longer service does not fit a shorter time', async () => {
    const clinic = await schedulingClinic(core)
    const entry = await wait(clinic)
    const short = await created(
      core.post('/v1/services', { as: clinic.admin, body: { name: 'Short', duration_minutes: 30 } }),
    )
    const half = await post(clinic, {
      service_id: short.id,
      specialist_id: clinic.specialist.id,
      starts_at: nextMonday(8).toISOString(),
    })
    await cancel(clinic, half.id)
    assert.deepEqual(await marked(clinic), [])
    const { id } = await book(clinic)
    const moved = await core.post(`/v1/appointments/${id}/reschedule`, {
      as: clinic.admin,
      body: { starts_at: nextMonday(13).toISOString() },
    })
    assert.equal(moved.status, 200, moved.text)
    assert.deepEqual(await marked(clinic), [entry.id])
  })

  test('when several entries are given the same freed time at once, exactly one gets it', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    const entries = await Promise.all(Array.from({ length: 8 }, () => wait(clinic)))
    await cancel(clinic, id)
    const time = { starts_at: nextMonday(10).toISOString(), specialist_id: clinic.specialist.id }
    const answers = await Promise.all(
      entries.map((entry) => setStatus(clinic, entry.id, { status: 'confirmed', ...time })),
    )
    assert.deepEqual(
      answers.map(({ status }) => status).sort((a, b) => a - b),
      [200, ...Array(7).fill(409)],
    )
    const winner = answers.find(({ status }) => status === 200)?.body.data
    assert.deepEqual(
      [winner.status, winner.starts_at, winner.slot_freed_at, winner.freed_slot],
      ['confirmed', time.starts_at, null, null],
    )
    assert.equal((await marked(clinic)).length, 7)
    await appointmentJobs[0]?.run({}, jobTools(worker))
    assert.deepEqual(await marked(clinic), [])
  })

  test('cancelling many appointments at once marks every entry without deadlocks', async () => {
    const clinic = await schedulingClinic(core)
    const booked = []
    for (const hour of [8, 9, 10, 11, 12, 13]) booked.push(await book(clinic, hour))
    const entries = await Promise.all(Array.from({ length: 6 }, () => wait(clinic)))
    const answers = await Promise.all(booked.map(({ id }) => cancel(clinic, id)))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.equal((await marked(clinic)).length, entries.length)
  })

  test('only a waitlist entry with a specialist can be given a time (422)', async () => {
    const clinic = await schedulingClinic(core)
    const { id } = await book(clinic)
    const starts_at = nextMonday(12).toISOString()
    const refused = await setStatus(clinic, id, { status: 'checked_in', starts_at })
    assert.deepEqual(Object.keys(refused.body.error.fields), ['starts_at'])
    const entry = await wait(clinic)
    const without = await setStatus(clinic, entry.id, { status: 'pending', starts_at })
    assert.deepEqual(Object.keys(without.body.error.fields), ['specialist_id'])
  })

  test('confirming an entry without a time names what is missing (422)', async () => {
    const clinic = await schedulingClinic(core)
    const entry = await wait(clinic)
    for (const status of ['confirmed', 'pending']) {
      const refused = await setStatus(clinic, entry.id, { status })
      assert.deepEqual([refused.status, refused.body.error.code], [422, 'validation_failed'])
      assert.deepEqual(Object.keys(refused.body.error.fields), ['starts_at', 'specialist_id'])
    }
    const known = await post(clinic, {
      service_id: clinic.service.id,
      status: 'waitlist',
      specialist_id: clinic.specialist.id,
    })
    const refused = await setStatus(clinic, known.id, { status: 'confirmed' })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['starts_at']])
    assert.equal((await setStatus(clinic, entry.id, { status: 'completed' })).body.error.code, 'invalid_transition')
  })

  test('a wanted window that ends before it starts is refused by its place in the list (422)', async () => {
    const clinic = await schedulingClinic(core)
    const refused = await core.post('/v1/appointments', {
      as: clinic.admin,
      body: { service_id: clinic.service.id, status: 'waitlist', wanted: { windows: [window(8, 9), window(12, 9)] } },
    })
    assert.deepEqual([refused.status, refused.body.error.code], [422, 'validation_failed'])
    assert.deepEqual(Object.keys(refused.body.error.fields), ['wanted.windows.1.to'])
    const empty = await core.post('/v1/appointments', {
      as: clinic.admin,
      body: { service_id: clinic.service.id, status: 'waitlist', wanted: { windows: [window(9, 9)] } },
    })
    assert.equal(empty.status, 422, empty.text)
  })
})
