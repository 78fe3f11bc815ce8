import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface NewState {
  state_hash: Buffer
  integration_id: string
  principal_id: string
  cookie_hash: Buffer
  verifier_encrypted: Buffer
  redirect_uri: string
  return_path: string
  expires_at: string
}

export async function insertState(tx: TenantTx, state: NewState): Promise<void> {
  await tx.insertInto('oauth_states').values(state).execute()
}

export interface SpentState {
  organization_id: string
  integration_id: string
  principal_id: string
  verifier_encrypted: Buffer
  redirect_uri: string
  return_path: string
  service_slug: string
  /** Whether the principal still holds the permission. */
  holds: boolean
}

/** The first caller gets the state, every other gets nothing. */
export async function spendState(
  tx: PublicTx,
  stateHash: Buffer,
  cookieHash: Buffer,
  now: Date,
): Promise<SpentState | undefined> {
  const { rows } = await sql<SpentState>`
    select * from spend_oauth_state(${stateHash}, ${cookieHash}, ${now.toISOString()})`.execute(tx)
  return rows[0]
}

/** True for one caller at a time, and only while the token ends before `before`. */
export async function claimRefresh(tx: TenantTx, id: string, now: Date, before: Date): Promise<boolean> {
  const { rows } = await sql<{ claimed: boolean }>`
    select claim_token_refresh(${id}, ${now.toISOString()}, interval '30 seconds',
      ${before.toISOString()}) as claimed`.execute(tx)
  return rows[0]?.claimed ?? false
}

interface Place {
  id: string
  organization_id: string
}

export async function listTokensToRefresh(tx: TenantTx, before: Date, limit: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select * from list_tokens_to_refresh(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}

export async function listIntegrationsToCheck(tx: TenantTx, before: Date, limit: number): Promise<Place[]> {
  const { rows } = await sql<Place>`
    select * from list_integrations_to_check(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}

export async function deleteExpiredIntegrationRows(tx: TenantTx, now: Date): Promise<void> {
  await sql`select delete_expired_integration_rows(${now.toISOString()})`.execute(tx)
}
