import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { startReceiver } from '../webhooks/webhooks.testing.ts'
import { RULES, RUNS, rule, startAutomations } from './automations.testing.ts'

const TARGET = 'https://evil.example/collect'
const ADDRESS = 'eve@evil.example'

describe('what automations can send out', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  let receiver: Awaited<ReturnType<typeof startReceiver>>
  before(async () => {
    core = await startAutomations()
    receiver = await startReceiver()
  })
  after(async () => {
    await core.close()
    await receiver.close()
  })

  test('no action takes a URL or an e-mail address (422)', async () => {
    const clinic = await core.organization()
    const mail = { to: 'patient', kind: 'care', subject: 'a', text: 'b' }
    const valid = {
      send_mail: mail,
      notify_members: { permission: 'webhooks.manage' },
      send_webhook: { subscription_uid: randomUUID() },
      wait: { minutes: 5 },
    }
    const added = ['url', 'target', 'to_address', 'email', 'cc', 'bcc', 'from', 'reply_to', 'headers', 'body', 'data']
    const bad: [type: string, params: object][] = [
      ...Object.entries(valid).flatMap(([type, params]) =>
        added.flatMap((name): [string, object][] => [
          [type, { ...params, [name]: TARGET }],
          [type, { ...params, [name]: ADDRESS }],
        ]),
      ),
      ['send_mail', { ...mail, to: ADDRESS }],
      ['send_mail', { ...mail, to: 'members', permission: ADDRESS }],
      ['notify_members', { permission: ADDRESS }],
      ['send_webhook', { subscription_uid: TARGET }],
      ['http_request', { url: TARGET }],
    ]
    for (const [type, params] of bad) {
      const { status } = await core.post(RULES, { as: clinic.admin, body: rule([{ type, params }]) })
      assert.equal(status, 422, `${type} ${JSON.stringify(params)}`)
    }
  })

  test('send_webhook sends ids only, and only to a subscription of its own clinic', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const { id: patient_id, patient_profile_id } = await core.patientOf(clinic)
    const [own, foreign] = [
      await core.subscribe(clinic, `${receiver.url}/own`, ['webhook.test']),
      await core.subscribe(other, `${receiver.url}/foreign`, ['webhook.test']),
    ]
    const to = ({ uid }: { uid: string }) => ({
      type: 'send_webhook',
      params: { subscription_uid: uid },
      on_error: 'continue',
    })
    const refused = await core.post(RULES, { as: clinic.admin, body: rule([to(own), to(foreign)]) })
    assert.deepEqual([refused.status, Object.keys(refused.body.error.fields)], [422, ['actions.1.params']])
    const { id } = await core.created(clinic, [to(own), to(own)])
    // A rule from before the check.
    await core.database.query(
      `update automation_rule_versions set definition = jsonb_set(definition, '{actions,1,params,subscription_uid}', to_jsonb($2::text))
       where rule_id = $1`,
      [id, foreign.uid],
    )
    await core.pain(clinic, 'severe', { patient_id, patient_profile_id })
    const [run] = await core.runAll(clinic)
    assert.deepEqual(
      run?.steps.map(({ status, error }) => [status, error]),
      [
        ['succeeded', null],
        ['failed', 'webhook_inactive'],
      ],
    )
    core.clock.now = new Date()
    await core.deliver()
    assert.deepEqual(
      receiver.received.map(({ path }) => path),
      ['/own'],
    )
    const { data } = JSON.parse(receiver.received[0]?.body.toString() ?? '')
    assert.equal(data.patient_profile_id, patient_profile_id)
    for (const value of Object.values(data)) assert.match(String(value), /^([0-9a-f-]{36}|null)$/)
  })

  test('a mail without recipient is a skipped step with the reason; a retry after it keeps the reason', async () => {
    const clinic = await core.organization()
    const { id: patient_id, patient_profile_id } = await core.patientOf(clinic)
    const hook = await core.subscribe(clinic, 'http://127.0.0.1:9/', ['webhook.test'])
    const text = { subject: 'Hello', text: 'Please call.' }
    await core.created(clinic, [
      { type: 'notify_members', params: { permission: 'webhooks.manage', text: 'Please call.' } },
      { type: 'send_mail', params: { to: 'members', permission: 'webhooks.manage', kind: 'care', ...text } },
      { type: 'send_mail', params: { to: 'patient', kind: 'care', ...text } },
      { type: 'send_webhook', params: { subscription_uid: hook.uid } },
    ])
    await core.patch(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin, body: { is_active: false } })
    // Nobody with the permission has a verified address, and the patient has none.
    await core.database.query(
      `update humans set email_verified = false
       where id in (select principal_id from organization_memberships where organization_id = $1)`,
      [clinic.id],
    )
    await core.database.query('update patients set email = null where id = $1', [patient_id])
    await core.pain(clinic, 'severe', { patient_id, patient_profile_id })
    const expected = [
      ['skipped', 'no_recipient'],
      ['skipped', 'no_recipient'],
      ['skipped', 'address_missing'],
      ['failed', 'webhook_inactive'],
    ]
    const [run] = await core.runAll(clinic)
    assert.deepEqual([run?.status, run?.steps.map(({ status, error }) => [status, error])], ['failed', expected])
    await core.post(`${RUNS}/${run?.id}/retry`, { as: clinic.admin, body: { from: 'failed_step' } })
    const [retried] = await core.runAll(clinic)
    assert.deepEqual([retried?.retried_from_id, retried?.steps.map(({ status, error }) => [status, error])], [run?.id, expected]) // biome-ignore format: one fact
    const mails = await core.database.query('select 1 from mail_outbox where organization_id = $1 and template like $2', [clinic.id, 'automation_%']) // biome-ignore format: one query
    assert.equal(mails.length, 0)
  })
})
