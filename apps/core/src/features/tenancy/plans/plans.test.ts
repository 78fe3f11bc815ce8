import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { ApiError } from '@tendon/http'
import { Pool } from 'pg'
import { sharedCore, type TestCore } from '../../../testing/core.ts'
import type { Person } from '../../../testing/people.ts'
import { type LimitedRequest, withinPlan } from './index.ts'

const at = (clinic: { id: string }) => `/v1/organizations/${clinic.id}/plan`

describe('plans', () => {
  let core: TestCore
  let operator: Person
  before(async () => {
    core = await sharedCore()
    operator = await core.superadmin()
  })
  after(() => core.close())

  const use = (clinic: { id: string }, change: number) =>
    core.database.query(`select change_usage($1, 'max_specialists', $2)`, [clinic.id, change])

  test('a member reads the plan and how much of each limit is used', async () => {
    const clinic = await core.organization()
    const member = await core.memberWith(clinic, [])
    await use(clinic, 1)
    const read = await core.get(at(clinic), { as: member })
    assert.equal(read.status, 200, read.text)
    assert.deepEqual(read.body.data, {
      plan: 'free',
      name: 'Free',
      limits: [
        { name: 'max_specialists', max: 2, current: 1 },
        { name: 'max_unfinished_upload_mb', max: 2000, current: 0 },
      ],
    })
    const other = await core.organization()
    assert.equal((await core.get(at(clinic), { as: other.admin })).body.error.code, 'organization_mismatch')
  })

  test('a superadmin changes the plan, audited in the organization and announced; no member can', async () => {
    const clinic = await core.organization()
    const refused = await core.put(at(clinic), { as: clinic.admin, body: { plan: 'dedicated' } })
    assert.equal(refused.status, 403)
    for (let times = 0; times < 2; times += 1) {
      const changed = await core.put(at({ id: clinic.id.toUpperCase() }), {
        as: operator,
        body: { plan: 'dedicated' },
      })
      assert.equal(changed.status, 200, changed.text)
      assert.deepEqual(changed.body.data, {
        plan: 'dedicated',
        name: 'Dedicated',
        limits: [
          { name: 'max_specialists', max: null, current: 0 },
          { name: 'max_unfinished_upload_mb', max: null, current: 0 },
        ],
      })
    }
    const rows = await core.database.query(
      `select actor_type, actor_principal_id, target_id from audit_log
       where organization_id = $1 and action = 'organizations.change_plan'`,
      [clinic.id],
    )
    assert.deepEqual(rows, [{ actor_type: 'superadmin', actor_principal_id: operator.id, target_id: clinic.id }])
    const events = await core.database.query(
      `select payload from outbox_events where organization_id = $1 and type = 'organization.plan_changed'`,
      [clinic.id],
    )
    assert.deepEqual(events, [{ payload: { organization_id: clinic.id, plan: 'dedicated', previous_plan: 'free' } }])
    const seen = await core.get(`/v1/organizations/${clinic.id}`, { as: clinic.admin })
    assert.equal(seen.body.data.plan, 'dedicated')
  })

  test('an unknown plan is refused (422), an unknown organization 404', async () => {
    const clinic = await core.organization()
    const refused = await core.put(at(clinic), { as: operator, body: { plan: 'gold' } })
    assert.equal(refused.status, 422)
    assert.ok(refused.body.error.fields.plan)
    const unknown = await core.put(at({ id: randomUUID() }), { as: operator, body: { plan: 'pro' } })
    assert.equal(unknown.status, 404)
    assert.equal(unknown.body.error.code, 'organization_not_found')
  })

  test('a smaller plan keeps existing records, but nothing can be added above its limits', async () => {
    const clinic = await core.organization({ plan: 'pro' })
    await use(clinic, 3)
    const smaller = await core.put(at(clinic), { as: operator, body: { plan: 'free' } })
    assert.deepEqual(smaller.body.data.limits[0], { name: 'max_specialists', max: 2, current: 3 })
    await assert.rejects(use(clinic, 1), { constraint: 'organization_usage_limit_check' })
    await use(clinic, -2)
    await use(clinic, 1)
    await assert.rejects(use(clinic, 1), { constraint: 'organization_usage_limit_check', column: 'max_specialists' })
  })

  test('a limit is exact under parallel transactions, whether or not they are rolled back', async () => {
    const pool = new Pool({ connectionString: core.database.url, max: 20 })
    const take = async (clinic: { id: string }, end: 'commit' | 'rollback') => {
      const client = await pool.connect()
      try {
        await client.query('begin')
        await client.query(`select change_usage($1, 'max_specialists', 1)`, [clinic.id])
        await client.query(end)
        return true
      } catch (error) {
        await client.query('rollback')
        assert.equal((error as { constraint?: string }).constraint, 'organization_usage_limit_check')
        return false
      } finally {
        client.release()
      }
    }
    const race = async (plan: string) => {
      const clinic = await core.organization({ plan })
      const taken = await Promise.all(
        Array.from({ length: 20 }, (_, n) => take(clinic, plan === 'pro' && n % 2 === 0 ? 'rollback' : 'commit')),
      )
      const { limits } = (await core.get(at(clinic), { as: clinic.admin })).body.data
      return { succeeded: taken.filter(Boolean).length, current: limits[0].current }
    }
    assert.deepEqual(await race('free'), { succeeded: 2, current: 2 })
    assert.deepEqual(await race('dedicated'), { succeeded: 20, current: 20 })
    assert.equal((await race('pro')).current, 10, 'what is rolled back is not counted')
    await pool.end()
  })

  test('at the limit the refusal contains the numbers (403 limit_exceeded)', async () => {
    const clinic = await core.organization()
    const context = { organizationId: clinic.id, principalId: clinic.admin.id, permissions: '' }
    const request: LimitedRequest = {
      caller: { organization_id: clinic.id },
      tenant: (work) => core.services.db.tenant(context, work),
    }
    assert.equal(await withinPlan(request, async () => 'done'), 'done')
    await use(clinic, 2)
    await assert.rejects(
      withinPlan(request, () => use(clinic, 1)),
      (error: unknown) => {
        assert.ok(error instanceof ApiError)
        assert.equal(error.status, 403)
        assert.equal(error.code, 'limit_exceeded')
        assert.deepEqual(error.extra, { limit: { name: 'max_specialists', max: 2, current: 2, plan: 'free' } })
        return true
      },
    )
    const other = new Error('another failure')
    await assert.rejects(
      withinPlan(request, () => Promise.reject(other)),
      other,
    )
  })
})
