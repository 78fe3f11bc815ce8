import { isIP } from 'node:net'
import type { Outbound } from '@tendon/outbound'
import { MailError, type MailFailure, smtpError } from './errors.ts'
import type { MailTransport } from './transport.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` required, or `none` for a local server. */
  security: 'tls' | 'starttls' | 'none'
  username?: string
  password?: string
}

interface SmtpOptions {
  /** Of each step of the protocol. */
  timeoutMs?: number
  /** For one mail, waiting for a connection included. Must be shorter than the lease of a mail. */
  maxSendMs?: number
  /** A certificate authority besides the system's, as PEM. */
  ca?: string
}

const TIMEOUT_MS = 10_000
const MAX_SEND_MS = 45_000
const CONNECTIONS_MAX = 5
const UNREACHABLE: ReadonlySet<MailFailure> = new Set(['refused', 'timeout', 'connection_lost'])

/** Connects to an address that was checked; TLS verifies the name. After a lost connection the name is resolved again. */
export function smtpTransport(
  outbound: Pick<Outbound, 'addressesOf'>,
  settings: SmtpSettings,
  { timeoutMs = TIMEOUT_MS, maxSendMs = MAX_SEND_MS, ca }: SmtpOptions = {},
): MailTransport {
  type Opened = Awaited<ReturnType<typeof open>>
  let opened: Promise<Opened> | undefined
  /** Closed because a mail took too long: the other mails on its connections fail for the same reason. */
  const slow = new WeakSet<Opened>()

  async function open() {
    const { default: nodemailer } = await import('nodemailer')
    const [{ address }] = await outbound.addressesOf(settings.host)
    const { username, password } = settings
    return nodemailer.createTransport({
      pool: true,
      maxConnections: CONNECTIONS_MAX,
      maxMessages: Number.POSITIVE_INFINITY,
      host: address,
      port: settings.port,
      secure: settings.security === 'tls',
      requireTLS: settings.security === 'starttls',
      ignoreTLS: settings.security === 'none',
      tls: {
        minVersion: 'TLSv1.2',
        ...(isIP(settings.host) === 0 ? { servername: settings.host } : {}),
        ...(ca === undefined ? {} : { ca }),
      },
      ...(username === undefined ? {} : { auth: { user: username, pass: password ?? '' } }),
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
      logger: false,
    })
  }

  /** One address for all connections. */
  function transporter() {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  /** A server that sends a byte now and then never exceeds the other timeouts: its connections are closed. */
  async function inTime<Result>(used: Opened, work: (transporter: Opened) => Promise<Result>): Promise<Result> {
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject(new MailError('timeout'))
      slow.add(used)
      used.close({ force: true })
    }, maxSendMs)
    try {
      return await Promise.race([work(used), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  async function use<Result>(work: (transporter: Opened) => Promise<Result>) {
    const used = transporter()
    try {
      return await inTime(await used, work)
    } catch (error) {
      const isSlow = await used.then((one) => slow.has(one)).catch(() => false)
      const named = isSlow ? new MailError('timeout') : smtpError(error)
      // The server may have moved. Mails that are being sent keep their connections.
      if (opened === used && UNREACHABLE.has(named.failure)) opened = undefined
      throw named
    }
  }

  return {
    async send({ from, to, raw, messageId }) {
      await use((transporter) => transporter.sendMail({ envelope: { from, to: [to] }, raw }))
      return { providerMessageId: messageId }
    },
    async check() {
      await use((transporter) => transporter.verify())
    },
    async close() {
      ;(await opened?.catch(() => undefined))?.close()
    },
  }
}
