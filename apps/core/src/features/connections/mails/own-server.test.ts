import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startSmtpServer } from '@tendon/testing'
import { sendDueMails } from './loop.ts'
import { startCoreAndMail } from './mails.testing.ts'

describe('the mail server of a clinic', () => {
  let core: Awaited<ReturnType<typeof startCoreAndMail>>
  let own: Awaited<ReturnType<typeof startSmtpServer>>
  const auth = { user: 'clinic', pass: 'right' }
  before(async () => {
    own = await startSmtpServer({ auth })
    core = await startCoreAndMail()
  })
  after(async () => {
    await core.close()
    await own.close()
  })

  test('the third refused sign-in in a row makes it an error; mail then fails and goes nowhere else', async () => {
    const clinic = await core.organization()
    const path = `/v1/organizations/${clinic.id}/integrations`
    const config = { host: '127.0.0.1', port: own.port, security: 'none', from_address: 'clinic@mladita.example' }
    const body = { service_slug: 'smtp', title: 'Mail', config, credentials: { username: 'clinic', password: 'right' } }
    const connected = await core.post(path, { as: clinic.admin, body })
    assert.equal(connected.status, 201, connected.text)
    const integration = `${path}/${connected.body.data.id}`
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
    const renamed = { config: { ...config, from_address: 'front@mladita.example' } }
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
