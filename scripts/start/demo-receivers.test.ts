import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '@tendon/config'
import { freePort } from '@tendon/testing'
import { startCore } from '../../apps/core/src/testing/core.ts'
import { tokensOf } from '../simulate/testing.ts'
import { createApi, type Json } from './api.ts'
import { seedReceivers } from './demo-receivers.ts'
import { startMailReceiver } from './mail-receiver.ts'

test('the demo clinic follows its mail server and webhook receiver to other ports, and keeps what people changed', async (t) => {
  const core = await startCore({ env: { OUTBOUND_ALLOW_PRIVATE: 'true' } })
  t.after(() => core.close())
  const { id, admin } = await core.organization({ plan: 'pro' })
  const at = `/v1/organizations/${id}`
  const api = createApi({ url: core.url, tokenOf: tokensOf(core, admin) })
  // Listens before the next port is chosen: two free ports may be the same.
  const receive = async () => {
    const port = await freePort()
    t.after(await startMailReceiver('127.0.0.1', port))
    return port
  }
  const [first, second] = [await receive(), await receive()]
  const seed = (mail: number, webhooks: number) => {
    const ports = { MAIL_RECEIVER_PORT: String(mail), WEBHOOK_RECEIVER_PORT: String(webhooks) }
    return seedReceivers(readConfig(ports), api, at, admin.email, 'contact@mladita.example')
  }
  const seen = async () => {
    const mails: Json[] = await api.get(`${at}/integrations`, admin.email)
    const webhooks: Json[] = await api.get('/v1/webhook-subscriptions', admin.email)
    return [mails.map(({ config }) => config.port), webhooks.map(({ url }) => url)]
  }
  await seed(first, 3010)
  assert.deepEqual(await seen(), [[first], ['http://127.0.0.1:3010/']])
  await seed(second, 40_002)
  assert.deepEqual(await seen(), [[second], ['http://127.0.0.1:40002/']])
  const [webhook] = await api.get('/v1/webhook-subscriptions', admin.email)
  await api.patch(`/v1/webhook-subscriptions/${webhook.uid}`, admin.email, { url: 'https://hooks.clinic.example/' })
  await seed(second, 3010)
  assert.deepEqual(await seen(), [[second], ['https://hooks.clinic.example/']])
})
