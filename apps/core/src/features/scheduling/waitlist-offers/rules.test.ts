import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clinicClock } from './clinic-clock.ts'
import { chooseNext, nextMailTime, offerTimes, reasonAgainstOffer, type WaitingEntry } from './rules.ts'

const at = (iso: string) => new Date(iso)
const clockAt = (now: Date) => clinicClock('Europe/Bucharest', now)
const mailAfter = (now: string) => nextMailTime(at(now), clockAt(at(now))).toISOString()
const timesOf = (startsAt: Date, notice: number, now: Date) => offerTimes(startsAt, notice, now, clockAt(now))
const entry = (values: Partial<WaitingEntry> = {}): WaitingEntry => ({
  id: 'a',
  created_at: '2026-11-01T10:00:00.000Z',
  to_address: 'maria@mail.example',
  is_restricted: false,
  is_erased: false,
  is_busy: false,
  was_offered: false,
  has_open_offer: false,
  ...values,
})

describe('rules of waitlist offers', () => {
  test('mails are sent from 08:00 to 20:00 of the clinic’s zone, otherwise at the next 08:00', () => {
    for (const [now, expected] of [
      ['2026-11-16T05:59:59.000Z', '2026-11-16T06:00:00.000Z'],
      ['2026-11-16T06:00:00.000Z', '2026-11-16T06:00:00.000Z'],
      ['2026-11-16T17:59:59.000Z', '2026-11-16T17:59:59.000Z'],
      ['2026-11-16T18:00:00.000Z', '2026-11-17T06:00:00.000Z'],
      ['2026-11-16T22:30:00.000Z', '2026-11-17T06:00:00.000Z'],
    ] as const)
      assert.equal(mailAfter(now), expected)
  })

  test('the next 08:00 is right across both changes of daylight saving', () => {
    assert.equal(mailAfter('2026-03-28T20:00:00.000Z'), '2026-03-29T05:00:00.000Z')
    assert.equal(mailAfter('2026-10-24T20:00:00.000Z'), '2026-10-25T06:00:00.000Z')
  })

  test('an offer lasts two hours, and half an hour when the visit is within a day', () => {
    const now = at('2026-11-16T10:00:00.000Z')
    assert.equal(timesOf(at('2026-11-17T10:00:01.000Z'), 0, now)?.expiresAt.toISOString(), '2026-11-16T12:00:00.000Z')
    assert.equal(timesOf(at('2026-11-17T10:00:00.000Z'), 0, now)?.expiresAt.toISOString(), '2026-11-16T10:30:00.000Z')
  })

  test('the life of an offer made at night begins with its mail in the morning', () => {
    const times = timesOf(at('2026-11-20T10:00:00.000Z'), 0, at('2026-11-16T21:00:00.000Z'))
    assert.deepEqual(
      [times?.mailAt.toISOString(), times?.expiresAt.toISOString()],
      ['2026-11-17T06:00:00.000Z', '2026-11-17T08:00:00.000Z'],
    )
  })

  test('nothing is offered inside the notice of the service, and no offer lasts into it', () => {
    const startsAt = at('2026-11-16T14:00:00.000Z')
    assert.equal(timesOf(startsAt, 120, at('2026-11-16T12:00:00.000Z')), undefined)
    assert.equal(
      timesOf(startsAt, 120, at('2026-11-16T11:45:00.000Z'))?.expiresAt.toISOString(),
      '2026-11-16T12:00:00.000Z',
    )
    // The mail could be sent only in the morning, when the visit has begun.
    assert.equal(timesOf(at('2026-11-17T05:00:00.000Z'), 0, at('2026-11-16T21:00:00.000Z')), undefined)
  })

  test('the entry that waits longest is next; those before it are skipped with a reason', () => {
    const entries = [
      entry({ id: 'young', created_at: '2026-11-09T10:00:00.000Z' }),
      entry({ id: 'next', created_at: '2026-11-08T10:00:00.000Z' }),
      entry({ id: 'busy', created_at: '2026-11-07T10:00:00.000Z', is_busy: true }),
      entry({ id: 'mute', created_at: '2026-11-06T10:00:00.000Z', to_address: null }),
      entry({ id: 'limited', created_at: '2026-11-05T10:00:00.000Z', is_restricted: true }),
      entry({ id: 'gone', created_at: '2026-11-04T10:00:00.000Z', is_erased: true, to_address: null }),
      entry({ id: 'declined', created_at: '2026-11-03T10:00:00.000Z', was_offered: true }),
      entry({ id: 'asked', created_at: '2026-11-02T10:00:00.000Z', has_open_offer: true }),
    ]
    const { next, skipped } = chooseNext(entries)
    assert.equal(next?.id, 'next')
    assert.deepEqual(
      skipped.map((one) => [one.entry.id, one.reason]),
      [
        ['gone', 'erased'],
        ['limited', 'restricted'],
        ['mute', 'no_address'],
        ['busy', 'patient_busy'],
      ],
    )
    assert.equal(chooseNext([]).next, undefined)
  })

  test('entries that were created at the same moment are taken in the order of their ids', () => {
    assert.equal(chooseNext([entry({ id: 'b' }), entry({ id: 'a' })]).next?.id, 'a')
    assert.equal(reasonAgainstOffer(entry()), undefined)
  })
})
