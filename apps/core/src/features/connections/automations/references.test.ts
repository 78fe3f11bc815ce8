import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { PLATFORM_PERMISSIONS } from '@tendon/contracts'
import type { TestOrganization } from '../../../testing/people.ts'
import { formTools } from '../../records/forms/forms.testing.ts'
import type { TestClinic } from '../webhooks/webhooks.testing.ts'
import { NOTICE, RULES, rule, startAutomations } from './automations.testing.ts'

describe('what the actions of a rule refer to', () => {
  let core: Awaited<ReturnType<typeof startAutomations>>
  before(async () => {
    core = await startAutomations()
  })
  after(() => core.close())

  const sendTo = (subscription_uid: string) => ({ type: 'send_webhook', params: { subscription_uid } })
  const hookOf = (clinic: TestClinic) => core.subscribe(clinic, 'http://127.0.0.1:9/', ['webhook.test'])
  const templateOf = (clinic: TestOrganization) =>
    formTools(core).template(clinic, [{ key: 'a', label: 'A', type: 'text' }])
  const createForm = (form_template_id: string) => ({ type: 'create_form', params: { form_template_id } })
  const save = (clinic: TestClinic, actions: object[]) => core.post(RULES, { as: clinic.admin, body: rule(actions) })
  const problemsOf = async (clinic: TestClinic, id: string, as = clinic.admin) => {
    const detail = (await core.get(`${RULES}/${id}`, { as })).body.data.problems
    const list = (await core.get(RULES, { as })).body.data.find((one: { id: string }) => one.id === id).problems
    assert.deepEqual(list, detail)
    return detail.map(({ field, code }: { field: string; code: string }) => `${field} ${code}`)
  }

  test('what the actions of a rule refer to must exist in the clinic when the rule is saved (422), and nothing is written', async () => {
    const [clinic, other] = [await core.organization(), await core.organization()]
    const foreign = await hookOf(other)
    const bad = [
      sendTo(randomUUID()),
      sendTo(foreign.uid),
      createForm(await templateOf(other)),
      { type: 'notify_members', params: { permission: 'patients.fly' } },
      ...PLATFORM_PERMISSIONS.map((permission) => ({ type: 'notify_members', params: { permission } })),
    ]
    for (const action of bad) {
      const { status, body } = await save(clinic, [NOTICE, action])
      assert.deepEqual([status, body.error.code], [422, 'invalid_rule'], JSON.stringify(action))
      assert.deepEqual(Object.keys(body.error.fields), ['actions.1.params'])
      assert.match(body.error.fields['actions.1.params'], /^(subscription_uid|form_template_id|permission) must name /)
    }
    const all = await save(clinic, bad)
    assert.equal(Object.keys(all.body.error.fields).length, bad.length, 'every bad action is named')
    assert.equal((await core.get(RULES, { as: clinic.admin })).body.pagination.total, 0)
    const { id } = await core.created(clinic, [NOTICE])
    const change = { actions: [sendTo(foreign.uid)] }
    assert.equal((await core.patch(`${RULES}/${id}`, { as: clinic.admin, body: change })).status, 422)
  })

  test('a rule shows what was deleted, archived or deactivated later, to every reader', async () => {
    const clinic = await core.organization()
    const [deleted, inactive, template] = [await hookOf(clinic), await hookOf(clinic), await templateOf(clinic)]
    const { id } = await core.created(clinic, [sendTo(deleted.uid), sendTo(inactive.uid), createForm(template), NOTICE])
    const whole = await core.created(clinic, [NOTICE])
    const reader = await core.memberWith(clinic, ['automations.view_org'])
    assert.deepEqual(await problemsOf(clinic, id, reader), [])
    const hooks = '/v1/webhook-subscriptions'
    assert.equal((await core.delete(`${hooks}/${deleted.uid}`, { as: clinic.admin })).status, 204)
    await core.patch(`${hooks}/${inactive.uid}`, { as: clinic.admin, body: { is_active: false } })
    await core.post(`/v1/form-templates/${template}/archive`, { as: clinic.admin })
    const expected = [
      'actions.0.params subscription_not_found',
      'actions.1.params subscription_inactive',
      'actions.2.params form_template_not_usable',
    ]
    assert.deepEqual(await problemsOf(clinic, id), expected)
    assert.deepEqual(await problemsOf(clinic, id, reader), expected)
    assert.deepEqual(await problemsOf(clinic, whole.id), [])
  })

  test('a rule shows a permission that no member holds, and can be saved with it', async () => {
    const clinic = await core.organization()
    const [held, lost] = ['webhooks.manage', 'segments.manage']
    const notify = (permission: string) => ({ type: 'notify_members', params: { permission, text: 'Please call.' } })
    const { id } = await core.created(clinic, [notify(held), notify(lost)])
    assert.deepEqual(await problemsOf(clinic, id), [])
    await core.database.query(
      `delete from role_permissions p using roles r
       where r.id = p.role_id and r.organization_id = $1 and p.permission_code = $2`,
      [clinic.id, lost],
    )
    const expected = ['actions.1.params permission_not_held']
    assert.deepEqual(await problemsOf(clinic, id), expected)
    const reader = await core.memberWith(clinic, ['automations.view_org'])
    assert.deepEqual(await problemsOf(clinic, id, reader), expected)
    const saved = await save(clinic, [notify(lost)])
    assert.deepEqual([saved.status, saved.body.data?.problems.length], [201, 1])
    const author = await core.memberWith(clinic, ['automations.manage', 'automations.view_org', 'mails.manage'])
    const byAuthor = await core.post(RULES, { as: author, body: rule([notify(held)]) })
    assert.deepEqual(
      [byAuthor.status, byAuthor.body.data?.problems],
      [201, []],
      'who may not see members reads the same',
    )
    await core.memberWith(clinic, [lost])
    assert.deepEqual(await problemsOf(clinic, id), [])
  })

  test('a broken rule can be renamed and switched off, but not switched on again before it is corrected (422)', async () => {
    const clinic = await core.organization()
    const hook = await hookOf(clinic)
    const { id } = await core.created(clinic, [sendTo(hook.uid)])
    await core.delete(`/v1/webhook-subscriptions/${hook.uid}`, { as: clinic.admin })
    const change = (body: object) => core.patch(`${RULES}/${id}`, { as: clinic.admin, body })
    const renamed = await change({ name: 'Broken' })
    assert.deepEqual([renamed.status, renamed.body.data.problems.length], [200, 1])
    assert.equal((await change({ is_active: false })).status, 200)
    assert.equal((await change({ is_active: true })).status, 422)
    const corrected = await change({ is_active: true, actions: [NOTICE] })
    assert.deepEqual([corrected.status, corrected.body.data.problems], [200, []])
  })
})
