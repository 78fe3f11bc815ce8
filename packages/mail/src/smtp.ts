import { isIP } from 'node:net'
import type { Outbound } from '@tendon/outbound'
import nodemailer from 'nodemailer'
import { smtpError } from './errors.ts'
import type { MailTransport } from './transport.ts'

export interface SmtpSettings {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` required, or `none` for a local server. */
  security: 'tls' | 'starttls' | 'none'
  username?: string
  password?: string
}

export interface SmtpOptions {
  timeoutMs?: number
  /** A certificate authority besides the system's, as PEM. */
  ca?: string
}

const TIMEOUT_MS = 10_000
const CONNECTIONS_MAX = 5

/** Connects to an address that was checked, and to no other for as long as the transport lives; TLS verifies the name. */
export function smtpTransport(
  outbound: Pick<Outbound, 'addressesOf'>,
  settings: SmtpSettings,
  { timeoutMs = TIMEOUT_MS, ca }: SmtpOptions = {},
): MailTransport {
  let opened: ReturnType<typeof open> | undefined

  async function open() {
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

  /** One address for all connections; a look-up that failed is repeated for the next mail. */
  function transporter() {
    opened ??= open().catch((error: unknown) => {
      opened = undefined
      throw error
    })
    return opened
  }

  return {
    async send({ from, to, raw, messageId }) {
      try {
        await (await transporter()).sendMail({ envelope: { from, to: [to] }, raw })
        return { providerMessageId: messageId }
      } catch (error) {
        throw smtpError(error)
      }
    },
    async check() {
      try {
        await (await transporter()).verify()
      } catch (error) {
        throw smtpError(error)
      }
    },
    async close() {
      ;(await opened?.catch(() => undefined))?.close()
    },
  }
}
