import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { endedByAppointment } from './lateness.ts'

const at = (hour: number) => new Date(Date.UTC(2026, 10, 16, hour))
const before = { type: 'wait' as const, params: { before_appointment_minutes: 60 } }
const wait = { type: 'wait' as const, params: { minutes: 60 } }
const mail = { type: 'send_mail' as const, params: {} }
const due = {
  actions: [mail],
  index: 0,
  dueAt: at(8),
  switchedOnAt: null,
  startsAt: at(10),
  appointmentStatus: 'confirmed',
  now: at(11),
}

describe('the appointment of an execution', () => {
  test('the appointment of an execution ends what a rule does before the visit when the visit has begun or was cancelled', () => {
    const reminder = { ...due, actions: [before, mail, wait, mail] }
    for (const index of [0, 1]) {
      assert.equal(endedByAppointment({ ...reminder, index }), 'late')
      assert.equal(endedByAppointment({ ...reminder, index, now: at(9) }), null)
      const cancelled = { ...reminder, index, now: at(9), appointmentStatus: 'cancelled' }
      assert.equal(endedByAppointment(cancelled), 'appointment_cancelled')
    }
    for (const index of [2, 3]) assert.equal(endedByAppointment({ ...reminder, index }), null)
  })

  test('the appointment of an execution ends other actions only when they were due before the visit and were held until after it', () => {
    assert.equal(endedByAppointment(due), null, 'never held')
    assert.equal(endedByAppointment({ ...due, switchedOnAt: at(7) }), null, 'switched on before it was due')
    assert.equal(endedByAppointment({ ...due, switchedOnAt: at(11) }), 'late')
    assert.equal(endedByAppointment({ ...due, switchedOnAt: at(9), now: at(9) }), null, 'the visit is still to come')
    assert.equal(endedByAppointment({ ...due, switchedOnAt: at(11), dueAt: at(10) }), null, 'due after it began')
    assert.equal(endedByAppointment({ ...due, switchedOnAt: at(11), startsAt: null }), null, 'without a visit')
  })
})
