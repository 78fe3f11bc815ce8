import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import type { TestClinic } from '../webhooks/webhooks.testing.ts'
import { NOTICE, RULES, RUNS, type Run, startAutomations } from './automations.testing.ts'

describe('retries of automations', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  const ADDED = { trigger: { event: 'segment.member.added' } }
  const added = (clinic: TestClinic) =>
    core.publish(clinic, 'segment.member.added', { segment_id: randomUUID(), patient_id: randomUUID() })
  const retry = (clinic: TestClinic, id: string | undefined, from = 'start') =>
    core.post(`${RUNS}/${id}/retry`, { as: clinic.admin, body: { from } })
  const retryAll = (clinic: TestClinic, id: string) =>
    core.post(`${RULES}/${id}/executions/retry`, { as: clinic.admin, body: {} })
  const codeOf = ({ status, body }: Awaited<ReturnType<typeof retry>>) => `${status} ${body.error?.code}`
  const anHourLater = (clinic: TestClinic) =>
    core.database.query(
      `update automation_executions set created_at = created_at - interval '2 hours'
       where organization_id = $1 and skip_reason is null`,
      [clinic.id],
    )
  const runsOfRule = async (clinic: TestClinic, id: string): Promise<Run[]> =>
    (await core.get(`${RUNS}?limit=200&rule_id=${id}`, { as: clinic.admin })).body.data
  /** Minutes from the event of an execution, or from its retry, until its job and the execution itself are due. */
  async function dueAfter(clinic: TestClinic, retried: Run | undefined, since: 'event' | 'retry' = 'event') {
    const from = since === 'event' ? 'o.created_at' : 'e.created_at'
    const [row] = await core.database.query<{ execution: number; job: number }>(
      `select round(extract(epoch from e.progressed_at - ${from}) / 60)::integer as execution,
         round(extract(epoch from greatest(j.run_at, e.created_at) - ${from}) / 60)::integer as job
       from automation_executions e
       join automation_executions o on o.rule_id = e.rule_id and o.event_id = e.event_id and o.retried_from_id is null
       join graphile_worker.jobs j on j.key like '%' || e.id where e.id = $2 and e.organization_id = $1`,
      [clinic.id, retried?.id],
    )
    return row
  }
  async function skippedWithDelay(clinic: TestClinic, minutes: number) {
    await core.used(clinic, [500, 500])
    const { id } = await core.created(clinic, [NOTICE], { delay_minutes: minutes })
    await core.pain(clinic)
    await core.runAll(clinic)
    await anHourLater(clinic)
    const [skipped] = await runsOfRule(clinic, id)
    assert.equal(skipped?.skip_reason, 'quota')
    return { id, skipped }
  }

  for (const [name, start] of [
    ['a retry', (clinic: TestClinic, { skipped }: { skipped: Run }) => retry(clinic, skipped.id)],
    ['a bulk retry', (clinic: TestClinic, { id }: { id: string }) => retryAll(clinic, id)],
  ] as const)
    test(`${name} of an execution that the quota skipped keeps its delay, counted from the event`, async () => {
      const clinic = await core.organization()
      const waiting = await skippedWithDelay(clinic, 600)
      assert.ok((await start(clinic, waiting)).status < 300)
      const [retried] = (await runsOfRule(clinic, waiting.id)).filter((one) => one.retried_from_id !== null)
      assert.deepEqual(await dueAfter(clinic, retried), { execution: 600, job: 600 })
    })

  test('a canceled retry that never started keeps the delay when it is retried, and a delay that has passed adds none', async () => {
    const clinic = await core.organization()
    const { id, skipped } = await skippedWithDelay(clinic, 600)
    const first = await retry(clinic, skipped.id)
    await core.post(`${RUNS}/${first.body.data.id}/cancel`, { as: clinic.admin })
    const second = await retry(clinic, first.body.data.id)
    assert.deepEqual(await dueAfter(clinic, second.body.data), { execution: 600, job: 600 })
    await core.post(`${RUNS}/${second.body.data.id}/cancel`, { as: clinic.admin })
    await core.database.query(
      `update automation_executions set created_at = created_at - interval '11 hours' where rule_id = $1`,
      [id],
    )
    const third = await retry(clinic, second.body.data.id)
    assert.deepEqual(await dueAfter(clinic, third.body.data, 'retry'), { execution: 0, job: 0 })
  })

  test('bulk retries of several rules at once stay within the quota together', async () => {
    const clinic = await core.organization()
    await core.used(clinic, [500, 500], 'segment.member.added')
    const ids = []
    for (let one = 0; one < 8; one += 1) ids.push((await core.created(clinic, [NOTICE], ADDED)).id)
    for (let event = 0; event < 5; event += 1) await added(clinic)
    await core.runAll(clinic)
    await anHourLater(clinic)
    await core.used(clinic, [400, 395], 'segment.member.added')
    const answers = await Promise.all(ids.map((id) => retryAll(clinic, id)))
    assert.equal(
      answers.reduce((sum, { body }) => sum + (body.data?.retried ?? 0), 0),
      5,
    )
  })

  test('single retries at once stay within the quota together', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE])
    for (let event = 0; event < 8; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    await anHourLater(clinic)
    await core.used(clinic, [500, 497])
    const ended = await runsOfRule(clinic, id)
    const answers = await Promise.all(ended.map((one) => retry(clinic, one.id)))
    assert.deepEqual(answers.map(codeOf).sort(), [
      ...Array(3).fill('201 undefined'),
      ...Array(5).fill('429 execution_quota_reached'),
    ])
  })

  test('workers that dispatch at once stay within the quota together, for several clinics', async () => {
    const clinics = [await core.organization(), await core.organization()]
    for (const clinic of clinics) {
      await core.used(clinic, [500, 497])
      await core.created(clinic, [NOTICE])
    }
    // More than one batch, so that both workers have events of both clinics.
    for (let event = 0; event < 60; event += 1) for (const clinic of clinics) await core.pain(clinic)
    await Promise.all([core.dispatch(), core.dispatch()])
    await core.dispatch()
    for (const clinic of clinics) {
      const [count] = await core.database.query<{ started: number; skipped: number }>(
        `select count(*) filter (where skip_reason is null)::integer as started,
           count(*) filter (where skip_reason = 'quota')::integer as skipped
         from automation_executions where organization_id = $1`,
        [clinic.id],
      )
      assert.deepEqual(count, { started: 1_000, skipped: 57 })
    }
  })

  test('one execution is retried once at a time (409), and again after its retry has failed', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    const [ended] = await core.runAll(clinic)
    const answers = await Promise.all(Array.from({ length: 5 }, () => retry(clinic, ended?.id)))
    assert.deepEqual(answers.map(codeOf).sort(), ['201 undefined', ...Array(4).fill('409 execution_running')])
    const end = (status: string) =>
      core.database.query(
        `update automation_executions set status = $2, finished_at = now() where rule_id = $1 and status = 'queued'`,
        [id, status],
      )
    await end('failed')
    const [failed] = (await runsOfRule(clinic, id)).filter(({ status }) => status === 'failed')
    assert.equal(codeOf(await retry(clinic, ended?.id)), '201 undefined')
    assert.equal(codeOf(await retry(clinic, failed?.id)), '409 execution_running', 'a sibling of it runs')
    await end('succeeded')
    assert.equal(codeOf(await retry(clinic, ended?.id)), '409 execution_retried')
    assert.equal(codeOf(await retry(clinic, failed?.id)), '409 execution_retried')
    const latest = (await runsOfRule(clinic, id)).find(
      (one) => one.retried_from_id !== null && one.status === 'succeeded',
    )
    assert.equal(codeOf(await retry(clinic, latest?.id)), '201 undefined')
  })

  test('an execution of a bulk retry is not retried alone while it runs (409)', async () => {
    const clinic = await core.organization()
    const { id, skipped } = await skippedWithDelay(clinic, 0)
    assert.equal((await retryAll(clinic, id)).body.data.retried, 1)
    assert.equal(codeOf(await retry(clinic, skipped.id)), '409 execution_running')
  })

  test('a refusal for the quota names the part that is kept for reports of pain', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE], ADDED)
    await added(clinic)
    await core.runAll(clinic)
    await anHourLater(clinic)
    await core.used(clinic, [400, 400], 'segment.member.added')
    const refused = await retry(clinic, (await runsOfRule(clinic, id))[0]?.id)
    assert.equal(codeOf(refused), '429 execution_quota_reached')
    assert.match(refused.body.error.message, /200 .* kept for reports of pain/)
  })
})
