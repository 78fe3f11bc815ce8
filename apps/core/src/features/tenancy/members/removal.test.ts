import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const newAddress = () => `new-${randomUUID().slice(0, 8)}@mail.example`
const pathOf = (clinic: { id: string }) => `/v1/organizations/${clinic.id}/members`

describe('removing an invitation', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  type Clinic = Awaited<ReturnType<TestCore['organization']>>

  async function invite(clinic: Clinic, email: string): Promise<string> {
    const body = { email, role_id: clinic.roles.specialist }
    const added = await core.post(pathOf(clinic), { as: clinic.admin, body })
    assert.equal(added.status, 201, added.text)
    return added.body.data.principal_id
  }

  async function remove(clinic: Clinic, principalId: string): Promise<void> {
    const removed = await core.delete(`${pathOf(clinic)}/${principalId}`, { as: clinic.admin })
    assert.equal(removed.status, 204, removed.text)
  }

  async function signInWith(email: string) {
    const token = await core.issuer.sign({ sub: randomUUID(), email, email_verified: true })
    const answer = await core.get('/v1/me', { as: { token } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  const countOf = async (text: string, values: unknown[]) => (await core.database.query(text, values)).length
  const principals = (id: string) => countOf('select 1 from principals where id = $1', [id])
  const humans = (email: string) => countOf('select 1 from humans where email = $1', [email])
  const mails = ({ id }: Clinic, email: string) =>
    countOf('select 1 from mail_outbox where organization_id = $1 and to_address = $2', [id, email])

  test('removing an invitation deletes the queued mail and the e-mail address; the person can be invited again', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const typed = email.toUpperCase()
    const invited = await invite(clinic, typed)
    const other = newAddress()
    await invite(clinic, other)
    await remove(clinic, invited)
    assert.deepEqual([await principals(invited), await humans(email), await mails(clinic, typed)], [0, 0, 0])
    assert.deepEqual([await humans(other), await mails(clinic, other)], [1, 1])
    assert.notEqual(await invite(clinic, email), invited)
    assert.equal(await mails(clinic, email), 1)
  })

  test('removing an invitation keeps the invitation of another clinic until that clinic removes it as well', async () => {
    const [one, two] = [await core.organization(), await core.organization()]
    const email = newAddress()
    const invited = await invite(one, email)
    assert.equal(await invite(two, email), invited)
    await remove(one, invited)
    assert.deepEqual([await humans(email), await mails(one, email), await mails(two, email)], [1, 0, 1])
    await remove(two, invited)
    assert.deepEqual([await humans(email), await mails(two, email)], [0, 0])
  })

  test('removing an invitation keeps a person with an account, and mail that was sent; declining deletes queued mail too', async () => {
    const clinic = await core.organization()
    const person = await core.signIn()
    await invite(clinic, person.email)
    await core.database.query('update mail_outbox set sent_at = now() where to_address = $1', [person.email])
    await remove(clinic, person.id)
    await invite(clinic, person.email)
    assert.equal(await mails(clinic, person.email), 2)
    assert.equal((await core.delete(`/v1/me/memberships/${clinic.id}`, { as: person })).status, 204)
    assert.deepEqual([await humans(person.email), await mails(clinic, person.email)], [1, 1])
  })

  test('while the person signs in creates one account, which is not a member', async () => {
    const clinic = await core.organization()
    for (let round = 0; round < 10; round += 1) {
      const email = newAddress()
      const invited = await invite(clinic, email)
      const [me] = await Promise.all([signInWith(email), remove(clinic, invited)])
      assert.equal(me.email_verified, true)
      const rows = await core.database.query(
        'select id, linked_at is not null as linked from humans where email = $1',
        [email],
      )
      assert.deepEqual(rows, [{ id: me.principal_id, linked: true }])
      assert.equal(
        await countOf('select 1 from organization_memberships where principal_id = $1', [me.principal_id]),
        0,
      )
    }
  })

  test('while another clinic, or the same, invites that e-mail address loses no invitation', async () => {
    const [one, two] = [await core.organization(), await core.organization()]
    for (let round = 0; round < 10; round += 1) {
      const email = newAddress()
      const invited = await invite(one, email)
      await Promise.all([remove(one, invited), invite(two, email)])
      assert.deepEqual([await mails(one, email), await mails(two, email)], [0, 1])
      const { memberships } = await signInWith(email)
      assert.deepEqual(
        memberships.map((m: { organization: { id: string } }) => m.organization.id),
        [two.id],
      )

      const again = newAddress()
      const first = await invite(one, again)
      const body = { email: again, role_id: one.roles.specialist }
      const [, added] = await Promise.all([remove(one, first), core.post(pathOf(one), { as: one.admin, body })])
      assert.ok([200, 201].includes(added.status), added.text)
      assert.equal(await mails(one, again), added.status === 201 ? 1 : 0)
      assert.equal((await signInWith(again)).memberships.length, added.status === 201 ? 1 : 0)
    }
  })
})
