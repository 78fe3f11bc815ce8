import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { TIMELINE_KINDS } from '@tendon/contracts'
import fc from 'fast-check'
import { atTimeOf, kindsSeen, type Position, parseBefore, parseKinds, positionText } from './rules.ts'

const times = fc
  .tuple(
    fc.date({ min: new Date('1901-01-01'), max: new Date('2099-12-31'), noInvalidDate: true }),
    fc.integer({ min: 0, max: 999 }),
  )
  .map(([date, micros]) => date.toISOString().replace('Z', `${String(micros).padStart(3, '0')}Z`))
const positions: fc.Arbitrary<Position> = fc.record(
  {
    at: times,
    kind: fc.constantFrom(...TIMELINE_KINDS),
    id: fc.uuid(),
  },
  { noNullPrototype: true },
)

describe('the rules of a timeline', () => {
  test('a position survives the URL', () => {
    fc.assert(
      fc.property(positions, (position) => {
        const sent = new URLSearchParams({ before: positionText(position) })
        assert.deepEqual(parseBefore(new URLSearchParams(sent.toString()).get('before') ?? ''), position)
      }),
    )
  })

  test('a time alone is before everything at that time', () => {
    assert.deepEqual(parseBefore('2026-11-15T11:30:00+02:00'), { at: '2026-11-15T09:30:00.000Z', kind: '', id: '' })
    const position = { at: '2026-11-15T09:30:00.000Z', kind: '', id: '' }
    for (const kind of TIMELINE_KINDS) assert.equal(atTimeOf(kind, position), 'before')
  })

  test('what is neither a time nor a position is refused', () => {
    for (const text of [
      '',
      'yesterday',
      '2026-11-15',
      '2026-02-30T09:30:00Z',
      '2026-11-15T25:00:00Z',
      '0000-01-01T00:00:00Z',
      '2026-11-15T09:30:00+99:00',
      '2026-02-30T09:30:00.000000Z~visit~019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
      '2026-11-15T09:30:00.000000Z~mail~019a8f3e-7c1d-7e2a-9b64-3f0c5d2e8a17',
      '2026-11-15T09:30:00.000000Z~visit~1',
    ])
      assert.equal(parseBefore(text), undefined, text)
    fc.assert(fc.property(fc.string(), (text) => parseBefore(text) === undefined))
  })

  test('entries of one time are ordered by kind, and within a kind by id', () => {
    fc.assert(
      fc.property(fc.constantFrom(...TIMELINE_KINDS), positions, (kind, before) => {
        const place = atTimeOf(kind, before)
        assert.equal(place === 'by id', kind === before.kind)
        if (place !== 'by id') assert.equal(place === 'after', kind < before.kind)
      }),
    )
  })

  test('kinds are those of the list, each with its permission', () => {
    assert.deepEqual(parseKinds(undefined), TIMELINE_KINDS)
    assert.deepEqual(parseKinds('plan, visit,visit'), ['visit', 'plan'])
    assert.equal(parseKinds('visit,mail'), undefined)
    assert.equal(parseKinds(''), undefined)
    assert.deepEqual(
      kindsSeen(TIMELINE_KINDS, (code) => code === 'session_runs.view_org'),
      ['run', 'pain'],
    )
  })
})
