import { MailError, type SmtpSettings, smtpTransport } from '@tendon/mail'
import type { Services } from '../../../../services.ts'
import { CONNECTOR_TIMEOUT_MS, type Connection, type Connector, type Values } from './connector.ts'

const SECURITIES = ['tls', 'starttls', 'none'] as const

/** The schema of the service has checked the shapes. */
export function smtpSettings(config: Values, credentials: Values): SmtpSettings {
  return {
    host: String(config.host),
    port: Number(config.port),
    security: SECURITIES.find((security) => security === config.security) ?? 'tls',
    username: String(credentials.username),
    password: String(credentials.password),
  }
}

async function ask({ config, credentials }: Connection, services: Services): Promise<string | undefined> {
  if (!config.host || !credentials.username || !credentials.password) return 'not_configured'
  const options = { timeoutMs: CONNECTOR_TIMEOUT_MS }
  const transport = smtpTransport(services.outbound, smtpSettings(config, credentials), options)
  try {
    await transport.check()
    return undefined
  } catch (error) {
    return error instanceof MailError ? error.failure : 'unavailable'
  } finally {
    await transport.close()
  }
}

export const smtp: Connector = {
  slug: 'smtp',
  // Another port is another server, and without encryption everybody on the way reads the password.
  destination: ['host', 'port', 'security'],
  async validateConfig({ host, port, security }, { services, isOwnHost }) {
    if (await isOwnHost({ hostname: String(host), port: Number(port) }))
      return 'The field host must not be a host of this platform. Enter the name of your mail server.'
    if (security !== 'none' || services.config.OUTBOUND_ALLOW_PRIVATE === 'true') return undefined
    return 'The connection to the mail server must be encrypted. Choose tls or starttls.'
  },
  validateCredentials: ask,
  healthcheck: ask,
  refreshToken: async () => undefined,
}
