import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { formTools } from '../../records/forms/forms.testing.ts'
import { nextMonday, schedulingClinic } from '../../scheduling/clinic.testing.ts'
import type { TestClinic } from '../webhooks/webhooks.testing.ts'
import { NOTICE, RULES, rule, startAutomations } from './automations.testing.ts'

const HOUR_MS = 3_600_000

describe('what automations read and create', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  const onMessage = (rules: object[]) => ({
    trigger: { event: 'integration.received' },
    conditions: { mode: 'all', rules },
  })
  async function inbound(clinic: TestClinic) {
    const { body, text } = await core.post(`/v1/organizations/${clinic.id}/integrations`, {
      as: clinic.admin,
      body: { service_slug: 'inbound_webhook', title: 'Laboratory', config: {} },
    })
    assert.ok(body.data, text)
    return body.data as { inbound: { url: string; signing_secret: string } }
  }

  test('create_form creates a form for the patient of the event, as the system', async () => {
    const clinic = await core.organization()
    const patient = await core.patientOf(clinic)
    const template = await formTools(core).template(clinic, [{ key: 'a', label: 'A', type: 'text' }])
    const action = { type: 'create_form', params: { form_template_id: template } }
    await core.created(clinic, [action])
    await core.pain(clinic, 'severe', { patient_id: patient.id, patient_profile_id: patient.patient_profile_id })
    await core.pain(clinic)
    const [nobody, run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, nobody?.steps[0]?.error], ['succeeded', 'patient_missing'])
    const { body } = await core.get('/v1/forms', { as: clinic.admin })
    assert.deepEqual(
      body.data.map((form: Record<string, unknown>) => [form.form_template_id, form.patient_profile_id]),
      [[template, patient.patient_profile_id]],
    )
    const audited = await core.database.query(
      `select actor_type, patient_profile_id from audit_log where organization_id = $1 and action = 'forms.create'`,
      [clinic.id],
    )
    assert.deepEqual(audited, [{ actor_type: 'system', patient_profile_id: patient.patient_profile_id }])
    // A template that is archived later fails the step with the reason.
    await core.post(`/v1/form-templates/${template}/archive`, { as: clinic.admin })
    await core.pain(clinic, 'severe', { patient_id: patient.id, patient_profile_id: patient.patient_profile_id })
    const [failed] = await core.runAll(clinic)
    assert.equal(failed?.status, 'failed')
    assert.match(failed?.steps[0]?.error ?? '', /^[a-z_]+$/)
  })

  test('create_form needs a published template of the clinic (422) and forms.create (403)', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const template = await formTools(core).template(other, [{ key: 'a', label: 'A', type: 'text' }])
    const body = rule([{ type: 'create_form', params: { form_template_id: template } }])
    const foreign = await core.post(RULES, { as: clinic.admin, body })
    assert.deepEqual([foreign.status, Object.keys(foreign.body.error.fields)], [422, ['actions.0.params']])
    const member = await core.memberWith(other, ['automations.manage', 'automations.view_org'])
    const refused = await core.post(RULES, { as: member, body })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'forms.create'])
  })

  test('a rule reads the message of an inbound webhook, and its body is stored nowhere in plain text', async () => {
    const clinic = await core.organization()
    const { inbound: hook } = await inbound(clinic)
    const send = (message: string) => {
      const signature = createHmac('sha256', hook.signing_secret).update(message).digest('hex')
      const headers = { 'content-type': 'application/json', 'x-signature': `sha256=${signature}` }
      return core.rawCall('POST', new URL(hook.url).pathname, headers, message)
    }
    await core.created(
      clinic,
      [NOTICE],
      onMessage([
        { path: 'message.result.status', op: 'eq', value: 'abnormal' },
        { path: 'message.result.value', op: 'gte', value: 7.5 },
        { path: 'message.urgent', op: 'eq', value: 'true' },
        { path: 'message.tags', op: 'contains_any', value: ['blood'] },
        { path: 'message.taken_on', op: 'after', value: '2026-01-01' },
      ]),
    )
    const message = {
      result: { status: 'abnormal', value: 8 },
      urgent: true,
      tags: ['blood', 'iron'],
      taken_on: '2026-11-01',
      name: 'Canary',
    }
    const bodies = [message, { ...message, result: { status: 'abnormal', value: 7 } }].map((one) => JSON.stringify(one))
    for (const body of [...bodies, 'no JSON at all', '{"__proto__":{"urgent":true}}'])
      assert.equal((await send(body)).status, 202)
    const runs = await core.runAll(clinic)
    const statuses = runs.map(({ status, skip_reason }) => `${status} ${skip_reason}`).sort()
    assert.deepEqual(statuses, [...Array(3).fill('skipped conditions'), 'succeeded null'])
    const [stored] = await core.database.query<{ text: string }>(
      `select string_agg(e::text, '') as text from automation_executions e where organization_id = $1`,
      [clinic.id],
    )
    assert.ok(!stored?.text.includes('Canary'))
  })

  test('rules for messages need organizations.manage_integrations (403), and message paths need that trigger (422)', async () => {
    const clinic = await core.organization()
    const conditions = [{ path: 'message.status', op: 'is_set' }]
    const member = await core.memberWith(clinic, ['automations.manage', 'automations.view_org', 'mails.manage'])
    const refused = await core.post(RULES, { as: member, body: rule([NOTICE], onMessage(conditions)) })
    assert.deepEqual([refused.status, refused.body.error.required], [403, 'organizations.manage_integrations'])
    const rules = { mode: 'all', rules: conditions }
    const wrong = await core.post(RULES, { as: clinic.admin, body: rule([NOTICE], { conditions: rules }) })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.error.fields)], [422, ['conditions.rules.0.path']])
    for (const path of ['message.a.b.c.d.e.f', 'message', 'message.', 'message.a b']) {
      const body = rule([NOTICE], onMessage([{ path, op: 'is_set' }]))
      assert.equal((await core.post(RULES, { as: clinic.admin, body })).status, 422, path)
    }
  })

  async function booked(actions: object[]) {
    const clinic = await schedulingClinic(core)
    const patient = await core.patientOf(clinic)
    const trigger = { event: 'appointment.created' }
    await core.created(clinic, actions, { name: 'Reminder', trigger })
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
    return { clinic, patient, starts_at, appointment: body.data as { id: string } }
  }
  const REMINDER = [
    { type: 'wait', params: { before_appointment_minutes: 24 * 60 } },
    {
      type: 'send_mail',
      params: { to: 'patient', kind: 'care', subject: 'Visit', text: 'Your visit: {{appointment.starts_at}}' },
    },
  ]

  test('a reminder waits until a day before the appointment, and is sent then', async () => {
    const { clinic, patient, starts_at } = await booked(REMINDER)
    const [paused] = await core.runAll(clinic)
    assert.deepEqual([paused?.status, paused?.steps[0]?.status], ['paused', 'waiting'])
    const [job] = await core.database.query<{ run_at: string }>(
      `select run_at from graphile_worker.jobs where task_identifier = 'run_automation' and key like '%' || $1`,
      [paused?.id],
    )
    assert.equal(new Date(job?.run_at ?? '').getTime(), starts_at.getTime() - 24 * HOUR_MS)
    core.clock.now = new Date(starts_at.getTime() - 24 * HOUR_MS)
    const [done] = await core.runAll(clinic)
    assert.equal(done?.status, 'succeeded')
    const [mail] = await core.mailsOf(clinic, 'automation_care')
    assert.deepEqual([mail?.to_address, mail?.data.starts_at], [patient.email, starts_at.toISOString()])
    core.clock.now = new Date()
  })

  test('no reminder is sent for an appointment that was cancelled meanwhile', async () => {
    const { clinic, appointment, starts_at } = await booked(REMINDER)
    await core.runAll(clinic)
    const cancelled = await core.put(`/v1/appointments/${appointment.id}/status`, {
      as: clinic.admin,
      body: { status: 'cancelled' },
    })
    assert.equal(cancelled.status, 200, cancelled.text)
    core.clock.now = new Date(starts_at.getTime() - 24 * HOUR_MS)
    const [run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, run?.skip_reason], ['skipped', 'appointment_cancelled'])
    assert.equal((await core.mailsOf(clinic, 'automation_care')).length, 0)
    core.clock.now = new Date()
  })

  test('conditions read the appointment and the patient as they are when the rule runs', async () => {
    const clinic = await schedulingClinic(core)
    const rules = [
      { path: 'appointment.mode', op: 'eq', value: 'in_person' },
      { path: 'patient.language_code', op: 'is_set' },
    ]
    await core.created(clinic, [NOTICE], {
      trigger: { event: 'appointment.created' },
      conditions: { mode: 'any', rules },
    })
    const patient = await core.patientOf(clinic)
    await core.post('/v1/appointments', {
      as: clinic.admin,
      body: {
        patient_id: patient.id,
        specialist_id: clinic.specialist.id,
        service_id: clinic.service.id,
        mode: 'in_person',
        starts_at: nextMonday(12).toISOString(),
      },
    })
    assert.equal((await core.runAll(clinic))[0]?.status, 'succeeded')
  })
})
