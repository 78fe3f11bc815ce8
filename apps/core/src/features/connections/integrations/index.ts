import { systemContext } from '@tendon/access'
import type { Services } from '../../../services.ts'
import { openConnection, recordHealth } from './connections.ts'
import type { Connection } from './connectors/connector.ts'
import { type BusyTime, ConnectorFailure, freeBusy } from './connectors/google-calendar.ts'
import { findConnection } from './queries.ts'
import { freshConnection, type IntegrationPlace } from './tokens.ts'

export { type BusyTime, ConnectorFailure } from './connectors/google-calendar.ts'
export { smtpSettings } from './connectors/smtp.ts'
export { readMessage } from './messages.ts'
export type { IntegrationPlace } from './tokens.ts'

/** An integration with its credentials opened; undefined: it is gone or revoked. */
export async function readConnection(
  { db, box }: Pick<Services, 'db' | 'box'>,
  { id, organization_id }: IntegrationPlace,
): Promise<Connection | undefined> {
  const stored = await db.tenant(systemContext(organization_id), (tx) => findConnection(tx, id), { queries: 1 })
  return stored?.credentials_encrypted ? openConnection(box, stored) : undefined
}

/** Notes what a use of an integration has shown: the name of what failed, or undefined. */
export async function recordUse(
  { db, now }: Pick<Services, 'db' | 'now'>,
  { id, organization_id }: IntegrationPlace,
  error: string | undefined,
): Promise<void> {
  await db.tenant(systemContext(organization_id), (tx) => recordHealth(tx, id, error, now()))
}

/**
 * When the calendar of a `google_calendar` integration is busy. Renews the token where needed, and notes failures at the
 * integration. Throws a ConnectorFailure or an OutboundError.
 */
export async function readBusyTimes(
  services: Services,
  place: IntegrationPlace,
  from: Date,
  to: Date,
): Promise<BusyTime[]> {
  const connection = await freshConnection(services, place)
  if (!connection) throw new ConnectorFailure('authentication')
  try {
    return await freeBusy(services, connection, from, to)
  } catch (error) {
    if (error instanceof ConnectorFailure) await recordUse(services, place, error.failure)
    throw error
  }
}
