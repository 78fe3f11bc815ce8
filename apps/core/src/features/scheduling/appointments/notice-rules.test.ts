import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APPOINTMENT_STATUSES, type ToldVisit } from '@tendon/contracts'
import fc from 'fast-check'
import { isKnown, noticeOf, noticeTimes } from './notice-rules.ts'

const NOW = new Date('2026-03-02T10:00:00Z')
const at = (hours: number) => new Date(NOW.getTime() + hours * 3_600_000).toISOString()
const visit = (values: Partial<ToldVisit> = {}): ToldVisit => ({
  status: 'confirmed',
  starts_at: at(24),
  ends_at: at(25),
  time_zone: 'UTC',
  service_id: 'massage',
  specialist_id: 'ana',
  location_id: null,
  mode: 'in_person',
  ...values,
})
const moved = { starts_at: at(48), ends_at: at(49) }
const past = { starts_at: at(-2), ends_at: at(-1) }
const any = fc.record({
  status: fc.constantFrom(...APPOINTMENT_STATUSES),
  hours: fc.integer({ min: -3, max: 3 }),
  specialist_id: fc.constantFrom('ana', 'dan'),
})
const visitOf = ({ hours, ...values }: { hours: number } & Pick<ToldVisit, 'status' | 'specialist_id'>) =>
  visit({ ...values, starts_at: at(hours), ends_at: at(hours + 1) })

describe('rules of mails about changes by staff', () => {
  test('the mail says what is different from what the patient knows', () => {
    const cases: [string, ToldVisit | null, ToldVisit, ReturnType<typeof noticeOf>][] = [
      ['booked', null, visit(), 'booked'],
      ['booked, to be confirmed', null, visit({ status: 'pending' }), 'booked'],
      [
        'booked from the waiting list',
        visit({ status: 'waitlist', starts_at: null, ends_at: null }),
        visit(),
        'booked',
      ],
      ['confirmed', visit({ status: 'pending' }), visit(), 'status'],
      ['confirmed and undone', visit({ status: 'pending' }), visit({ status: 'pending' }), undefined],
      ['no longer confirmed', visit(), visit({ status: 'pending' }), 'status'],
      ['moved', visit(), visit(moved), 'moved'],
      ['moved and confirmed', visit({ status: 'pending' }), visit(moved), 'moved'],
      ['another specialist', visit(), visit({ specialist_id: 'dan' }), 'changed'],
      ['another service', visit(), visit({ service_id: 'yoga' }), 'changed'],
      ['another place', visit(), visit({ location_id: 'centre' }), 'changed'],
      ['another mode', visit(), visit({ mode: 'phone' }), 'changed'],
      ['another length', visit(), visit({ ends_at: at(26) }), 'changed'],
      ['cancelled', visit(), visit({ status: 'cancelled' }), 'cancelled'],
      ['entered in error', visit(), visit({ status: 'entered_in_error' }), 'cancelled'],
      ['moved and cancelled', visit(), visit({ ...moved, status: 'cancelled' }), 'cancelled'],
      ['no longer cancelled', visit({ status: 'cancelled' }), visit(), 'booked'],
      ['booked and cancelled', null, visit({ status: 'cancelled' }), undefined],
      ['arrived', visit(), visit({ status: 'checked_in' }), undefined],
      ['booked, and arrived early', null, visit({ status: 'checked_in' }), 'booked'],
      ['missed', visit(past), visit({ ...past, status: 'no_show' }), undefined],
      ['moved into the past', visit(), visit(past), undefined],
      ['cancelled after its start', visit(past), visit({ ...past, status: 'cancelled' }), undefined],
    ]
    for (const [name, told, now, expected] of cases) assert.equal(noticeOf(told, now, NOW), expected, name)
  })

  test('a patient who knows the visit as it is gets no mail', () => {
    fc.assert(
      fc.property(any, (values) => {
        assert.ok(isKnown(visitOf(values), visitOf(values)))
        assert.equal(noticeOf(visitOf(values), visitOf(values), NOW), undefined)
      }),
    )
  })

  test('no mail is sent about a visit that was over before the change and after it', () => {
    fc.assert(
      fc.property(any, any, (told, now) => {
        const isOver = told.hours <= 0 && now.hours <= 0
        if (isOver) assert.equal(noticeOf(visitOf(told), visitOf(now), NOW), undefined)
      }),
    )
  })

  test('a mail waits for a minute, or is due at once when the visit starts within two hours', () => {
    const { later, soon } = noticeTimes(NOW)
    assert.deepEqual([later.getTime() - NOW.getTime(), soon.getTime() - NOW.getTime()], [60_000, 7_200_000])
  })
})
