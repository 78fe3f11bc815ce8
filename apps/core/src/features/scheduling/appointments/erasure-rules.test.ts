import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AppointmentStatus } from '@tendon/contracts'
import fc from 'fast-check'
import { type Deletable, isStillToCome, planDeletion } from './erasure-rules.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const [BEFORE, AFTER] = ['2026-03-02T09:00:00Z', '2026-03-02T11:00:00Z']
const STATUSES: AppointmentStatus[] = [
  'waitlist',
  'pending',
  'confirmed',
  'checked_in',
  'completed',
  'no_show',
  'cancelled',
  'entered_in_error',
]

const rows = fc.uniqueArray(
  fc.record({
    id: fc.uuid(),
    status: fc.constantFrom(...STATUSES),
    has_signed_form: fc.boolean(),
    is_reviewed: fc.boolean(),
  }),
  { selector: ({ id }) => id },
)
const sorted = (ids: readonly string[]) => [...ids].sort()
const idsOf = (of: readonly Deletable[]) => sorted(of.map(({ id }) => id))

describe('rules of erasing appointments', () => {
  test('an appointment that has begun is part of the medical record', () => {
    const kept = STATUSES.filter((status) => !isStillToCome({ id: '', status, starts_at: BEFORE }, NOW))
    assert.deepEqual(
      kept,
      STATUSES.filter((status) => status !== 'waitlist'),
    )
  })

  test('an appointment that was attended or missed is kept, although its time is to come', () => {
    const kept = STATUSES.filter((status) => !isStillToCome({ id: '', status, starts_at: AFTER }, NOW))
    assert.deepEqual(kept, ['checked_in', 'completed', 'no_show'])
  })

  test('an entry without a time is still to come', () => {
    for (const status of STATUSES) assert.equal(isStillToCome({ id: '', status, starts_at: null }, NOW), true, status)
  })

  test('only what no signed form and no review names is deleted, and nothing twice', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { waiting, deleted } = planDeletion(given)
        assert.deepEqual(
          sorted([...waiting, ...deleted]),
          idsOf(given.filter((row) => !row.has_signed_form && !row.is_reviewed)),
        )
        assert.equal(new Set([...waiting, ...deleted]).size, waiting.length + deleted.length)
      }),
    )
  })

  test('what has not begun is cancelled, except for waitlist entries that are deleted at once', () => {
    fc.assert(
      fc.property(rows, (given) => {
        const { waiting, cancelled } = planDeletion(given)
        const open = given.filter(({ status }) => ['waitlist', 'pending', 'confirmed'].includes(status))
        assert.deepEqual(sorted([...waiting, ...cancelled]), idsOf(open))
      }),
    )
  })
})
