import type { Readable } from 'node:stream'
import { callbackify } from 'node:util'
import { type ParsedMail, simpleParser } from 'mailparser'
import { SMTPServer } from 'smtp-server'
import { portOf } from './port-of.ts'
import { testCertificate } from './tls-certificate.ts'

export interface TestSmtpServer {
  port: number
  /** What arrived, in order, read back by an independent parser. */
  mails: (ParsedMail & { raw: Buffer; envelopeTo: string[] })[]
  /** How the server answers: takes mails, refuses the sign-in, a recipient or every mail, or asks to come later. */
  mood: 'accepts' | 'refuses_sign_in' | 'refuses_recipient' | 'refuses_mail' | 'busy'
  /** Called with each mail before it is acknowledged. */
  onMail: (mail: ParsedMail) => void | Promise<void>
  close(): Promise<void>
}

export interface SmtpServerOptions {
  /** Credentials that are asked for; none: no sign-in. */
  auth?: { user: string; pass: string }
  security?: 'tls' | 'starttls' | 'none'
}

const refused = (code: number) => Object.assign(new Error('refused'), { responseCode: code })

/** A real SMTP server that keeps what it gets. */
export async function startSmtpServer({ auth, security = 'none' }: SmtpServerOptions = {}): Promise<TestSmtpServer> {
  const server = new SMTPServer({
    ...testCertificate,
    secure: security === 'tls',
    disabledCommands: [...(security === 'starttls' ? [] : ['STARTTLS']), ...(auth ? [] : ['AUTH'])],
    authOptional: auth === undefined,
    allowInsecureAuth: security === 'none',
    logger: false,
    onAuth: ({ username, password }, _, callback) => {
      const known = test.mood !== 'refuses_sign_in' && username === auth?.user && password === auth?.pass
      if (known) callback(null, { user: username })
      else callback(refused(535))
    },
    onRcptTo: (_address, _session, callback) => {
      if (test.mood === 'refuses_recipient') callback(refused(550))
      else if (test.mood === 'busy') callback(refused(451))
      else callback()
    },
    onData: (stream, { envelope }, callback) => receive(stream, envelope.rcptTo, (error) => callback(error)),
  })
  const receive = callbackify(async (stream: Readable, to: { address: string }[]) => {
    const raw = Buffer.concat(await stream.toArray())
    if (test.mood === 'refuses_mail') throw refused(554)
    const mail = await simpleParser(raw)
    await test.onMail(mail)
    test.mails.push(Object.assign(mail, { raw, envelopeTo: to.map(({ address }) => address) }))
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const test: TestSmtpServer = {
    port: portOf(server.server),
    mails: [],
    mood: 'accepts',
    onMail: () => {},
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return test
}
