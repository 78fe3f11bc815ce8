import type { IntegrationService } from '@tendon/contracts'
import type { FastifyRequest } from 'fastify'
import type { Services } from '../../../services.ts'
import { createOwnHostCheck } from '../../tenancy/domains/index.ts'
import { bounded, type Connection, type Connector, type ConnectorTools, type Values } from './connectors/connector.ts'
import { connectors } from './connectors/index.ts'
import { connectorNotRegistered, invalidConfig, invalidCredentials, serviceNotFound } from './errors.ts'
import { findService, hasSpecialist } from './queries.ts'
import { problemOf } from './schemas.ts'

type Service = Omit<IntegrationService, 'is_available'>

// Everything here runs before the transaction that stores an integration: connectors ask outside services.

export const validationRefusals = [serviceNotFound, connectorNotRegistered, invalidConfig, invalidCredentials] as const

export async function serviceOf(
  request: FastifyRequest,
  slug: string,
): Promise<{ service: Service; connector: Connector }> {
  const service = await request.find((tx) => findService(tx, slug))
  if (!service) throw serviceNotFound()
  return { service, connector: connectorOf(slug) }
}

export function connectorOf(slug: string): Connector {
  const connector = connectors.get(slug)
  if (!connector) throw connectorNotRegistered()
  return connector
}

export const toolsOf = (request: FastifyRequest, services: Services): ConnectorTools => ({
  services,
  hasSpecialist: (id) => request.find((tx) => hasSpecialist(tx, id)),
  isOwnHost: (place) => createOwnHostCheck(services)(request.caller.organization_id, place),
})

/** The config with its defaults. */
export async function checkedConfig(
  service: Service,
  connector: Connector,
  config: Values,
  tools: ConnectorTools,
): Promise<Values> {
  const filled = structuredClone(config)
  const reason = problemOf(service.config_schema, filled) ?? (await bounded(connector.validateConfig(filled, tools)))
  if (reason !== undefined) throw invalidConfig({ reason })
  return filled
}

/** Stored credentials are sent only to the server they were entered for; another server's owner could read them. Call it with the locked row. */
export function refuseOtherDestination({ destination }: Connector, before: Values, after: Values): void {
  const changed = destination.find((field) => before[field] !== after[field])
  if (changed === undefined) return
  const reason = `To change ${changed}, send the config together with the credentials to PUT …/credentials.`
  throw invalidConfig({ reason })
}

export async function checkCredentials(
  service: Service,
  connector: Connector,
  connection: Connection,
  services: Services,
): Promise<void> {
  const problem = problemOf(service.credentials_schema, connection.credentials)
  if (problem !== undefined) throw invalidCredentials({ reason: problem })
  const failure = await bounded(connector.validateCredentials(connection, services))
  if (failure === undefined) return
  const reason = `The service did not accept the connection (${failure}). Check the credentials and the config.`
  throw invalidCredentials({ reason })
}
