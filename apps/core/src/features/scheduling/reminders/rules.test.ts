import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES, type AppointmentStatus } from '@tendon/contracts'
import { dueTimes, obstacleOf, stateAfterMail } from './rules.ts'

const [NOW, START] = [new Date('2026-03-02T10:00:00.000Z'), '2026-03-02T11:00:00.000Z']

describe('rules of reminders', () => {
  const visit = (status: AppointmentStatus, more: object = {}) => ({
    reminded_starts_at: START,
    starts_at: START,
    status,
    rescheduled_to_id: null,
    ...more,
  })

  test('only a confirmed visit that starts later, at the time of the reminder, is reminded of', () => {
    const reasons = {
      waitlist: 'visit_not_confirmed',
      pending: 'visit_not_confirmed',
      confirmed: undefined,
      checked_in: 'visit_started',
      completed: 'visit_started',
      no_show: 'visit_started',
      cancelled: 'visit_cancelled',
      entered_in_error: 'visit_cancelled',
    } satisfies Record<AppointmentStatus, string | undefined>
    for (const status of APPOINTMENT_STATUSES) assert.equal(obstacleOf(visit(status), NOW), reasons[status], status)
    assert.equal(obstacleOf(visit('confirmed'), new Date(START)), 'visit_started')
    assert.equal(obstacleOf(visit('cancelled', { rescheduled_to_id: 'x' }), NOW), 'visit_moved')
    assert.equal(obstacleOf(visit('confirmed', { starts_at: '2026-03-02T12:00:00.000Z' }), NOW), 'visit_moved')
    assert.equal(obstacleOf(null, NOW), 'visit_cancelled')
  })

  test('a start is compared as an instant, however it is written', () => {
    assert.equal(obstacleOf(visit('confirmed', { starts_at: '2026-03-02T13:00:00+02:00' }), NOW), undefined)
  })

  test('a reminder is sent only when its mail is; every other end has a reason', () => {
    const after = (status: 'sent' | 'queued' | 'failed' | 'suppressed', more: object = {}) =>
      Object.values(stateAfterMail({ status, ...more }))
    assert.deepEqual(after('sent'), ['sent', null])
    assert.deepEqual(after('queued', { error: 'timeout' }), ['queued', null])
    assert.deepEqual(after('failed', { error: 'recipient_refused' }), ['skipped', 'mail_failed'])
    assert.deepEqual(after('suppressed', { error: 'bounce' }), ['skipped', 'suppressed'])
    assert.deepEqual(after('suppressed', { error: 'processing_restricted' }), ['skipped', 'processing_restricted'])
    const moved = { error: 'appointment_changed', obstacle: 'visit_moved' }
    assert.deepEqual(after('suppressed', moved), ['skipped', 'visit_moved'])
  })

  test('reminders are due before the start, each once, and not in the past', () => {
    assert.deepEqual(dueTimes(START, [30, 10, 30, 60, 1440], NOW), [
      { offset_minutes: 30, send_at: new Date('2026-03-02T10:30:00.000Z') },
      { offset_minutes: 10, send_at: new Date('2026-03-02T10:50:00.000Z') },
    ])
  })
})
