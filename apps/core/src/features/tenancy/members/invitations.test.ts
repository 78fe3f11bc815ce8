import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sharedCore, type TestCore } from '../../../testing/core.ts'

const newAddress = () => `new-${randomUUID().slice(0, 8)}@mail.example`
const pathOf = (clinic: { id: string }) => `/v1/organizations/${clinic.id}/members`

describe('an invitation and the person who signs in', () => {
  let core: TestCore
  before(async () => {
    core = await sharedCore()
  })
  after(() => core.close())

  type Clinic = Awaited<ReturnType<TestCore['organization']>>

  async function invite(clinic: Clinic, email: string, role = 'specialist', name?: string): Promise<string> {
    const body = { email, role_id: clinic.roles[role], ...(name === undefined ? {} : { name }) }
    const added = await core.post(pathOf(clinic), { as: clinic.admin, body })
    assert.equal(added.status, 201, added.text)
    return added.body.data.principal_id
  }

  /** What /v1/me tells a session with these claims. */
  async function meOf(claims: { sub: string; email: string; email_verified: boolean; name?: string }) {
    const token = await core.issuer.sign(claims)
    const answer = await core.get('/v1/me', { as: { token } })
    assert.equal(answer.status, 200, answer.text)
    return answer.body.data
  }

  async function listed(clinic: Clinic, email: string) {
    const { body } = await core.get(`${pathOf(clinic)}?q=${encodeURIComponent(email)}`, { as: clinic.admin })
    return body.data
  }

  test('a verified e-mail address accepts the invitation: the same person, active, with that role', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const invited = await invite(clinic, email.toUpperCase(), 'specialist', 'A. I.')
    const me = await meOf({ sub: randomUUID(), email, email_verified: true, name: 'Ana Ionescu' })
    assert.equal(me.principal_id, invited)
    assert.ok(me.permissions.includes('organizations.view_directory'))
    const [member] = await listed(clinic, email)
    assert.equal(member.status, 'active')
    assert.equal(member.email_verified, true)
    assert.equal(member.name, 'Ana Ionescu')
  })

  test('one sign-in accepts the invitations of several clinics, each with its role', async () => {
    const [one, two] = [await core.organization(), await core.organization()]
    const email = newAddress()
    const invited = await invite(one, email)
    assert.equal(await invite(two, email, 'admin'), invited)
    const me = await meOf({ sub: randomUUID(), email, email_verified: true })
    assert.deepEqual(
      me.memberships.map((m: { organization: { id: string }; role: { code: string } }) => [
        m.organization.id,
        m.role.code,
      ]),
      [
        [one.id, 'specialist'],
        [two.id, 'admin'],
      ],
    )
  })

  test('an e-mail address that only looks the same in lower case does not accept an invitation, even if verified', async () => {
    const clinic = await core.organization()
    const lookalikes = [
      ['ina@clinic.example', 'ina@cl\u0130nic.example'], // İ, in lower case i
      ['kate@mail.example', '\u212Aate@mail.example'], // the Kelvin sign, in lower case k
    ] as const
    for (const [invitedEmail, email] of lookalikes) {
      const invited = await invite(clinic, invitedEmail, 'admin')
      const me = await meOf({ sub: randomUUID(), email, email_verified: true })
      assert.notEqual(me.principal_id, invited)
      assert.deepEqual([me.email_verified, me.memberships, me.permissions], [false, [], []])
      assert.equal((await meOf({ sub: randomUUID(), email: invitedEmail, email_verified: true })).principal_id, invited)
    }
  })

  test('the id of an invited person does not reveal when they were created', async () => {
    const clinic = await core.organization()
    const known = await core.signIn()
    for (const email of [known.email, newAddress()]) assert.equal((await invite(clinic, email)).charAt(14), '4')
  })

  test('an unverified e-mail address gets no access; once verified it accepts the invitation', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const sub = randomUUID()
    await invite(clinic, email)
    const unproven = await meOf({ sub, email, email_verified: false })
    assert.deepEqual(unproven.memberships, [])
    assert.deepEqual(unproven.permissions, [])
    assert.equal((await listed(clinic, email))[0].status, 'invited')
    const proven = await meOf({ sub, email, email_verified: true })
    assert.equal(proven.principal_id, unproven.principal_id)
    assert.equal(proven.memberships[0].organization.id, clinic.id)
    const members = await listed(clinic, email)
    assert.equal(members.length, 1)
    assert.equal(members[0].principal_id, proven.principal_id)
    assert.equal(members[0].status, 'active')
  })

  test('inviting an unverified e-mail address invites its owner, not the account that claims it', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const claimant = await meOf({ sub: randomUUID(), email, email_verified: false })
    const invited = await invite(clinic, email)
    assert.notEqual(invited, claimant.principal_id)
    const owner = await meOf({ sub: randomUUID(), email, email_verified: true })
    assert.equal(owner.principal_id, invited)
  })

  test('a verified e-mail address is not taken over by another account', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const owner = await meOf({ sub: randomUUID(), email, email_verified: true })
    const other = await meOf({ sub: randomUUID(), email, email_verified: true })
    assert.notEqual(other.principal_id, owner.principal_id)
    assert.equal(other.email_verified, false)
    assert.equal(await invite(clinic, email), owner.principal_id)
    const sub = randomUUID()
    await meOf({ sub, email: newAddress(), email_verified: true })
    const renamed = await meOf({ sub, email, email_verified: true })
    assert.deepEqual([renamed.email_verified, renamed.memberships], [false, []])
  })

  test('fifty parallel first sign-ins accept one invitation as one human', async () => {
    const clinic = await core.organization()
    const email = newAddress()
    const invited = await invite(clinic, email)
    const token = await core.issuer.sign({ sub: randomUUID(), email, email_verified: true })
    const answers = await Promise.all(Array.from({ length: 50 }, () => core.get('/v1/me', { as: { token } })))
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text)
      assert.equal(answer.body.data.principal_id, invited)
    }
    assert.equal((await core.database.query('select id from humans where email = $1', [email])).length, 1)
  })

  test('an invitation and a first sign-in at the same time create one human', async () => {
    const clinic = await core.organization()
    for (let round = 0; round < 10; round += 1) {
      const email = newAddress()
      const sub = randomUUID()
      const [invited, first] = await Promise.all([invite(clinic, email), meOf({ sub, email, email_verified: true })])
      assert.equal(invited, first.principal_id)
      const me = await meOf({ sub, email, email_verified: true })
      assert.equal(me.memberships.length, 1)
    }
  })

  test('a member who verifies a second, invited e-mail address keeps one role: the one that manages members', async () => {
    const clinic = await core.organization()
    const [first, second, sub] = [newAddress(), newAddress(), randomUUID()]
    const me = await meOf({ sub, email: first, email_verified: true })
    await invite(clinic, first)
    await invite(clinic, second, 'admin')
    const [waiting] = await listed(clinic, second)
    const joined = await meOf({ sub, email: second, email_verified: true })
    assert.equal(joined.principal_id, me.principal_id)
    assert.deepEqual(
      joined.memberships.map((m: { role: { code: string } }) => m.role.code),
      ['admin'],
    )
    const left = await core.database.query(
      'select principal_id from organization_memberships where organization_id = $1 and principal_id <> $2',
      [clinic.id, clinic.admin.id],
    )
    assert.deepEqual(left, [{ principal_id: me.principal_id }])
    assert.notEqual(waiting.principal_id, me.principal_id)
  })

  test('a superadmin can sign in although a clinic invited their address; the invitation waits', async () => {
    const clinic = await core.organization()
    const [email, sub] = [newAddress(), randomUUID()]
    const operator = await meOf({ sub, email, email_verified: false })
    await core.database.query('insert into platform_memberships (principal_id) values ($1)', [operator.principal_id])
    await invite(clinic, email, 'admin')
    const again = await meOf({ sub, email, email_verified: true })
    assert.equal(again.principal_id, operator.principal_id)
    assert.equal(again.is_superadmin, true)
    assert.deepEqual(again.memberships, [])
  })
})
