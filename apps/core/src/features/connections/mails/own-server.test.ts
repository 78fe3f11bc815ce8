import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startSmtpServer } from '@tendon/testing'
import type { Person } from '../../../testing/core.ts'
import { createMailRound, sendDueMails } from './loop.ts'
import { startCoreAndMail } from './mails.testing.ts'

describe('the mail server of a clinic', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  let own: Awaited<ReturnType<typeof startSmtpServer>>
  const auth = { user: 'clinic', pass: 'right' }
  const credentials = { username: auth.user, password: auth.pass }
  const config = () => ({ host: '127.0.0.1', port: own.port, security: 'none', from_address: 'clinic@mladita.example' })
  before(async () => {
    own = await startSmtpServer({ auth })
    core = await startCoreAndMail()
  })
  after(async () => {
    await core.close()
    await own.close()
  })

  async function connect(clinic: { id: string; admin: Person }) {
    const path = `/v1/organizations/${clinic.id}/integrations`
    const body = { service_slug: 'smtp', title: 'Mail', config: config(), credentials }
    const connected = await core.post(path, { as: clinic.admin, body })
    assert.equal(connected.status, 201, connected.text)
    return `${path}/${connected.body.data.id}`
  }

  test('one that does not answer delays no other clinic', async () => {
    const [dead, alive] = [await core.organization(), await core.organization()]
    await connect(dead)
    const release = Promise.withResolvers<void>()
    own.onMail = () => release.promise
    for (let count = 0; count < 20; count += 1) await core.queue({ organization_id: dead.id })
    for (let count = 0; count < 10; count += 1)
      await core.queue({ organization_id: alive.id, next_attempt_at: new Date(1) })
    core.smtp.mails.length = 0
    const round = createMailRound(core.worker)
    while (core.smtp.mails.length < 10) await round()
    assert.equal(own.mails.length, 0)
    const [waiting] = await core.database.query<{ sending: number }>(
      `select count(*)::integer as sending from mail_outbox where organization_id = $1 and status = 'sending'`,
      [dead.id],
    )
    assert.ok(waiting && waiting.sending > 0 && waiting.sending < 16, String(waiting?.sending))
    release.resolve()
    own.onMail = () => {}
    await round.drain()
    await core.database.query('delete from mail_outbox where organization_id = $1', [dead.id])
    own.mails.length = 0
    core.smtp.mails.length = 0
  })

  test('a clinic has at most eight mails in flight', async () => {
    const clinic = await core.organization()
    await connect(clinic)
    const sending: (() => void)[] = []
    own.onMail = () => new Promise<void>((resolve) => sending.push(resolve))
    for (let count = 0; count < 20; count += 1) await core.queue({ organization_id: clinic.id })
    const round = createMailRound(core.worker)
    const inFlight = async () => {
      const [row] = await core.database.query<{ sending: number }>(
        `select count(*)::integer as sending from mail_outbox where organization_id = $1 and status = 'sending'`,
        [clinic.id],
      )
      return row?.sending
    }
    await round()
    for (let sent = 1; sent <= 3; sent += 1) {
      while (sending.length === 0) await round()
      sending.shift()?.()
      while (own.mails.length < sent) await round()
      await round()
      assert.equal(await inFlight(), 8)
    }
    own.onMail = () => {}
    while (sending.length > 0) sending.shift()?.()
    await round.drain()
    await core.database.query('delete from mail_outbox where organization_id = $1', [clinic.id])
    own.mails.length = 0
  })

  test('the third refused sign-in in a row makes it an error; mail then fails and goes nowhere else', async () => {
    const clinic = await core.organization()
    const integration = await connect(clinic)
    const state = async () => {
      const { status, failure_count } = (await core.get(integration, { as: clinic.admin })).body.data
      return `${status} ${failure_count}`
    }
    const send = async () => {
      const id = await core.queue({ organization_id: clinic.id })
      await sendDueMails(core.worker)
      const row = await core.rowOf(id)
      return `${row?.status} ${row?.last_error}`
    }
    own.mood = 'refuses_sign_in'
    assert.deepEqual(
      [await send(), await send(), await state()],
      ['queued authentication', 'queued authentication', 'connected 2'],
    )
    own.mood = 'accepts'
    assert.deepEqual([await send(), await state()], ['sent null', 'connected 0'])
    // Another config opens a new connection, which has to sign in.
    const renamed = { config: { ...config(), from_address: 'front@mladita.example' } }
    assert.equal((await core.patch(integration, { as: clinic.admin, body: renamed })).status, 200)
    own.mood = 'refuses_sign_in'
    assert.deepEqual(
      [await send(), await send(), await state()],
      ['queued authentication', 'queued authentication', 'connected 2'],
    )
    assert.deepEqual([await send(), await state()], ['queued authentication', 'error 3'])
    own.mood = 'accepts'
    assert.equal(await send(), 'failed integration_error')
    assert.deepEqual([own.mails.length, core.smtp.mails.length], [1, 0])
    const tested = await core.post(`${integration}/test`, { as: clinic.admin })
    assert.equal(tested.body.data.ok, true)
    assert.deepEqual([await state(), await send()], ['connected 0', 'sent null'])
  })
})
