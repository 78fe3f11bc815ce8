import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { systemContext } from '@tendon/access'
import type { TenantTx } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import type { Services } from '../../../services.ts'
import { openConnection, recordHealth, sealCredentials } from './connections.ts'
import type { Connection } from './connectors/connector.ts'
import { connectors } from './connectors/index.ts'
import { ClientRejected, GrantRejected } from './oauth-client.ts'
import { claimRefresh } from './oauth-queries.ts'
import { findConnection, findIntegrationForUpdate, type StoredConnection, updateIntegration } from './queries.ts'

export interface IntegrationPlace {
  id: string
  organization_id: string
}

const WAIT_MS = 100
const MAX_WAITS = 50

/**
 * Renews the tokens of an integration that end before a moment, one caller at a time: providers that rotate end the whole grant when a refresh
 * token is used twice. The new tokens are stored before anybody uses them. Returns the name of what failed.
 */
export async function refreshTokens(
  services: Services,
  { id, organization_id }: IntegrationPlace,
  before: Date,
): Promise<string | undefined> {
  const { db, box, now } = services
  const context = systemContext(organization_id)
  const found = await db.tenant(context, async (tx) => {
    if (!(await claimRefresh(tx, id, now(), before))) return undefined
    return findConnection(tx, id)
  })
  const connector = found && connectors.get(found.service_slug)
  if (!connector) return undefined
  const connection = openConnection(box, found)
  try {
    const tokens = await connector.refreshToken(connection, services)
    if (!tokens) return undefined
    const { access_token, refresh_token, expires_at } = tokens
    const renewed = {
      ...connection.credentials,
      access_token,
      ...(refresh_token === undefined ? {} : { refresh_token }),
    }
    await db.tenant(context, async (tx) => {
      if (!(await isUnchanged(tx, box, id, connection))) return
      await updateIntegration(tx, id, {
        credentials_encrypted: sealCredentials(box, organization_id, id, renewed),
        token_expires_at: expires_at,
        token_locked_until: null,
      })
      // A renewed token does not prove that the service works: it may still refuse the token. The next check or use decides.
    })
    return undefined
  } catch (error) {
    const failure = failureOf(error)
    await db.tenant(context, async (tx) => {
      if (!(await isUnchanged(tx, box, id, connection))) return
      await updateIntegration(tx, id, { token_locked_until: null })
      await recordHealth(tx, id, failure, now())
    })
    return failure
  }
}

function failureOf(error: unknown): string {
  if (error instanceof GrantRejected) return 'invalid_grant'
  return error instanceof ClientRejected ? 'authentication' : 'provider_failure'
}

/**
 * False when the service was disconnected, or connected again, while its tokens were renewed. Locks the integration. Compares
 * the decrypted credentials: `npm run keys:rewrap` changes the stored bytes only.
 */
async function isUnchanged(tx: TenantTx, box: SecretBox, id: string, { credentials }: Connection): Promise<boolean> {
  await findIntegrationForUpdate(tx, id)
  const current = await findConnection(tx, id)
  return current !== undefined && isDeepStrictEqual(openConnection(box, current).credentials, credentials)
}

const EARLY_MS = 60_000

/** The integration with a token that can be used now; renews it, or waits for the caller who does. */
export async function freshConnection(
  services: Services,
  { id, organization_id }: IntegrationPlace,
): Promise<Connection | undefined> {
  const { db, box, now } = services
  // One statement reads the tokens and their end: with two, a renewal in between would pair old tokens with the new end.
  const read = () => db.tenant(systemContext(organization_id), (tx) => findConnection(tx, id))
  for (let wait = 0; wait < MAX_WAITS; wait += 1) {
    const stored = await read()
    if (!stored || !isUsable(stored)) return undefined
    const ends = stored.token_expires_at
    const soon = new Date(now().getTime() + EARLY_MS)
    if (ends === null || new Date(ends) > soon) return openConnection(box, stored)
    if ((await refreshTokens(services, { id, organization_id }, soon)) !== undefined) return undefined
    const after = await read()
    if (after && after.token_expires_at !== ends) return openConnection(box, after)
    await sleep(WAIT_MS)
  }
  return undefined
}

const isUsable = ({ status, credentials_encrypted }: StoredConnection) =>
  credentials_encrypted !== null && (status === 'connected' || status === 'error')
