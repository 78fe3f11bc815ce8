import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

export interface InboundIntegration {
  id: string
  organization_id: string
  config: Record<string, unknown>
  credentials_encrypted: Buffer | null
}

export async function findInboundIntegration(tx: PublicTx, tokenHash: Buffer): Promise<InboundIntegration | undefined> {
  const { rows } = await sql<InboundIntegration>`select * from find_inbound_integration(${tokenHash})`.execute(tx)
  return rows[0]
}

export async function insertMessage(
  tx: TenantTx,
  values: { id: string; integration_id: string; body_encrypted: Buffer },
): Promise<void> {
  await tx.insertInto('integration_messages').values(values).execute()
}

export function findMessage(
  tx: TenantTx,
  id: string,
): Promise<{ organization_id: string; body_encrypted: Buffer } | undefined> {
  return tx
    .selectFrom('integration_messages')
    .select(['organization_id', 'body_encrypted'])
    .where('id', '=', id)
    .executeTakeFirst()
}
