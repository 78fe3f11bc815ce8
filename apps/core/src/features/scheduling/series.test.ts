import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../testing/core.ts'
import { addSpecialist, created, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

const WEEK_MS = 7 * 86_400_000

describe('series of visits that skip taken weeks', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  const codeOf = ({ status, body }: Pick<Answer, 'status' | 'body'>) => [status, body?.error?.code]
  const week = (index: number) => new Date(nextMonday().getTime() + index * WEEK_MS)
  const dateOf = (at: Date | string) => new Date(at).toISOString().slice(0, 10)
  const book = (clinic: SchedulingClinic, values: object = {}, as: Person = clinic.admin) =>
    core.post('/v1/appointments', {
      as,
      body: {
        service_id: clinic.service.id,
        specialist_id: clinic.specialist.id,
        starts_at: nextMonday().toISOString(),
        ...values,
      },
    })
  const repeat = { every_weeks: 1, count: 3, on_conflict: 'skip' }
  /** Three hours, because between the Mondays the clocks may change. */
  const around = (at: Date) => [-1, 0, 1].map((hour) => new Date(at.getTime() + hour * 3_600_000).toISOString())

  test('weeks in which the specialist or the patient is busy are skipped', async () => {
    const clinic = await schedulingClinic(core)
    const second = await addSpecialist(core, clinic)
    const patient = await core.patient(clinic)
    for (const starts_at of around(week(1))) await created(book(clinic, { starts_at }))
    for (const starts_at of around(week(2)))
      await created(book(clinic, { starts_at, patient_id: patient.id, specialist_id: second.id }))
    const first = await created(book(clinic, { patient_id: patient.id, repeat }))
    assert.deepEqual(first.skipped_starts_at.map(dateOf), [dateOf(week(1)), dateOf(week(2))])
  })

  test('a day that is full refuses the whole series (409 day_full), and nothing of it is booked', async () => {
    const clinic = await schedulingClinic(core, { max_per_day: 1 })
    const other = new Date(week(1).getTime() + 3 * 3_600_000)
    await created(book(clinic, { starts_at: other.toISOString() }))
    assert.deepEqual(codeOf(await book(clinic, { repeat })), [409, 'day_full'])
    const { body } = await core.get('/v1/appointments', { as: clinic.admin })
    assert.equal(body.pagination.total, 1)
    await created(book(clinic, { repeat, over_limit: true }))
  })

  test('days off are skipped also by staff who may not see calendars', async () => {
    const clinic = await schedulingClinic(core)
    await created(core.post('/v1/closures', { as: clinic.admin, body: { date: dateOf(week(1)), name: 'Flood' } }))
    const booker = await core.memberWith(clinic, ['appointments.manage', 'appointments.view_org'])
    const first = await created(book(clinic, { repeat }, booker))
    assert.deepEqual(first.skipped_starts_at.map(dateOf), [dateOf(week(1))])
  })
})
