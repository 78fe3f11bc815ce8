import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { TestClinic } from '../webhooks/webhooks.testing.ts'
import { NOTICE, RULES, RUNS, startAutomations } from './automations.testing.ts'

describe('the quota of automations', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  const ADDED = { trigger: { event: 'segment.member.added' } }
  const added = (clinic: TestClinic) =>
    core.publish(clinic, 'segment.member.added', { segment_id: randomUUID(), patient_id: randomUUID() })
  const skippedOf = (clinic: TestClinic) =>
    core.database.query<{ rule_id: string; status: string }>(
      `select rule_id, status from automation_executions where organization_id = $1 and skip_reason = 'quota'`,
      [clinic.id],
    )
  const countOf = (rows: { rule_id: string }[], id: string) => rows.filter(({ rule_id }) => rule_id === id).length
  const retry = (clinic: TestClinic, id: string, body: object = {}, as = clinic.admin) =>
    core.post(`${RULES}/${id}/executions/retry`, { as, body })
  /** Makes everything that counts older than an hour. */
  const anHourLater = (clinic: TestClinic) =>
    core.database.query(
      `update automation_executions set created_at = created_at - interval '2 hours'
       where organization_id = $1 and skip_reason is null`,
      [clinic.id],
    )

  test('over the quota every event leaves one skipped execution for each rule, and all are listed', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [500, 500])
    const rules = [await core.created(clinic, [NOTICE]), await core.created(clinic, [NOTICE], { delay_minutes: 60 })]
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    const skipped = await skippedOf(clinic)
    assert.deepEqual(
      rules.map(({ id }) => countOf(skipped, id)),
      [3, 3],
    )
    assert.ok(skipped.every(({ status }) => status === 'skipped'))
    assert.deepEqual((await core.finished(clinic)).published, Array(6).fill('skipped'))
    assert.equal((await core.mailsOf(clinic)).length, 0)
    const list = await core.get(`${RUNS}?skip_reason=quota&rule_id=${rules[0]?.id}`, { as: clinic.admin })
    assert.equal(list.body.pagination.total, 3)
  })

  test('the admins of the clinic get one mail in an hour about it, with the rule', async () => {
    const clinic = await core.organization()
    const member = await core.memberWith(clinic, ['automations.view_org'])
    await core.used(clinic, [500, 500])
    await core.created(clinic, [NOTICE], { name: 'Call after pain' })
    const mails = () => core.mailsOf(clinic, 'automation_quota')
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.dispatch()
    await core.pain(clinic)
    await core.dispatch()
    const sent = await mails()
    assert.deepEqual(
      sent.map(({ to_address, data }) => [to_address, data.rule_name]),
      [[clinic.admin.email, 'Call after pain']],
    )
    assert.ok(!sent.some(({ to_address }) => to_address === member.email))
    await core.database.query(
      `update mail_outbox set created_at = created_at - interval '61 minutes', dedupe_key = dedupe_key || ' before'
       where organization_id = $1`,
      [clinic.id],
    )
    core.clock.now = new Date() // not earlier than the mail was written
    await core.pain(clinic)
    await core.dispatch()
    assert.equal((await mails()).length, 2)
  })

  test('a noisy rule uses at most half of the quota, and the other rules continue', async () => {
    const clinic = await core.organization()
    const noisy = await core.created(clinic, [NOTICE])
    await core.database.query(
      `insert into automation_executions (organization_id, rule_id, rule_version, event_id, event, data, status)
       select $1, $2, 1, gen_random_uuid(), 'pain.reported', '{}', 'succeeded' from generate_series(1, 499)`,
      [clinic.id, noisy.id],
    )
    const quiet = await core.created(clinic, [NOTICE])
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    const skipped = await skippedOf(clinic)
    assert.deepEqual([countOf(skipped, noisy.id), countOf(skipped, quiet.id)], [2, 0])
  })

  test('a fifth of the quota is kept for reports of pain', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [400, 400], 'segment.member.added')
    const other = await core.created(clinic, [NOTICE], ADDED)
    const pain = await core.created(clinic, [NOTICE])
    await added(clinic)
    await core.pain(clinic)
    await core.runAll(clinic)
    const runs = (await core.runsOf(clinic)).filter(({ rule_id }) => [other.id, pain.id].includes(rule_id))
    assert.deepEqual(new Set(runs.map(({ rule_id, status, skip_reason }) => `${rule_id} ${status} ${skip_reason}`)), new Set([`${other.id} skipped quota`, `${pain.id} succeeded null`])) // biome-ignore format: one fact
  })

  test('reports of pain do not shrink the part of other events', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [300], 'pain.reported')
    await core.used(clinic, [500, 199], 'segment.member.added')
    const { id } = await core.created(clinic, [NOTICE], ADDED)
    await added(clinic)
    const [run] = (await core.runAll(clinic)).filter(({ rule_id }) => rule_id === id)
    assert.equal(run?.status, 'succeeded')
  })

  test('skipped executions of a rule run again together, each once, as far as the quota allows', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [500, 500])
    const { id } = await core.created(clinic, [NOTICE])
    const other = await core.created(clinic, [NOTICE])
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    const full = await retry(clinic, id)
    assert.deepEqual([full.status, full.body.error.code], [429, 'execution_quota_reached'])
    assert.ok(Number(full.headers.get('retry-after')) > 0)
    await anHourLater(clinic)
    await core.used(clinic, [500, 498])
    const first = await retry(clinic, id)
    assert.deepEqual([first.status, first.body.data], [200, { retried: 2, remaining: 1 }])
    assert.equal((await retry(clinic, id)).status, 429)
    await core.runAll(clinic)
    await anHourLater(clinic)
    const [one, two] = await Promise.all([retry(clinic, id), retry(clinic, id)])
    assert.deepEqual([one.body.data.retried + two.body.data.retried, (await retry(clinic, id)).body.data], [1, { retried: 0, remaining: 0 }]) // biome-ignore format: one fact
    await core.runAll(clinic)
    assert.equal((await core.mailsOf(clinic)).length, 3)
    assert.equal(countOf(await skippedOf(clinic), other.id), 3)
    const retried = await core.database.query<{ rule_id: string; status: string }>(
      `select rule_id, status from automation_executions where organization_id = $1 and retried_from_id is not null`,
      [clinic.id],
    )
    const succeeded = retried.filter(({ rule_id, status }) => rule_id === id && status === 'succeeded')
    assert.deepEqual([retried.length, succeeded.length], [3, 3])
    const audited = await core.database.query(
      `select 1 from audit_log where organization_id = $1 and action = 'automations.retry'`,
      [clinic.id],
    )
    assert.equal(audited.length, 2)
  })

  test('a bulk retry takes only the given time and only what the quota skipped', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [500, 500])
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.runAll(clinic)
    await anHourLater(clinic)
    const never = { mode: 'all', rules: [{ path: 'data.severity_band', op: 'in', value: ['mild'] }] }
    await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: { conditions: never } })
    await core.pain(clinic)
    await core.runAll(clinic)
    const until = new Date(Date.now() - 3_600_000).toISOString()
    assert.deepEqual((await retry(clinic, id, { until })).body.data, { retried: 0, remaining: 0 })
    assert.deepEqual((await retry(clinic, id, { since: until })).body.data, { retried: 1, remaining: 0 })
  })

  test('a bulk retry needs automations.manage and the permissions of the rule (403), and a rule of the clinic (404)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    await core.used(clinic, [500, 500])
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.runAll(clinic)
    const member = await core.memberWith(clinic, ['automations.manage', 'automations.view_org'])
    const refused = await retry(clinic, id, {}, member)
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'mails.manage'])
    const foreign = await retry(clinic, id, {}, other.admin)
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'rule_not_found'])
  })
})
