import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nextStatuses } from './visit-status.ts'

const starts_at = '2026-11-17T10:00:00.000Z'
const before = { now: Date.parse('2026-11-17T08:00:00.000Z'), dayHasCome: true }
const after = { now: Date.parse('2026-11-17T10:05:00.000Z'), dayHasCome: true }

test('a visit of another day can be cancelled, but nobody has arrived or missed it', () => {
  assert.deepEqual(nextStatuses({ status: 'confirmed', starts_at }, { ...before, dayHasCome: false }), ['cancelled'])
})

test('on the day the patient can arrive; after the start the visit can be completed or missed', () => {
  assert.deepEqual(nextStatuses({ status: 'confirmed', starts_at }, before), ['checked_in', 'cancelled'])
  assert.deepEqual(nextStatuses({ status: 'confirmed', starts_at }, after), [
    'checked_in',
    'completed',
    'no_show',
    'cancelled',
  ])
})

test('a finished visit has no next status', () => {
  for (const status of ['completed', 'no_show', 'cancelled', 'entered_in_error'] as const)
    assert.deepEqual(nextStatuses({ status, starts_at }, after), [])
})
