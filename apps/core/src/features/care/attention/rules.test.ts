import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTENTION_KINDS, MAX_ATTENTION_ITEMS, MAX_SNOOZE_DAYS } from '@tendon/contracts'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { boundsAt, chooseFacts, compareFacts, type Fact, problemOfUntil, readKey } from './rules.ts'

const NOW = new Date('2026-11-15T09:30:00.000Z')
const DAY_MS = 86_400_000

const fact: fc.Arbitrary<Fact> = fc
  .record({
    kind: fc.constantFrom(...ATTENTION_KINDS),
    id: fc.uuid(),
    at: fc.option(
      fc.integer({ min: -40, max: 40 }).map((days) => new Date(NOW.getTime() + days * DAY_MS).toISOString()),
    ),
    is_warning: fc.boolean(),
  })
  .map(({ id, is_warning, ...row }) => ({
    ...row,
    key: `${row.kind}.${id}`,
    is_warning: is_warning && row.kind === 'pain',
  }))
const facts = fc.uniqueArray(fact, { maxLength: 300, selector: ({ key }) => key })
const settings = { numRuns: soakRuns(100), seed: soakSeed() }

const of = (kind: Fact['kind'], count: number, at = NOW.toISOString()): Fact[] =>
  Array.from({ length: count }, (_, n) => ({ kind, key: `${kind}.${1000 + n}`, at, is_warning: false }))

describe('rules of what needs attention', () => {
  test('facts are sorted by weight: warning signs, then the kinds in their order', () => {
    fc.assert(
      fc.property(facts, (open) => {
        const weights = chooseFacts(open, []).map((one) => (one.is_warning ? -1 : ATTENTION_KINDS.indexOf(one.kind)))
        assert.deepEqual(
          weights,
          weights.toSorted((a, b) => a - b),
        )
      }),
      settings,
    )
  })

  test('the order of the facts that are given does not matter', () => {
    fc.assert(
      fc.property(facts, (open) => {
        assert.deepEqual(chooseFacts(open.toReversed(), []), chooseFacts(open, []))
      }),
      settings,
    )
  })

  test('at most 100 facts are chosen, and all when there are fewer; what is done comes after what is open', () => {
    fc.assert(
      fc.property(facts, facts, (open, done) => {
        const chosen = chooseFacts(open, done)
        assert.equal(chosen.length, Math.min(MAX_ATTENTION_ITEMS, open.length + done.length))
        const isDone = chosen.map((one) => done.includes(one))
        assert.deepEqual(
          isDone,
          isDone.toSorted((a, b) => Number(a) - Number(b)),
        )
      }),
      settings,
    )
  })

  test('many facts of one kind leave five places to every other kind', () => {
    const chosen = chooseFacts([...of('pain', 300), ...of('to_sign', 40), ...of('limit_reached', 1)], [])
    const count = (kind: string) => chosen.filter((one) => one.kind === kind).length
    assert.deepEqual([count('pain'), count('to_sign'), count('limit_reached')], [94, 5, 1])
  })

  test('no report with a warning sign gives its place to another kind', () => {
    const warnings = of('pain', 120).map((one) => ({ ...one, is_warning: true }))
    assert.deepEqual(
      new Set(chooseFacts([...warnings, ...of('to_sign', 10)], []).map(({ is_warning }) => is_warning)),
      new Set([true]),
    )
  })

  test('the oldest fact of a kind comes first, but of patients who do not exercise and visits that are not closed the latest', () => {
    const pair = (kind: Fact['kind']) =>
      [of(kind, 1, '2026-11-02T00:00:00.000Z'), of(kind, 2, '2026-11-01T00:00:00.000Z').slice(1)]
        .flat()
        .toSorted(compareFacts)
        .map(({ at }) => at?.slice(8, 10))
    for (const kind of ATTENTION_KINDS) {
      const isLatestFirst = kind === 'not_exercising' || kind === 'not_closed'
      assert.deepEqual(pair(kind), isLatestFirst ? ['02', '01'] : ['01', '02'], kind)
    }
  })

  test('a key gives its kind and id', () => {
    assert.deepEqual(readKey('plan_ends.abc.2026-11-30'), { kind: 'plan_ends', id: 'abc' })
    assert.deepEqual(readKey('mails_failed.17'), { kind: 'mails_failed', id: '17' })
    for (const key of ['', 'pain', 'hunger.abc', 'Pain.abc']) assert.equal(readKey(key), undefined, key)
  })

  test('an item can be snoozed until a time in the next 30 days, and only snoozing takes a time', () => {
    const after = (ms: number) => new Date(NOW.getTime() + ms).toISOString()
    const problem = (state: 'done' | 'snoozed' | 'open', until?: string) =>
      problemOfUntil({ state, ...(until === undefined ? {} : { until }) }, NOW)
    for (const ms of [1, DAY_MS, MAX_SNOOZE_DAYS * DAY_MS]) assert.equal(problem('snoozed', after(ms)), undefined)
    for (const ms of [0, -1, MAX_SNOOZE_DAYS * DAY_MS + 1]) assert.ok(problem('snoozed', after(ms)), String(ms))
    assert.equal(problem('snoozed'), 'is required to snooze')
    for (const state of ['done', 'open'] as const) {
      assert.equal(problem(state), undefined)
      assert.ok(problem(state, after(DAY_MS)))
    }
  })

  test('the bounds are 7 days for pain, 3 for quiet patients, 2 hours for open visits and 20 days for requests', () => {
    const bounds = boundsAt(NOW)
    assert.equal(bounds.painSince, '2026-11-08T09:30:00.000Z')
    assert.equal(bounds.quietSince, '2026-11-12T09:30:00.000Z')
    assert.equal(bounds.endedBefore, '2026-11-15T07:30:00.000Z')
    assert.equal(bounds.requestedBefore, '2026-10-26T09:30:00.000Z')
    assert.deepEqual([bounds.strongPain, bounds.planEndsDays], [4, 7])
  })
})
