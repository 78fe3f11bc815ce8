import assert from 'node:assert/strict'
import { test } from 'node:test'
import { freePort } from '@tendon/testing'
import { startWebhookReceiver } from './webhook-receiver.ts'

test('the local webhook receiver accepts deliveries and shows them', async () => {
  const port = await freePort()
  const close = await startWebhookReceiver('127.0.0.1', port)
  const url = `http://127.0.0.1:${port}/`
  const sent = await fetch(url, { method: 'POST', body: '{"id":"1"}', headers: { 'x-webhook-signature': 'sha256=a' } })
  assert.equal(sent.status, 204)
  const [shown] = (await (await fetch(url)).json()) as { body: string; signature: string }[]
  assert.deepEqual([shown?.body, shown?.signature], ['{"id":"1"}', 'sha256=a'])
  await close()
})
