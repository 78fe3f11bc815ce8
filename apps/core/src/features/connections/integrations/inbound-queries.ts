import type { PublicTx, TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface InboundIntegration {
  id: string
  organization_id: string
  config: Record<string, unknown>
  credentials_encrypted: Buffer | null
}

export async function findInboundIntegration(tx: PublicTx, tokenHash: Buffer): Promise<InboundIntegration | undefined> {
  const { rows } = await sql<InboundIntegration>`select * from find_inbound_integration(${tokenHash})`.execute(tx)
  return rows[0]
}

interface NewMessage {
  id: string
  integration_id: string
  body_encrypted: Buffer
  webhook_id_index: Buffer | null
}

/** False when the integration has received a message with the same `webhook-id`. */
export async function insertMessage(tx: TenantTx, values: NewMessage): Promise<boolean> {
  const inserted = await tx
    .insertInto('integration_messages')
    .values(values)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'integration_id', 'webhook_id_index'])
        .where('webhook_id_index', 'is not', null)
        .doNothing(),
    )
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

export async function findMessageId(tx: TenantTx, integrationId: string, index: Buffer): Promise<string> {
  const { id } = await tx
    .selectFrom('integration_messages')
    .select('id')
    .where('integration_id', '=', integrationId)
    .where('webhook_id_index', '=', index)
    .executeTakeFirstOrThrow()
  return id
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
