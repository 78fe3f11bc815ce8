import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { soakRuns, soakSeed } from '@tendon/testing'
import fc from 'fast-check'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

// A field against a model in memory: whatever is edited, published and rolled back in whatever order, versions have no gap,
// what was published never changes, and what is shown is the draft over the last version.

interface Content {
  label: string
  options: string[]
  is_private: boolean
  sort_order: number
}
type Step = { do: 'edit'; change: Partial<Content> } | { do: 'publish' } | { do: 'rollback'; version: number }

const FIRST: Content = { label: 'First', options: ['A', 'B'], is_private: false, sort_order: 0 }
const RUNS = soakRuns(8)

const change = fc.record(
  {
    label: fc.constantFrom('One', 'Two', 'Three'),
    options: fc.uniqueArray(fc.constantFrom('A', 'B', 'C'), { minLength: 1 }),
    is_private: fc.boolean(),
    sort_order: fc.integer({ min: -5, max: 5 }),
  },
  { requiredKeys: [] },
)
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('edit' as const), change: change.filter((one) => Object.keys(one).length > 0) }),
    fc.record({ do: fc.constant('publish' as const) }),
    fc.record({ do: fc.constant('rollback' as const), version: fc.integer({ min: 1, max: 6 }) }),
  ),
  { minLength: 1, maxLength: 12 },
)

describe('versions of a field', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  test('versions of a field follow the model', async () => {
    let count = 0
    await fc.assert(
      fc.asyncProperty(steps, async (taken) => {
        count += 1
        const as = clinic.admin
        const body = { entity_type: 'patient', key: `field_${count}`, field_type: 'select', ...FIRST }
        const created = await core.post('/v1/custom-fields', { as, body })
        assert.equal(created.status, 201, created.text)
        const path = `/v1/custom-fields/${created.body.data.id}`
        const published: Content[] = [FIRST]
        let draft: Content | undefined
        let shown = created.body.data
        for (const step of taken) {
          const current = draft ?? published.at(-1) ?? FIRST
          if (step.do === 'edit') {
            shown = (await core.patch(path, { as, body: step.change })).body.data
            draft = { ...current, ...step.change }
          } else if (step.do === 'publish') {
            if (draft) published.push(draft)
            draft = undefined
            const { body: told } = await core.post(`${path}/publish`, { as })
            assert.deepEqual([told.version, told.published], [published.length, true])
            shown = { ...shown, version: told.version, published: true }
          } else {
            const answer = await core.post(`${path}/rollback`, { as, body: { version: step.version } })
            const earlier = published[step.version - 1]
            assert.equal(answer.status, earlier ? 200 : 400)
            if (!earlier) continue
            draft = earlier
            shown = answer.body.data
          }
          const { label, options, is_private, sort_order, version, published: isPublished } = shown
          assert.deepEqual({ label, options, is_private, sort_order }, draft ?? published.at(-1))
          assert.deepEqual([version, isPublished], [published.length, draft === undefined])
        }
        const { body: versions } = await core.get(`${path}/versions`, { as })
        assert.deepEqual(
          versions.toReversed().map((one: { version: number; fields: Content }) => {
            const { label, options, is_private, sort_order } = one.fields
            return [one.version, { label, options, is_private, sort_order }]
          }),
          published.map((content, index) => [index + 1, content]),
        )
        await core.delete(path, { as })
      }),
      { numRuns: RUNS, seed: soakSeed() },
    )
  })

  test('versions of a field are never changed or deleted, not even by an operator of the platform', async () => {
    for (const login of ['tendon_app', 'tendon_worker', 'tendon_platform'])
      for (const right of ['insert', 'update', 'delete', 'truncate']) {
        const [row] = await core.database.query(`select has_table_privilege($1, 'custom_field_versions', $2) as held`, [
          login,
          right,
        ])
        assert.deepEqual(row, { held: false }, `${login} ${right}`)
      }
  })
})
