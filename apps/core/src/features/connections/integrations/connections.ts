import { publish } from '@tendon/access'
import { type Integration, isObject } from '@tendon/contracts'
import type { TenantTx } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import type { Connection, Values } from './connectors/connector.ts'
import { findIntegrationForUpdate, insertStatusChange, type StoredConnection, updateIntegration } from './queries.ts'
import { healthAfter } from './rules.ts'

/** Where the credentials of an integration are sealed. */
const credentialsPlace = (organizationId: string, id: string) => ({
  table: 'organization_integrations',
  column: 'credentials_encrypted',
  organization_id: organizationId,
  row: id,
})

export const sealCredentials = (box: SecretBox, organizationId: string, id: string, credentials: Values): Buffer =>
  box.seal(JSON.stringify(credentials), credentialsPlace(organizationId, id))

export function openConnection(
  box: SecretBox,
  row: Pick<StoredConnection, 'id' | 'organization_id' | 'config' | 'credentials_encrypted'>,
): Connection {
  const { id, organization_id: organizationId, config, credentials_encrypted: sealed } = row
  const credentials: unknown = sealed && JSON.parse(box.open(sealed, credentialsPlace(organizationId, id)).toString())
  return { organizationId, config, credentials: isObject(credentials) ? credentials : {} }
}

/** Notes what a check or a use of an integration has shown, and changes its status where that is due. */
export async function recordHealth(tx: TenantTx, id: string, error: string | undefined, now: Date): Promise<void> {
  const before = await findIntegrationForUpdate(tx, id)
  if (!before || before.status === 'revoked' || before.status === 'pending') return
  const { reason, ...after } = healthAfter(before, error)
  await updateIntegration(tx, id, {
    ...after,
    last_health_check_at: now.toISOString(),
    ...(error === undefined ? {} : { last_error_at: now.toISOString() }),
  })
  if (reason !== undefined) await changeStatus(tx, id, before.status, after.status, reason)
}

export async function changeStatus(
  tx: TenantTx,
  id: string,
  from: Integration['status'] | null,
  to: Integration['status'],
  reason: string,
): Promise<void> {
  await insertStatusChange(tx, id, from, to, reason)
  await publish(tx, 'integration.status_changed', { integration_id: id, status: to })
}
