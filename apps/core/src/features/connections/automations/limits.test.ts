import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { jobTools } from '../job.testing.ts'
import { NOTICE, RULES, RUNS, rule, startAutomations } from './automations.testing.ts'
import { automationJobs } from './jobs.ts'

const AUTHOR = ['automations.manage', 'automations.view_org', 'mails.manage']

describe('limits of automations', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  test('a clinic has at most 100 rules (403 limit_exceeded)', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE])
    await core.database.query(
      `insert into automation_rules (organization_id, name, trigger_event, conditions, actions)
       select organization_id, name, trigger_event, conditions, actions from automation_rules, generate_series(1, 99)
       where organization_id = $1`,
      [clinic.id],
    )
    const refused = await core.post(RULES, { as: clinic.admin, body: rule([NOTICE]) })
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'limit_exceeded'])
  })

  test('a retry counts: at the quota it is refused (429), and nothing is sent', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE])
    for (let event = 0; event < 2; event += 1) await core.pain(clinic)
    const [one, other] = (await core.runAll(clinic)).filter(({ status }) => status === 'succeeded')
    await core.used(clinic, [500, 497])
    const retry = (id: string | undefined) =>
      core.post(`${RUNS}/${id}/retry`, { as: clinic.admin, body: { from: 'start' } })
    assert.equal((await retry(one?.id)).status, 201)
    const refused = await retry(other?.id)
    assert.deepEqual([refused.status, refused.body.error.code], [429, 'execution_quota_reached'])
    assert.equal(refused.headers.get('retry-after'), '600')
  })

  for (const [code, more] of [
    ['patients.view_org', { text: 'Call {{patient.first_name}}' }],
    ['appointments.view_org', { text: 'At {{ appointment.starts_at }}' }],
    ['patients.view_org', { path: 'patient.birth_date' }],
    ['appointments.view_org', { path: 'appointment.starts_on' }],
  ] as const)
    test(`a rule that reads ${JSON.stringify(more)} needs ${code} (403)`, async () => {
      const clinic = await core.organization()
      const member = await core.memberWith(clinic, AUTHOR)
      const action = { ...NOTICE, params: { ...NOTICE.params, ...('text' in more ? more : {}) } }
      const rules = 'path' in more ? [{ path: more.path, op: 'is_set' }] : []
      const body = rule([action], { conditions: { mode: 'all', rules } })
      const refused = await core.post(RULES, { as: member, body })
      assert.deepEqual([refused.status, refused.body.error?.required], [403, code])
      const reader = await core.memberWith(clinic, [...AUTHOR, code])
      assert.equal((await core.post(RULES, { as: reader, body })).status, 201)
    })

  test('a retry needs the permissions of the version that ran (403)', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    const [ended] = await core.runAll(clinic)
    const member = await core.memberWith(clinic, ['automations.manage', 'automations.view_org'])
    const path = `${RUNS}/${ended?.id}/retry`
    const refused = await core.post(path, { as: member, body: { from: 'start' } })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'mails.manage'])
    assert.equal((await core.post(path, { as: clinic.admin, body: { from: 'start' } })).status, 201)
  })

  test('executions are deleted 90 days after their end, waiting ones are not', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE])
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    const [first, second, third] = await core.runsOf(clinic)
    const change = (id: string | undefined, set: string) =>
      core.database.query(`update automation_executions set ${set} where id = $1`, [id])
    await change(first?.id, `finished_at = now() - interval '91 days'`)
    await change(second?.id, `status = 'paused', finished_at = null, created_at = now() - interval '91 days'`)
    const job = automationJobs.find(({ name }) => name === 'delete_old_automation_executions')
    await job?.run({}, jobTools(core.worker))
    assert.deepEqual(new Set((await core.runsOf(clinic)).map(({ id }) => id)), new Set([second?.id, third?.id]))
  })
})
