import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type Person, sharedCore, type TestCore } from '../../../testing/core.ts'
import type { TestOrganization } from '../../../testing/people.ts'

const newAddress = () => `new-${randomUUID().slice(0, 8)}@mail.example`
const pathOf = (clinic: { id: string }) => `/v1/organizations/${clinic.id}/members`
const codeOf = ({ status, body }: Answer) => [status, body?.error?.code]

describe('inviting a member again', () => {
  let core: TestCore
  let clinic: TestOrganization
  before(async () => {
    core = await sharedCore()
    clinic = await core.organization()
  })
  after(() => core.close())

  async function invite(email: string, role = 'specialist'): Promise<string> {
    const body = { email, role_id: clinic.roles[role] }
    const added = await core.post(pathOf(clinic), { as: clinic.admin, body })
    assert.equal(added.status, 201, added.text)
    return added.body.data.principal_id
  }
  const again = (id: string, as: Person = clinic.admin) => core.post(`${pathOf(clinic)}/${id}/invite`, { as })
  const later = (id: string) =>
    core.database.query(
      `update organization_memberships set invited_at = invited_at - interval '61 seconds' where principal_id = $1`,
      [id],
    )
  const mailsTo = async (email: string) =>
    (
      await core.database.query<{ status: string }>(
        'select status from mail_outbox where to_address = $1 order by id',
        [email],
      )
    ).map(({ status }) => status)
  const invitations = async (id: string) =>
    core.database.query(
      `select actor_principal_id from audit_log where organization_id = $1 and action = 'members.invite' and target_id = $2`,
      [clinic.id, id],
    )

  test('a person who has not accepted gets one more mail, with the role of today, and it is audited', async () => {
    const email = newAddress()
    const id = await invite(email)
    await core.database.query(`update mail_outbox set status = 'sent', sent_at = now() where to_address = $1`, [email])
    const role = await core.post(pathOf(clinic), { as: clinic.admin, body: { email, role_id: clinic.roles.admin } })
    assert.equal(role.status, 200, role.text)
    await later(id)
    const answer = await again(id)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual([answer.body.data.principal_id, answer.body.data.status], [id, 'invited'])
    assert.deepEqual(await mailsTo(email), ['sent', 'queued'])
    const [mail] = await core.database.query<{ data: { role_name: string } }>(
      `select data from mail_outbox where to_address = $1 and status = 'queued'`,
      [email],
    )
    assert.equal(mail?.data.role_name, 'Admin')
    assert.deepEqual(await invitations(id), [{ actor_principal_id: clinic.admin.id }])
  })

  test('an earlier invitation that was not sent yet is stopped, so one mail arrives', async () => {
    const email = newAddress()
    const id = await invite(email.toUpperCase())
    await later(id)
    assert.equal((await again(id)).status, 200)
    const statuses = await core.database.query<{ status: string }>(
      'select status from mail_outbox where lower(to_address) = $1 order by id',
      [email],
    )
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['suppressed', 'queued'],
    )
  })

  test('a second invitation within a minute is refused with the time to wait, and sends nothing', async () => {
    const email = newAddress()
    const id = await invite(email)
    const soon = await again(id)
    assert.deepEqual(codeOf(soon), [429, 'invited_recently'])
    const seconds = Number(soon.headers.get('retry-after'))
    assert.ok(seconds >= 1 && seconds <= 60, String(seconds))
    assert.deepEqual([await mailsTo(email), await invitations(id)], [['queued'], []])
    await later(id)
    const both = await Promise.all([again(id), again(id), again(id)])
    assert.deepEqual(
      both.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 429, 429],
    )
    assert.deepEqual((await mailsTo(email)).toSorted(), ['queued', 'suppressed'])
    assert.equal((await invitations(id)).length, 1)
  })

  test('a sixth invitation within a day is refused with the time to wait, and sends nothing', async () => {
    const email = newAddress()
    const id = await invite(email)
    for (let count = 0; count < 5; count++) {
      await later(id)
      const answer = await again(id)
      assert.equal(answer.status, 200, answer.text)
    }
    await later(id)
    const refused = await again(id)
    assert.deepEqual(codeOf(refused), [429, 'invited_often'])
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(seconds > 86_000 && seconds <= 86_400, String(seconds))
    assert.deepEqual([(await mailsTo(email)).length, (await invitations(id)).length], [6, 5])
    await core.database.query(
      `update organization_memberships set created_at = created_at - interval '1 day' where principal_id = $1`,
      [id],
    )
    await core.database.query(
      `update mail_outbox set created_at = created_at - interval '1 day'
       where id in (select id from mail_outbox where to_address = $1 order by created_at limit 2)`,
      [email],
    )
    assert.equal((await again(id)).status, 200)
  })

  test('somebody who has accepted is refused as already active, also when they accept meanwhile', async () => {
    assert.deepEqual(codeOf(await again(clinic.admin.id)), [409, 'already_active'])
    const email = newAddress()
    const id = await invite(email)
    await later(id)
    const token = await core.issuer.sign({ sub: randomUUID(), email, email_verified: true })
    const [answer] = await Promise.all([again(id), core.get('/v1/me', { as: { token } })])
    assert.ok([200, 409].includes(answer.status), answer.text)
    assert.deepEqual(codeOf(await again(id)), [409, 'already_active'])
  })

  test('only people who may invite with this role do so; strangers, service accounts and other clinics are not found', async () => {
    const id = await invite(newAddress(), 'admin')
    await later(id)
    const weak = await core.memberWith(clinic, ['organizations.manage_members'])
    const refused = await again(id, weak)
    assert.deepEqual(codeOf(refused), [403, 'forbidden'])
    assert.match(refused.body.error.message, /whose permissions you hold/)
    assert.deepEqual(codeOf(await again(id, await core.memberWith(clinic, []))), [403, 'forbidden'])
    assert.deepEqual(codeOf(await again(randomUUID())), [404, 'member_not_found'])
    const account = await core.post(`/v1/organizations/${clinic.id}/service-accounts`, {
      as: clinic.admin,
      body: { name: 'Sync', role_id: clinic.roles.specialist },
    })
    assert.equal(account.status, 201, account.text)
    assert.deepEqual(codeOf(await again(account.body.data.id)), [404, 'member_not_found'])
    const other = await core.organization()
    const foreign = await core.post(`${pathOf(other)}/${id}/invite`, { as: other.admin })
    assert.deepEqual(codeOf(foreign), [404, 'member_not_found'])
    assert.equal((await again(id)).status, 200)
  })
})
