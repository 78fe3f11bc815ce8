import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { admit } from './quota-rules.ts'

const EVENTS = ['pain.reported', 'form.created', 'patient.created']
const one = fc.record({ rule_id: fc.constantFrom('a', 'b', 'c', 'd'), event: fc.constantFrom(...EVENTS) })
const usage = fc.array(
  fc.tuple(one, fc.integer({ min: 0, max: 400 })).map(([of, count]) => ({ ...of, count })),
  { maxLength: 6, size: 'max' },
)
const count = (used: { count: number }[]) => used.reduce((sum, one) => sum + one.count, 0)

describe('the rules of the quota', () => {
  test('at most 1,000 executions start for a clinic, 500 for a rule and 800 for events other than pain', () => {
    fc.assert(
      fc.property(usage, fc.array(one, { maxLength: 1_200, size: 'max' }), (used, candidates) => {
        const admitted = admit(candidates, used)
        const all = [...used, ...admitted.map((of) => ({ ...of, count: 1 }))]
        const holds = (max: number, chosen: (of: { rule_id: string; event: string }) => boolean) =>
          count(all.filter(chosen)) <= Math.max(max, count(used.filter(chosen)))
        assert.ok(holds(1_000, () => true))
        for (const rule of ['a', 'b', 'c', 'd']) assert.ok(holds(500, ({ rule_id }) => rule_id === rule))
        assert.ok(holds(800, ({ event }) => event !== 'pain.reported'))
      }),
    )
  })

  test('after any number of other events, 200 reports of pain of a rule without executions still start', () => {
    fc.assert(
      fc.property(fc.array(one, { maxLength: 2_000, size: 'max' }), (candidates) => {
        const others = candidates.filter(({ event }) => event !== 'pain.reported')
        const used = admit(others, []).map((of) => ({ ...of, count: 1 }))
        const pain = Array.from({ length: 200 }, () => ({ rule_id: 'pain', event: 'pain.reported' }))
        assert.equal(admit(pain, used).length, 200)
      }),
    )
  })
})
