import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { nextMonday, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import { jobTools } from '../job.testing.ts'
import type { TestClinic } from '../webhooks/webhooks.testing.ts'
import { NOTICE, RULES, RUNS, startAutomations } from './automations.testing.ts'
import { timeOutExecutions } from './finishing.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const WAIT = { type: 'wait', params: { minutes: 60 } }

describe('a rule that is switched off', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  const turn = async (clinic: TestClinic, id: string, is_active: boolean) => {
    const { status, text } = await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: { is_active } })
    assert.equal(status, 200, text)
  }
  const jobsOf = (execution = '') =>
    core.database.query<{ run_at: Date }>(
      `select run_at from graphile_worker.jobs where task_identifier = 'run_automation' and key like '%' || $1`,
      [execution],
    )
  const statesOf = async (clinic: TestClinic) =>
    (await core.get(`${RUNS}?sort=created_at`, { as: clinic.admin })).body.data.map(
      ({ status, is_held }: { status: string; is_held: boolean }) => [status, is_held],
    )
  const dropJobs = () => core.database.query(`delete from graphile_worker._private_jobs`)
  const cancel = (clinic: TestClinic, id: string, as = clinic.admin) =>
    core.post(`${RULES}/${id}/executions/cancel`, { as, body: {} })

  test('a rule that is switched off holds queued, delayed and paused executions; they continue when it is switched on again', async () => {
    const clinic = await core.organization()
    const paused = await core.created(clinic, [WAIT, NOTICE])
    const delayed = await core.created(clinic, [NOTICE], { delay_minutes: 30 })
    await core.pain(clinic)
    await core.dispatch()
    const runs = await core.runsOf(clinic)
    for (const { id, rule_id } of runs) if (rule_id === paused.id) await core.run(clinic, id)
    for (const { id } of [paused, delayed]) await turn(clinic, id, false)
    assert.deepEqual((await statesOf(clinic)).sort(), [['paused', true], ['queued', true]]) // biome-ignore format: one fact
    core.clock.now = new Date(Date.now() + 2 * HOUR_MS)
    for (const { id } of runs) await core.run(clinic, id)
    assert.deepEqual((await statesOf(clinic)).sort(), [['paused', true], ['queued', true]]) // biome-ignore format: one fact
    assert.equal((await core.mailsOf(clinic)).length, 0)
    await dropJobs()
    await core.database.query(
      `update automation_executions set progressed_at = progressed_at - interval '2 hours' where organization_id = $1`,
      [clinic.id],
    )
    for (const { id } of [paused, delayed]) await turn(clinic, id, true)
    for (const { id } of runs) {
      assert.equal((await jobsOf(id)).length, 1)
      await core.run(clinic, id)
    }
    assert.deepEqual(await statesOf(clinic), [['succeeded', false], ['succeeded', false]]) // biome-ignore format: one fact
    assert.equal((await core.mailsOf(clinic)).length, 2)
    core.clock.now = new Date()
  })

  test('an execution between two steps does not take the next one', async () => {
    const clinic = await core.organization()
    const hook = await core.subscribe(clinic, 'http://127.0.0.1:9/', ['webhook.test'])
    await core.patch(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin, body: { is_active: false } })
    const send = { type: 'send_webhook', params: { subscription_uid: hook.uid }, max_retries: 3, on_error: 'continue' }
    const { id } = await core.created(clinic, [send, NOTICE])
    await core.pain(clinic)
    const [running] = await core.runAll(clinic)
    assert.equal(running?.status, 'running')
    await turn(clinic, id, false)
    const [held] = await core.runAll(clinic)
    assert.deepEqual([held?.status, held?.steps[0]?.attempts], ['running', 1])
  })

  test('what is due later stays due at its time', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [WAIT, NOTICE])
    await core.pain(clinic)
    const [run] = await core.runAll(clinic)
    const before = await jobsOf(run?.id)
    await turn(clinic, id, false)
    await turn(clinic, id, true)
    assert.deepEqual(await jobsOf(run?.id), before)
  })

  test('held executions do not time out after a day, also not right after the switch, but after 30 days', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.dispatch()
    await turn(clinic, id, false)
    const statusAfter = async (days: number) => {
      core.clock.now = new Date(Date.now() + days * DAY_MS)
      await timeOutExecutions(jobTools(core.worker))
      core.clock.now = new Date()
      return (await core.runsOf(clinic)).map(({ status }) => status)
    }
    assert.deepEqual(await statusAfter(3), ['queued'])
    await core.database.query(
      `update automation_executions set progressed_at = progressed_at - interval '3 days' where organization_id = $1`,
      [clinic.id],
    )
    await turn(clinic, id, true)
    assert.deepEqual(await statusAfter(0), ['queued'])
    await turn(clinic, id, false)
    assert.deepEqual(await statusAfter(30), ['timed_out'])
  })

  test('its waiting executions are cancelled together, those of other rules are not', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [WAIT, NOTICE])
    const other = await core.created(clinic, [WAIT, NOTICE])
    for (let event = 0; event < 3; event += 1) await core.pain(clinic)
    await core.runAll(clinic)
    await turn(clinic, id, false)
    const answer = await cancel(clinic, id)
    assert.deepEqual([answer.status, answer.body.data], [200, { canceled: 3, remaining: 0 }])
    assert.deepEqual((await cancel(clinic, id)).body.data, { canceled: 0, remaining: 0 })
    const runs = await core.runsOf(clinic)
    const found = runs.map(({ rule_id, status }) => [rule_id === other.id ? 'other' : 'own', status].join(' '))
    assert.deepEqual(found.sort(), [...Array(3).fill('other paused'), ...Array(3).fill('own canceled')])
    assert.deepEqual((await core.finished(clinic)).published, Array(3).fill('canceled'))
    await turn(clinic, id, true)
    for (const run of runs) if (run.rule_id === id) await core.run(clinic, run.id)
    assert.equal((await core.mailsOf(clinic)).length, 0)
    const foreign = await cancel(clinic, id, (await core.organization()).admin)
    assert.deepEqual([foreign.status, foreign.body.error.code], [404, 'rule_not_found'])
    const reader = await core.memberWith(clinic, ['automations.view_org'])
    assert.equal((await cancel(clinic, id, reader)).status, 403)
  })

  const MAIL = { type: 'send_mail', params: { to: 'patient', kind: 'care', subject: 'Visit', text: 'Your visit' } }
  async function booked(actions: object[], more = {}) {
    const clinic = await schedulingClinic(core)
    const patient = await core.patientOf(clinic)
    const { id } = await core.created(clinic, actions, { trigger: { event: 'appointment.created' }, ...more })
    const starts_at = nextMonday()
    const { body, text } = await core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        patient_id: patient.id,
        specialist_id: clinic.specialist.id,
        service_id: clinic.service.id,
        mode: 'in_person',
        starts_at: starts_at.toISOString(),
      },
    })
    assert.ok(body.data, text)
    const move = (by: number) =>
      core.database.query(
        `update appointments set starts_at = starts_at - make_interval(secs => $2),
           ends_at = ends_at - make_interval(secs => $2) where id = $1`,
        [body.data.id, by / 1_000],
      )
    return { clinic, id, starts_at, move }
  }
  const BEFORE = { type: 'wait', params: { before_appointment_minutes: 24 * 60 } }

  test('a reminder whose visit has begun meanwhile is not sent', async () => {
    const { clinic, id, starts_at } = await booked([BEFORE, MAIL])
    await core.runAll(clinic)
    await turn(clinic, id, false)
    core.clock.now = new Date(starts_at.getTime() - 23 * HOUR_MS)
    await core.runAll(clinic)
    await turn(clinic, id, true)
    core.clock.now = new Date(starts_at.getTime() + 1)
    const [run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, run?.skip_reason], ['skipped', 'late'])
    assert.equal((await core.mailsOf(clinic, 'automation_care')).length, 0)
    core.clock.now = new Date()
  })

  test('a reminder whose visit is still to come is sent when the rule is switched on', async () => {
    const { clinic, id, starts_at } = await booked([BEFORE, MAIL])
    await core.runAll(clinic)
    await turn(clinic, id, false)
    await turn(clinic, id, true)
    core.clock.now = new Date(starts_at.getTime() - 2 * HOUR_MS)
    assert.equal((await core.runAll(clinic))[0]?.status, 'succeeded')
    core.clock.now = new Date()
  })

  test('what was due before a visit and was held until after it is not sent', async () => {
    const { clinic, id, starts_at, move } = await booked([MAIL])
    await core.dispatch()
    await turn(clinic, id, false)
    const ago = starts_at.getTime() - Date.now() + HOUR_MS
    await move(ago)
    await core.database.query(
      `update automation_executions set progressed_at = now() - interval '2 hours' where organization_id = $1`,
      [clinic.id],
    )
    await turn(clinic, id, true)
    core.clock.now = new Date()
    const [run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, run?.skip_reason], ['skipped', 'late'])
    assert.equal((await core.mailsOf(clinic, 'automation_care')).length, 0)
  })

  test('a mail that a rule sends some time after the reminder is sent after the visit', async () => {
    const { clinic, starts_at } = await booked([
      BEFORE,
      NOTICE,
      { type: 'wait', params: { minutes: 2 * 24 * 60 } },
      MAIL,
    ])
    await core.runAll(clinic)
    core.clock.now = new Date(starts_at.getTime() - 24 * HOUR_MS)
    await core.runAll(clinic)
    core.clock.now = new Date(starts_at.getTime() + 24 * HOUR_MS)
    assert.equal((await core.runAll(clinic))[0]?.status, 'succeeded')
    assert.equal((await core.mailsOf(clinic, 'automation_care')).length, 1)
    core.clock.now = new Date()
  })
})
