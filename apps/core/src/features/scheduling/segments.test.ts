import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { SegmentRule } from '@tendon/contracts'
import { until } from '@tendon/testing'
import { type SegmentsCore, startSegments } from '../records/segments/work.testing.ts'
import { created, lastMonday, nextMonday, type SchedulingClinic, schedulingClinic } from './clinic.testing.ts'

describe('appointments in segments and forms', () => {
  let core: SegmentsCore
  before(async () => {
    core = await startSegments()
  })
  after(() => core.close())

  const book = (clinic: SchedulingClinic, values: object) =>
    created(
      core.post('/v1/appointments', {
        as: clinic.admin,
        body: {
          service_id: clinic.service.id,
          specialist_id: clinic.specialist.id,
          starts_at: nextMonday().toISOString(),
          ...values,
        },
      }),
    )
  const has = (clinic: SchedulingClinic, segment: string, expected: string[]) =>
    until(async () => JSON.stringify(await core.members(clinic, segment)) === JSON.stringify(expected))

  test('a change of an appointment re-evaluates the segments of its patient', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const record = await core.patient(clinic)
    const other = await core.patient(clinic)
    const rule = (values: Omit<Extract<SegmentRule, { source: 'appointments' }>, 'source'>): SegmentRule[] => [
      { source: 'appointments', ...values },
    ]
    const booked = await core.segment(
      clinic,
      rule({ metric: 'count', op: 'gte', value: 1, filters: { status: 'confirmed' } }),
    )
    const missed = await core.segment(
      clinic,
      rule({ metric: 'count', op: 'gte', value: 1, filters: { status: 'no_show' } }),
    )
    const visited = await core.segment(
      clinic,
      rule({ metric: 'last_date', op: 'gte', value: '2020-01-01', filters: { status: 'completed' } }),
    )
    const first = await book(clinic, { patient_id: record.id, starts_at: lastMonday().toISOString() })
    await has(clinic, booked, [record.id])
    const put = (id: string, status: string) =>
      core.put(`/v1/appointments/${id}/status`, { as: clinic.admin, body: { status } })
    await put(first.id, 'completed')
    await has(clinic, booked, [])
    await has(clinic, visited, [record.id])
    const second = await book(clinic, { patient_id: other.id, starts_at: lastMonday(12).toISOString() })
    await put(second.id, 'no_show')
    await has(clinic, missed, [other.id])
    assert.deepEqual(await core.members(clinic, visited), [record.id])
  })

  test('a form contains its appointment: id, status, start and service', async () => {
    const clinic = await schedulingClinic(core)
    await core.publishNotice(clinic)
    const record = await core.patient(clinic)
    const template = await core.template(clinic, [])
    const appointment = await book(clinic, { patient_id: record.id })
    const foreign = await book(clinic, {
      patient_id: (await core.patient(clinic)).id,
      starts_at: nextMonday(13).toISOString(),
    })
    const body = { form_template_id: template, patient_profile_id: record.profile_id }
    const post = (appointment_id: string) =>
      core.post('/v1/forms', { as: clinic.admin, body: { ...body, appointment_id } })
    assert.equal((await post(foreign.id)).status, 400)
    await created(post(appointment.id))
    const { data } = await core.ok('GET', `/v1/forms?include=appointment&appointment_id=${appointment.id}`, {
      as: clinic.admin,
    })
    assert.equal(data.length, 1)
    const { id, status, starts_at, service } = data[0].appointment
    assert.deepEqual(
      [id, status, starts_at, service.name],
      [appointment.id, 'confirmed', appointment.starts_at, 'Session'],
    )
  })
})
