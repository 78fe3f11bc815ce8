import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  endOf,
  isDayFull,
  isHeldFor,
  isWeekTaken,
  type Mover,
  mayMoveTo,
  missingConsents,
  placeWhenMoved,
  statusWhenBooked,
  statusWhenMoved,
} from './rules.ts'

const MOVERS: Mover[] = ['staff', 'patient', 'booker']
const id = fc.option(fc.constantFrom('centre', 'north'), { nil: null })
const place = fc.record({ location_id: id, calendar_id: fc.option(fc.constantFrom('one', 'two'), { nil: null }) })

describe('rules of booking and moving', () => {
  test('only a video appointment lacks the consent to telemedicine, until the patient has given it', () => {
    assert.deepEqual(missingConsents('video', false), ['telemedicine'])
    assert.deepEqual(missingConsents('video', true), [])
    for (const mode of ['in_person', 'phone'] as const) assert.deepEqual(missingConsents(mode, false), [])
  })

  test('an appointment is as long as its service', () => {
    assert.equal(endOf(new Date('2026-03-29T00:30:00Z'), 90).toISOString(), '2026-03-29T02:00:00.000Z')
  })

  test('a hold for a move is for this visit alone, another one for every visit of its service', () => {
    const visit = { service_id: 'massage', calendar_uid: 'visit' }
    for (const [service_id, moves_calendar_uid, expected] of [
      ['massage', null, true],
      ['massage', 'visit', true],
      ['massage', 'other', false],
      ['yoga', null, false],
      ['yoga', 'visit', false],
    ] as const)
      assert.equal(isHeldFor({ service_id, moves_calendar_uid }, visit), expected)
  })

  test('what others than staff book or move waits for the clinic, if the service asks for that', () => {
    assert.equal(statusWhenBooked('staff', true), 'confirmed')
    for (const source of ['patient', 'public'] as const) {
      assert.equal(statusWhenBooked(source, true), 'pending')
      assert.equal(statusWhenBooked(source, false), 'confirmed')
    }
    for (const status of ['pending', 'confirmed'] as const) {
      assert.equal(statusWhenMoved(status, 'staff', true), status)
      for (const by of MOVERS) assert.equal(statusWhenMoved(status, by, false), status)
      for (const by of ['patient', 'booker'] as const) assert.equal(statusWhenMoved(status, by, true), 'pending')
    }
  })

  test('a day is full when it has as many as its limit, and never without one', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.integer({ min: 1, max: 100 }), (booked, max) => {
        assert.equal(isDayFull(booked, max), booked >= max)
        assert.equal(isDayFull(booked, null), false)
      }),
    )
  })

  test('staff move into the past only when they say so', () => {
    const now = new Date('2026-03-02T10:00:00Z')
    assert.equal(mayMoveTo('2026-03-02T09:59:59Z', now, false), false)
    assert.equal(mayMoveTo('2026-03-02T09:59:59Z', now, true), true)
    assert.equal(mayMoveTo('2026-03-02T10:00:00Z', now, false), true)
  })

  test('a series skips taken weeks, and no other refusal', () => {
    assert.deepEqual(
      ['slot_taken', 'patient_busy', 'day_full', 'validation_failed', 'processing_restricted', undefined].filter(
        isWeekTaken,
      ),
      ['slot_taken', 'patient_busy'],
    )
  })

  test('a moved visit is never in a closed place, nor in a calendar of another place', () => {
    fc.assert(
      fc.property(
        place,
        fc.boolean(),
        fc.option(place, { nil: undefined }),
        fc.option(fc.constantFrom('centre', 'north', 'south'), { nil: undefined }),
        (from, is_location_open, held, chosen) => {
          const moved = placeWhenMoved({ ...from, is_location_open }, held, chosen)
          if (chosen !== undefined) assert.equal(moved.location_id, chosen)
          else if (held?.location_id) assert.equal(moved.location_id, held.location_id)
          else assert.equal(moved.location_id, is_location_open ? from.location_id : null)
          const source = held ?? from
          assert.ok(moved.calendar_id === null || moved.calendar_id === source.calendar_id)
          if (!held && moved.location_id !== from.location_id) assert.equal(moved.calendar_id, null)
        },
      ),
    )
  })
})
