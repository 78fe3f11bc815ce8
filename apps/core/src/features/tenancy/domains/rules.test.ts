import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { soakRuns } from '@tendon/testing'
import * as fc from 'fast-check'
import { normaliseDomain } from './index.ts'
import { DOMAIN_PATTERN, MAX_DOMAIN_CHARACTERS, problemOfRecords, readDomain, stateAfterCheck } from './rules.ts'

const label = (characters: number) => 'a'.repeat(characters)
const problemOf = (text: string) => {
  const read = readDomain(text)
  return 'problem' in read ? read.problem : undefined
}

/** Text that looks like a domain and often is none. */
const almostDomain = fc
  .array(
    fc.oneof(fc.string({ unit: 'binary', maxLength: 8 }), fc.domain(), fc.constantFrom('xn--', '。', 'ß', '0x7f', '-')),
    {
      maxLength: 5,
    },
  )
  .chain((parts) => fc.constantFrom('.', '..', '', ' ').map((joint) => parts.join(joint)))

describe('the spelling of a domain', () => {
  for (const [given, stored] of [
    ['clinic.example', 'clinic.example'],
    ['  Portal.CLINIC.Example. ', 'portal.clinic.example'],
    ['clinică.example', 'xn--clinic-n0a.example'],
    ['CLINICĂ.EXAMPLE', 'xn--clinic-n0a.example'],
    ['xn--clinic-n0a.example', 'xn--clinic-n0a.example'],
    ['clinic。example', 'clinic.example'],
    ['поликлиника.рф', 'xn--80apaaiccctek.xn--p1ai'],
    ['my--clinic.co.example', 'my--clinic.co.example'],
    ['3d.example', '3d.example'],
    [`${label(63)}.example`, `${label(63)}.example`],
  ] as const) {
    test(`${given.trim().slice(0, 30)} is stored as ${stored.slice(0, 30)}`, () => {
      assert.equal(normaliseDomain(given), stored)
    })
  }

  for (const [given, why] of [
    ['', /blank/],
    ['   ', /blank/],
    ['192.0.2.7', /IP address/],
    ['2130706433', /IP address/],
    ['0x7f.1', /IP address/],
    ['１９２.0.2.7', /IP address/],
    ['clinic.123', /domain name/],
    ['2001:db8::1', /IP address/],
    ['[2001:db8::1]', /IP address/],
    ['clinic', /two parts/],
    ['localhost', /public domain/],
    ['clinic.localhost', /public domain/],
    ['printer.local', /public domain/],
    ['db.internal', /public domain/],
    ['clinic.test', /public domain/],
    ['1.168.192.in-addr.arpa', /public domain/],
    ['*.clinic.example', /wildcard/],
    ['clinic.example:443', /port/],
    ['clinic.example:', /port/],
    ['https://clinic.example', /https/],
    ['clinic.example/about', /path/],
    ['clinic.example?x', /path/],
    ['clinic.example#x', /path/],
    ['clinic.example\\x', /path/],
    ['ana@clinic.example', /domain name/],
    ['clinic%2eexample.example', /domain name/],
    ['cli\tnic.example', /domain name/],
    ['cli nic.example', /domain name/],
    ['_dmarc.clinic.example', /domain name/],
    ['-clinic.example', /domain name/],
    ['clinic-.example', /domain name/],
    ['clinic..example', /domain name/],
    ['clinic.example..', /domain name/],
    ['.clinic.example', /domain name/],
    ['.', /domain name/],
    ['clinic.e', /domain name/],
    ['\ud800.example', /domain name/],
    [`${label(64)}.example`, /63/],
    [`${`${label(60)}.`.repeat(4)}example`, /longer than 235/],
  ] as const) {
    test(`${JSON.stringify(given).slice(0, 40)} is refused`, () => {
      assert.match(problemOf(given) ?? 'accepted', why)
    })
  }

  test('whatever is typed, the answer is a domain in its one spelling or a reason', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), almostDomain), (text) => {
        const stored = normaliseDomain(text)
        if (stored === undefined) return assert.ok(problemOf(text))
        assert.match(stored, DOMAIN_PATTERN)
        assert.ok(stored.length <= MAX_DOMAIN_CHARACTERS)
        assert.ok(stored.split('.').every((part) => part.length <= 63))
        assert.equal(normaliseDomain(stored), stored)
      }),
      { numRuns: soakRuns(5_000) },
    )
  })

  test('every ordinary domain is accepted, in any case, with or without a final dot', () => {
    fc.assert(
      fc.property(fc.domain(), fc.constantFrom('', '.'), (domain, end) => {
        fc.pre(domain.length <= MAX_DOMAIN_CHARACTERS && !/public domain/.test(problemOf(domain) ?? ''))
        assert.equal(normaliseDomain(domain.toUpperCase() + end), domain.toLowerCase())
      }),
    )
  })
})

describe('the DNS record of a domain', () => {
  const expected = { domain: 'clinic.example', challenge: 'c0ffee' }

  test('the value is found alone, among others, and in quotes added by a control panel', () => {
    for (const found of [
      ['tendon-verify=c0ffee'],
      ['v=spf1 -all', 'tendon-verify=c0ffee'],
      ['"tendon-verify=c0ffee" '],
    ]) {
      assert.equal(problemOfRecords(expected, found), null)
    }
  })

  test('the problem names what was found, briefly, and what to publish', () => {
    const problem = problemOfRecords(expected, ['x'.repeat(5_000), 'a\u0000\u001b[31m', 'c', 'd', 'e']) ?? ''
    assert.match(problem, /"x{100}…", "a\?\?\[31m", "c" and 2 more/)
    assert.match(
      problem,
      /Publish a TXT record named _tendon-challenge\.clinic\.example with the value tendon-verify=c0ffee/,
    )
    assert.ok(problem.length < 700)
  })

  test('a prefix, a longer value or another case of the value does not count', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        fc.pre(text.trim() !== '' && !/^"?"?$/.test(text.trim()))
        for (const found of [`tendon-verify=c0ffee${text}x`, text, 'tendon-verify=C0FFEE', 'tendon-verify=']) {
          assert.notEqual(problemOfRecords(expected, [found]), null)
        }
      }),
    )
  })

  describe('after a check', () => {
    const now = new Date('2026-03-08T10:00:00Z')
    const at = now.toISOString()
    const first = '2026-01-01T00:00:00.000Z'
    const state = (verified_at: string | null, record_missing_since: string | null, problem: string | null) =>
      stateAfterCheck({ verified_at, record_missing_since }, problem, now)

    test('a domain is verified by its record, and fails without it', () => {
      const checked = { last_checked_at: at, record_missing_since: null }
      assert.deepEqual(state(null, null, null), { status: 'verified', verified_at: at, ...checked })
      assert.deepEqual(state(null, null, 'gone'), { status: 'failed', verified_at: null, ...checked })
    })

    test('a verified domain keeps the time of its first proof, and stays verified for seven days without its record', () => {
      const verified = { status: 'verified', verified_at: first, last_checked_at: at }
      assert.deepEqual(state(first, null, null), { ...verified, record_missing_since: null })
      assert.deepEqual(state(first, null, 'gone'), { ...verified, record_missing_since: at })
      const since = '2026-03-01T10:00:00.001Z'
      assert.deepEqual(state(first, since, 'gone'), { ...verified, record_missing_since: since })
      assert.deepEqual(state(first, since, null), { ...verified, record_missing_since: null })
    })

    test('a verified domain fails when its record was missing for seven days', () => {
      const failed = { status: 'failed', verified_at: null, last_checked_at: at, record_missing_since: null }
      assert.deepEqual(state(first, '2026-03-01T10:00:00.000Z', 'gone'), failed)
    })
  })
})
