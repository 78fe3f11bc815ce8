import type { Config } from '@tendon/config'
import { MailError, type SmtpSettings, smtpTransport } from '@tendon/mail'
import type { Outbound } from '@tendon/outbound'
import type { MailProvider } from '../../../platform/mail-providers.ts'

/** What sends mail when neither the clinic nor the platform has a provider: MAIL_SMTP_URL; locally nobody. */
export function defaultMailProvider(config: Config, outbound: Outbound): MailProvider & { close(): Promise<void> } {
  const from_address = config.MAIL_FROM_ADDRESS
  if (config.MAIL_SMTP_URL !== undefined) {
    const transport = smtpTransport(outbound, readSmtpUrl(config.MAIL_SMTP_URL, config.NODE_ENV === 'production'))
    return { name: 'smtp', from_address, send: transport.send, close: transport.close }
  }
  if (config.NODE_ENV === 'production') {
    return {
      name: 'none',
      from_address,
      send: () => Promise.reject(new MailError('no_provider')),
      close: async () => {},
    }
  }
  // Kept in the outbox, where /dev/mails shows it.
  return { name: 'development', from_address, send: async () => ({ providerMessageId: null }), close: async () => {} }
}

function readSmtpUrl(text: string, production: boolean): SmtpSettings {
  const { protocol, hostname, port, username, password } = new URL(text)
  const secure = protocol === 'smtps:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 465 : 587) : Number(port),
    security: secure ? 'tls' : production ? 'starttls' : 'none',
    ...(username === '' ? {} : { username: decodeURIComponent(username), password: decodeURIComponent(password) }),
  }
}
