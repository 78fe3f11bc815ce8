import assert from 'node:assert/strict'
import { test } from 'node:test'
import { smtpTransport } from '@tendon/mail'
import { createOutbound } from '@tendon/outbound'
import { freePort } from '@tendon/testing'
import { startMailReceiver } from './mail-receiver.ts'

test('the local mail server accepts any sign-in and any mail', async () => {
  const port = await freePort()
  const close = await startMailReceiver('127.0.0.1', port)
  const outbound = createOutbound({ allowPrivate: true })
  const settings = { host: '127.0.0.1', port, security: 'none', username: 'any', password: 'any' } as const
  const transport = smtpTransport(outbound, settings)
  await transport.check()
  const mail = {
    from: 'a@clinic.example',
    to: 'b@mail.example',
    messageId: '<1@clinic.example>',
    raw: Buffer.from('Subject: x\r\n\r\nx'),
  }
  assert.deepEqual(await transport.send(mail), { providerMessageId: '<1@clinic.example>' })
  await transport.close()
  await outbound.close()
  await close()
})
