import assert from 'node:assert/strict'
import { createServer, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createOutbound, type Outbound } from '@tendon/outbound'
import { portOf, startDnsServer, startSmtpServer, type TestDnsServer, testCertificate } from '@tendon/testing'
import ses from 'aws-ses-v2-local'
import {
  type ComposedMail,
  composeMail,
  MailError,
  type MailTransport,
  renderMail,
  type SmtpSettings,
  sesTransport,
  smtpTransport,
} from './index.ts'
import { envelope, greeting, options } from './mail.testing.ts'

const failureOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => 'sent',
    (error: unknown) => (error instanceof MailError ? `${error.failure}${error.permanent ? '!' : ''}` : String(error)),
  )

describe('mail transports', () => {
  let dns: TestDnsServer
  let outbound: Outbound
  let mail: ComposedMail
  const open: { close(): Promise<void> }[] = []
  const opened = <One extends { close(): Promise<void> }>(one: One): One => {
    open.push(one)
    return one
  }
  const smtp = (settings: Partial<SmtpSettings> & { port: number }, trusted = true): MailTransport =>
    opened(
      smtpTransport(
        outbound,
        { host: 'receiver.example', security: 'none', ...settings },
        { timeoutMs: 3_000, ...(trusted ? { ca: testCertificate.cert } : {}) },
      ),
    )

  before(async () => {
    dns = opened(await startDnsServer())
    dns.setAddresses('receiver.example', ['127.0.0.1'])
    dns.setAddresses('other.example', ['127.0.0.1'])
    outbound = opened(createOutbound({ dnsServers: [dns.address], allowPrivate: true }))
    mail = await composeMail(envelope, renderMail(greeting, { name: 'Ana', at: '2026-03-01T10:00:00Z' }, options))
  })
  after(async () => {
    for (const one of open.reverse()) await one.close()
  })

  for (const security of ['none', 'starttls', 'tls'] as const) {
    test(`SMTP with ${security} signs in and delivers the composed bytes`, async () => {
      const auth = { user: 'clinic', pass: 'canary-password' }
      const server = opened(await startSmtpServer({ auth, security }))
      const transport = smtp({ port: server.port, security, username: auth.user, password: auth.pass })
      await transport.check()
      assert.deepEqual(await transport.send(mail), { providerMessageId: mail.messageId })
      const [received] = server.mails
      assert.equal(received?.messageId, mail.messageId)
      assert.deepEqual(received.envelopeTo, ['ana@mail.example'])
      assert.deepEqual(received.raw.toString().trimEnd(), mail.raw.toString().trimEnd())
    })
  }

  test('SMTP verifies the certificate against the configured name and requires STARTTLS', async () => {
    const secure = opened(await startSmtpServer({ security: 'starttls' }))
    const plain = opened(await startSmtpServer())
    assert.equal(
      await failureOf(smtp({ port: secure.port, security: 'starttls', host: 'other.example' }).send(mail)),
      'tls',
    )
    assert.equal(await failureOf(smtp({ port: secure.port, security: 'starttls' }, false).send(mail)), 'tls')
    assert.equal(await failureOf(smtp({ port: plain.port, security: 'starttls' }).send(mail)), 'tls')
    assert.equal(plain.mails.length + secure.mails.length, 0)
  })

  test('SMTP hosts with private addresses are refused before a connection is opened', async () => {
    const server = opened(await startSmtpServer())
    const strict = opened(createOutbound({ dnsServers: [dns.address] }))
    for (const host of ['127.0.0.1', 'receiver.example', '::1', '169.254.169.254']) {
      const transport = smtpTransport(strict, { host, port: server.port, security: 'none' })
      assert.equal(await failureOf(transport.send(mail)), 'address_refused', host)
      assert.equal(await failureOf(transport.check()), 'address_refused', host)
    }
    assert.equal(server.mails.length, 0)
  })

  test('after a lost connection the name is resolved and checked again', async () => {
    const server = opened(await startSmtpServer())
    dns.setAddresses('moving.example', ['127.0.0.9'])
    const transport = smtp({ port: server.port, host: 'moving.example' })
    assert.equal(await failureOf(transport.send(mail)), 'refused')
    dns.setAddresses('moving.example', ['127.0.0.1'])
    assert.equal(await failureOf(transport.send(mail)), 'sent')
  })

  test('a server that answers a byte now and then cannot keep a mail in progress', async () => {
    const dripping = new Set<Socket>()
    const server = createServer((socket) => {
      dripping.add(socket)
      const drip = setInterval(() => socket.write('250-more\r\n'), 50)
      socket.write('220 drip.example\r\n')
      socket
        .on('error', () => {})
        .on('close', () => {
          clearInterval(drip)
          dripping.delete(socket)
        })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    opened({ close: async () => void server.close() })
    const port = portOf(server)
    const settings = { host: 'receiver.example', security: 'none', port } as const
    const transport = opened(smtpTransport(outbound, settings, { timeoutMs: 3_000, maxSendMs: 300 }))
    assert.deepEqual(await Promise.all([transport.send(mail), transport.send(mail)].map(failureOf)), [
      'timeout',
      'timeout',
    ])
    while (dripping.size > 0) await new Promise((resolve) => setImmediate(resolve))
  })

  test('refusals of an SMTP server have names, and a refused recipient is permanent', async () => {
    const auth = { user: 'clinic', pass: 'right' }
    const server = opened(await startSmtpServer({ auth }))
    const transport = smtp({ port: server.port, username: 'clinic', password: 'right' })
    const wrong = smtp({ port: server.port, username: 'clinic', password: 'wrong' })
    assert.equal(await failureOf(wrong.send(mail)), 'authentication')
    assert.equal(await failureOf(wrong.check()), 'authentication')
    for (const [mood, failure] of [
      ['refuses_recipient', 'recipient_refused!'],
      ['busy', 'recipient_refused'],
      ['refuses_mail', 'rejected!'],
    ] as const) {
      server.mood = mood
      assert.equal(await failureOf(transport.send(mail)), failure)
    }
    assert.equal(await failureOf(smtp({ port: 1 }).send(mail)), 'refused')
    assert.equal(await failureOf(smtp({ port: 1, host: 'unknown.example' }).send(mail)), 'dns')
  })

  test('SES takes the same bytes, and names its failures', async () => {
    const server = await ses.default({ port: 0 })
    opened({ close: () => new Promise<void>((resolve) => void server.close(() => resolve())) })
    const endpointUrl = `http://127.0.0.1:${portOf(server)}`
    const settings = { region: 'eu-central-1', endpointUrl, accessKeyId: 'key', secretAccessKey: 'canary-secret' }
    const transport = opened(sesTransport(outbound, settings))
    const subjects = async () => {
      const store = (await (await fetch(`${endpointUrl}/store`)).json()) as { emails: { subject: string }[] }
      return store.emails.map(({ subject }) => subject)
    }
    // All servers of a process have one store, also those of other test files.
    const before = await subjects()
    const { providerMessageId } = await transport.send(mail)
    assert.ok(providerMessageId)
    assert.deepEqual(await subjects(), [...before, 'Hello Ana'])
    const nowhere = opened(sesTransport(outbound, { ...settings, endpointUrl: 'http://127.0.0.1:1' }))
    assert.equal(await failureOf(nowhere.send(mail)), 'refused')
    const strict = opened(createOutbound())
    assert.equal(await failureOf(opened(sesTransport(strict, settings)).send(mail)), 'invalid_url')
  })
})
