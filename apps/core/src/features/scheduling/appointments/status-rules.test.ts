import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES, type AppointmentStatus } from '@tendon/contracts'
import fc from 'fast-check'
import { canBecome, changeTo, clearedByUndo, isWalkInTime, leftReason, timeWhenChanged } from './rules.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const ago = (ms: number) => new Date(NOW.getTime() - ms).toISOString()
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const KEEPS: AppointmentStatus[] = ['pending', 'confirmed', 'checked_in', 'completed']

const row = (status: AppointmentStatus, previous: AppointmentStatus | null, values: object = {}) => ({
  status,
  previous_status: previous,
  starts_at: ago(HOUR_MS),
  status_set_at: ago(60_000),
  status_set_by: 'staff' as const,
  rescheduled_to_id: null,
  ...values,
})
const status = fc.constantFrom(...APPOINTMENT_STATUSES)

describe('rules of statuses', () => {
  test('each status that staff set is undone to the one before, for 24 hours', () => {
    for (const [present, previous] of [
      ['pending', 'waitlist'],
      ['confirmed', 'waitlist'],
      ['confirmed', 'pending'],
      ['checked_in', 'confirmed'],
      ['checked_in', 'no_show'],
      ['completed', 'confirmed'],
      ['completed', 'checked_in'],
      ['no_show', 'confirmed'],
      ['cancelled', 'waitlist'],
      ['cancelled', 'pending'],
      ['cancelled', 'confirmed'],
      ['cancelled', 'checked_in'],
    ] as const) {
      const name = `${present} → ${previous}`
      assert.equal(changeTo(row(present, previous), previous, NOW), 'undo', name)
      const edge = row(present, previous, { status_set_at: ago(DAY_MS) })
      assert.equal(changeTo(edge, previous, NOW), 'undo', name)
      const late = row(present, previous, { status_set_at: ago(DAY_MS + 1) })
      assert.equal(changeTo(late, previous, NOW), 'undo_expired', name)
    }
  })

  test('what others set, a move and an entry in error are not undone', () => {
    for (const status_set_by of ['patient', 'booker', 'system', null] as const)
      assert.equal(changeTo(row('cancelled', 'confirmed', { status_set_by }), 'confirmed', NOW), 'undo_refused')
    const moved = row('cancelled', 'confirmed', { rescheduled_to_id: 'other' })
    assert.equal(changeTo(moved, 'confirmed', NOW), 'undo_refused')
    for (const previous of APPOINTMENT_STATUSES.filter((one) => one !== 'entered_in_error'))
      assert.equal(changeTo(row('entered_in_error', previous), previous, NOW), 'undo_refused')
  })

  test('nothing but a transition or the status before can be set', () => {
    fc.assert(
      fc.property(status, fc.option(status, { nil: null }), status, (present, previous, to) => {
        const given = row(present, previous)
        const kind = changeTo(given, to, NOW)
        if (kind === 'transition') assert.ok(canBecome(given, to, NOW))
        else if (kind === 'undo') assert.ok(to === previous && present !== 'entered_in_error')
        else if (to !== previous || to === present) assert.equal(kind, 'invalid_transition')
      }),
    )
  })

  test('a transition is never at the same time the undoing of another one', () => {
    for (const from of APPOINTMENT_STATUSES)
      for (const to of APPOINTMENT_STATUSES)
        if (canBecome(row(from, null), to, NOW))
          assert.equal(canBecome(row(to, from), from, NOW), false, `${from} ${to}`)
  })

  test('a time is claimed by who gets one, freed by who loses it, and kept by everybody else', () => {
    fc.assert(
      fc.property(status, status, (from, to) => {
        const change = timeWhenChanged(from, to)
        assert.equal(change === 'claim', !KEEPS.includes(from) && KEEPS.includes(to))
        assert.equal(change === 'free', KEEPS.includes(from) && !KEEPS.includes(to))
      }),
    )
  })

  test('undoing a status clears what was kept with it, and nothing else', () => {
    assert.deepEqual(clearedByUndo('cancelled'), { cancelled_at: null, cancelled_by: null, cancellation_reason: null })
    assert.deepEqual(clearedByUndo('completed'), { completed_at: null })
    assert.deepEqual(clearedByUndo('checked_in'), { checked_in_at: null })
    assert.deepEqual(clearedByUndo('confirmed'), { confirmed_at: null })
    for (const one of ['pending', 'no_show', 'waitlist', 'entered_in_error'] as const)
      assert.deepEqual(clearedByUndo(one), {})
  })

  test('who came without an appointment is added for 12 hours, and not for a later time', () => {
    for (const [ms, expected] of [
      [-HOUR_MS, false],
      [0, true],
      [12 * HOUR_MS, true],
      [12 * HOUR_MS + 1, false],
      [-10 * 60_000, true],
      [-10 * 60_000 - 1, false],
    ] as const)
      assert.equal(isWalkInTime(new Date(ago(ms)), NOW), expected)
  })

  test('the rest of a series is cancelled except visits that have begun or are over', () => {
    const left = (startsInMs: number) =>
      APPOINTMENT_STATUSES.map((status) => {
        const visit = { status, starts_at: ago(-startsInMs), ends_at: ago(-startsInMs - HOUR_MS) }
        return [status, leftReason(visit, NOW)]
      }).filter(([, reason]) => reason !== undefined)
    const always = [
      ['checked_in', 'has_begun'],
      ['completed', 'is_over'],
      ['no_show', 'is_over'],
    ]
    const of = (reason: string) => [['pending', reason], ['confirmed', reason], ...always]
    assert.deepEqual(left(1), always)
    for (const ms of [0, -HOUR_MS + 1]) assert.deepEqual(left(ms), of('has_begun'))
    for (const ms of [-HOUR_MS, -DAY_MS]) assert.deepEqual(left(ms), of('is_over'))
  })
})
