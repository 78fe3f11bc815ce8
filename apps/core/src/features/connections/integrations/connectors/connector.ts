import type { HostAndPort } from '@tendon/outbound'
import type { Services } from '../../../../services.ts'
import type { Tokens } from '../oauth-client.ts'

export type Values = Record<string, unknown>

/** What a connector works with: an integration with its credentials opened. */
export interface Connection {
  organizationId: string
  config: Values
  credentials: Values
}

/** What a config is checked with. */
export interface ConnectorTools {
  services: Services
  /** Whether the clinic has such a specialist. */
  hasSpecialist(id: string): Promise<boolean>
  /** Whether a host is the platform itself. */
  isOwnHost(place: HostAndPort): Promise<boolean>
}

/** The code of an outside service, registered under its slug. Every call is bounded by five seconds. */
export interface Connector {
  slug: string
  /** The fields of the config that say where the credentials are sent: a change needs the credentials again. */
  destination: readonly string[]
  /** What is wrong with a config that fits its schema, in words for the admin; undefined: nothing. */
  validateConfig(config: Values, tools: ConnectorTools): Promise<string | undefined>
  /** The name of what is wrong with the credentials (`authentication`, `timeout` …); undefined: they work. */
  validateCredentials(connection: Connection, services: Services): Promise<string | undefined>
  /** The name of what does not work; undefined: it works. */
  healthcheck(connection: Connection, services: Services): Promise<string | undefined>
  /** New tokens for an OAuth connection; undefined: the service has none. Throws GrantRejected or what failed. */
  refreshToken(connection: Connection, services: Services): Promise<Tokens | undefined>
}

export const CONNECTOR_TIMEOUT_MS = 5_000

export async function bounded(work: Promise<string | undefined>): Promise<string | undefined> {
  const limit = Promise.withResolvers<string>()
  const timer = setTimeout(() => limit.resolve('timeout'), CONNECTOR_TIMEOUT_MS)
  try {
    return await Promise.race([work, limit.promise])
  } finally {
    clearTimeout(timer)
  }
}
