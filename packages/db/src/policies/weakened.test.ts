import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { randomFrom, soakRuns, soakSeed } from '@tendon/testing'
import { Attempts, LOGINS } from './attempts.fixtures.ts'
import { furtherCases } from './further.cases.ts'
import { CASES } from './index.ts'
import { type Weakened, weakenedPolicies } from './weakened.fixtures.ts'

const MIN_WEAKENED = 300
/** Why no caller can reach more rows. */
const EQUAL: Record<string, string> = {
  'humans_select without the tenant':
    'its conditions read organization_memberships and patient_profiles, whose own policies keep to the clinic',
  'booking_links_delete without the tenant':
    'its condition reads appointments, whose own policy keeps to the clinic for the worker, who owns none',
}

// Policies lose a condition, one after the other: then a case must fail, otherwise no test would notice that it is gone.
// `npm test` tries some. All: `SOAK_FACTOR=1 npm run test:only -- packages/db/src/policies/weakened.test.ts`.
describe('policies without one of their conditions', () => {
  let on: Attempts
  before(async () => {
    on = await Attempts.create()
  })
  after(() => on.drop())

  async function isNoticed({ table, operation }: Weakened): Promise<boolean> {
    for (const login of LOGINS) {
      const entry = CASES[table]
      assert.ok(entry, table)
      const { met, expected } = await on.onTable(login, table, entry, [operation])
      if (!isDeepStrictEqual(met, expected)) return true
    }
    for (const further of furtherCases(on.callers)) {
      if (further.table !== table || further.operation !== operation) continue
      if ((await on.further(further)) !== further.outcome) return true
    }
    return false
  }

  test('policies without one of their conditions are noticed by a case of the policies', async () => {
    const all = await weakenedPolicies(on.database)
    assert.ok(all.length > MIN_WEAKENED)
    const random = randomFrom(soakSeed())
    const ordered = all
      .map((weakened) => ({ weakened, at: random() }))
      .sort((a, b) => a.at - b.at)
      .map(({ weakened }) => weakened)
    const unnoticed: string[] = []
    for (const weakened of ordered.slice(0, soakRuns(all.length, 40))) {
      if (EQUAL[weakened.name] !== undefined) continue
      await on.database.query(weakened.weaken)
      if (!(await isNoticed(weakened))) unnoticed.push(weakened.name)
      await on.database.query(weakened.restore)
    }
    assert.deepEqual(unnoticed, [])
  })
})
