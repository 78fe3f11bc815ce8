import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { NOTICE, RULES, RUNS, rule, SEVERE, startAutomations } from './automations.testing.ts'

describe('automations', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  test('a rule runs once for an event whose conditions hold, however often the event is delivered', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [NOTICE], { conditions: SEVERE })
    const event = await core.pain(clinic)
    await core.pain(clinic, 'mild')
    const [first, second] = await core.runAll(clinic)
    await core.database.query('update outbox_events set dispatched_at = null where id = $1', [event])
    assert.equal((await core.runAll(clinic)).length, 2)
    const found = [first, second].map((one) => `${one?.status} ${one?.skip_reason}`)
    assert.deepEqual(
      found.sort((a, b) => a.localeCompare(b)),
      ['skipped conditions', 'succeeded null'],
    )
    assert.equal((await core.mailsOf(clinic)).length, 1)
    assert.ok(!JSON.stringify(await core.runsOf(clinic)).includes('Canary'))
    const audited = await core.database.query(
      `select actor_type from audit_log where organization_id = $1 and action = 'automations.execute'`,
      [clinic.id],
    )
    assert.deepEqual(audited, [{ actor_type: 'system' }, { actor_type: 'system' }])
  })

  test('a patient gets a mail with the placeholders filled in; marketing needs the consent', async () => {
    const clinic = await core.organization()
    const { email, id: patient_id, patient_profile_id } = await core.patientOf(clinic)
    const mail = (kind: string) => ({
      type: 'send_mail',
      params: { to: 'patient', kind, subject: 'Hello', text: 'Dear {{patient.first_name}}' },
    })
    await core.created(clinic, [mail('marketing'), mail('care')])
    await core.pain(clinic, 'severe', { patient_id, patient_profile_id })
    const [run] = await core.runAll(clinic)
    const steps = run?.steps.map(({ status, error }: { status: string; error: string | null }) => [status, error])
    assert.deepEqual(steps, [
      ['skipped', 'consent_missing'],
      ['succeeded', null],
    ])
    const [sent] = await core.mailsOf(clinic, 'automation_care')
    assert.equal(sent?.to_address, email)
    await core.database.query('update patients set restricted_at = now() where id = $1', [patient_id])
    await core.pain(clinic, 'severe', { patient_id, patient_profile_id })
    const [restricted] = await core.runAll(clinic)
    assert.deepEqual([restricted?.status, restricted?.skip_reason], ['skipped', 'patient_restricted'])
  })

  test('unknown placeholders and paths, and typed addresses, are refused (422); saving needs the permissions of the actions (403)', async () => {
    const clinic = await core.organization()
    const send = (body: object, as = clinic.admin) => core.post(RULES, { as, body })
    const mail = (params: object) => ({
      type: 'send_mail',
      params: { to: 'patient', kind: 'care', subject: 'a', ...params },
    })
    for (const bad of [
      rule([mail({ text: '{{patient.notes}}' })]),
      rule([mail({ text: 'a' })], { conditions: { mode: 'all', rules: [{ path: 'patient.notes', op: 'is_set' }] } }),
      rule([NOTICE], { trigger: { event: 'member.added' } }),
      rule([{ type: 'wait', params: {} }]),
    ]) {
      const { status, body } = await send(bad)
      assert.deepEqual([status, body.error.code], [422, 'invalid_rule'], JSON.stringify(bad))
    }
    assert.equal((await send(rule([mail({ text: 'a', to_address: 'x@mail.example' })]))).status, 422)
    const member = await core.memberWith(clinic, ['automations.manage', 'automations.view_org'])
    const refused = await send(rule([NOTICE]), member)
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'mails.manage'])
  })

  test('a retry continues at the failed step and keeps the steps before it', async () => {
    const clinic = await core.organization()
    const hook = await core.subscribe(clinic, 'http://127.0.0.1:9/', ['webhook.test'])
    const path = `/v1/webhook-subscriptions/${hook.uid}`
    await core.patch(path, { as: clinic.admin, body: { is_active: false } })
    await core.created(clinic, [NOTICE, { type: 'send_webhook', params: { subscription_uid: hook.uid } }])
    await core.pain(clinic)
    const [run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, run?.steps[1]?.error], ['failed', 'webhook_inactive'])
    await core.patch(path, { as: clinic.admin, body: { is_active: true } })
    const retry = await core.post(`${RUNS}/${run?.id}/retry`, { as: clinic.admin, body: { from: 'failed_step' } })
    assert.equal(retry.status, 201, retry.text)
    const again = await core.post(`${RUNS}/${retry.body.data.id}/retry`, { as: clinic.admin, body: { from: 'start' } })
    assert.equal(again.body.error.code, 'execution_running')
    const [retried] = await core.runAll(clinic)
    assert.deepEqual([retried?.status, retried?.retried_from_id], ['succeeded', run?.id])
    assert.equal((await core.mailsOf(clinic)).length, 1)
    const [delivery] = await core.deliveriesOf(clinic, hook.uid)
    assert.equal(delivery.event, 'automation.triggered')
  })

  test('a step with retries is tried again before it fails', async () => {
    const clinic = await core.organization()
    const { uid } = await core.subscribe(clinic, 'http://127.0.0.1:9/', ['webhook.test'])
    const action = { type: 'send_webhook', params: { subscription_uid: uid }, max_retries: 1 }
    await core.created(clinic, [{ ...action, on_error: 'continue' }, NOTICE])
    await core.delete(`/v1/webhook-subscriptions/${uid}`, { as: clinic.admin })
    await core.pain(clinic)
    const [first] = await core.runAll(clinic)
    assert.deepEqual([first?.status, first?.steps[0]?.attempts, first?.steps[0]?.status], ['running', 1, 'running'])
    const [second] = await core.runAll(clinic)
    assert.deepEqual(
      [second?.status, second?.steps[0]?.status, second?.steps[1]?.status],
      ['succeeded', 'failed', 'succeeded'],
    )
  })

  test('wait pauses the execution until a job continues it; a canceled execution does not continue', async () => {
    const clinic = await core.organization()
    await core.created(clinic, [{ type: 'wait', params: { minutes: 60 } }, NOTICE])
    await core.pain(clinic)
    const [paused] = await core.runAll(clinic)
    assert.deepEqual([paused?.status, paused?.steps[0]?.status], ['paused', 'waiting'])
    const [job] = await core.database.query<{ run_at: string }>(
      `select run_at from graphile_worker.jobs where task_identifier = 'run_automation' and key like '%' || $1`,
      [paused?.id],
    )
    assert.equal(new Date(job?.run_at ?? '').getTime(), core.clock.now.getTime() + 60 * 60_000)
    await core.pain(clinic)
    const [other] = await core.runAll(clinic)
    const canceled = await core.post(`${RUNS}/${other?.id}/cancel`, { as: clinic.admin })
    assert.equal(canceled.body.data.status, 'canceled')
    await core.run(clinic, other?.id ?? '')
    const done = (await core.runsOf(clinic)).map(({ status }: { status: string }) => status)
    assert.deepEqual(done, ['canceled', 'succeeded'])
    assert.equal((await core.mailsOf(clinic)).length, 1)
  })

  test('an edit that a switch of is_active has overtaken is refused (409)', async () => {
    const clinic = await core.organization()
    const as = clinic.admin
    const { id } = await core.created(clinic, [NOTICE])
    const path = `${RULES}/${id}`
    const { etag } = Object.fromEntries((await core.get(path, { as })).headers)
    const off = await core.patch(path, { as, body: { is_active: false, version: 1 } })
    assert.deepEqual([off.status, off.body.data.version], [200, 2])
    const late = await core.patch(path, { as, headers: { 'if-match': etag ?? '' }, body: { is_active: true } })
    assert.deepEqual([late.status, late.body.error.code], [409, 'stale_version'])
    assert.deepEqual([late.body.error.current_version, late.body.error.current.is_active], [2, false])
    const same = await core.patch(path, { as, body: { is_active: false, version: 2 } })
    assert.deepEqual([same.status, same.body.data.version], [200, 2], 'a change of nothing is no version')
  })

  test('a change is a new version, and simulate writes nothing', async () => {
    const clinic = await core.organization()
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    await core.pain(clinic, 'mild')
    const changed = await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: { conditions: SEVERE } })
    assert.equal(changed.body.data.version, 2)
    const versions = await core.get(`${RULES}/${id}/versions`, { as: clinic.admin })
    assert.equal(versions.body.pagination.total, 2)
    const body = { since: new Date(Date.now() - 60_000_000).toISOString() }
    const { body: simulated } = await core.post(`${RULES}/${id}/simulate`, { as: clinic.admin, body })
    assert.deepEqual(simulated.data.map(({ would_run }: { would_run: boolean }) => would_run).sort(), [false, true])
    assert.deepEqual([await core.runsOf(clinic), await core.mailsOf(clinic)], [[], []])
  })

  test('another clinic finds neither rules nor executions (404)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id } = await core.created(clinic, [NOTICE])
    await core.pain(clinic)
    const [run] = await core.runAll(clinic)
    const as = other.admin
    assert.equal((await core.get(`${RULES}/${id}`, { as })).body.error.code, 'rule_not_found')
    assert.equal((await core.delete(`${RULES}/${id}`, { as })).status, 404)
    assert.equal((await core.get(`${RUNS}/${run?.id}`, { as })).body.error.code, 'execution_not_found')
    assert.equal((await core.post(`${RUNS}/${run?.id}/cancel`, { as })).status, 404)
  })
})
