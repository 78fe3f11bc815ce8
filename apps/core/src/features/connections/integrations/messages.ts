import type { TenantTx } from '@tendon/db'
import type { SecretBox } from '@tendon/secrets'
import { findMessage } from './inbound-queries.ts'

export const messagePlace = (organization_id: string, id: string) => ({
  table: 'integration_messages',
  column: 'body_encrypted',
  organization_id,
  row: id,
})

/** The JSON of a message to an inbound webhook; undefined when it was deleted or is not JSON. */
export async function readMessage(tx: TenantTx, box: SecretBox, id: string): Promise<unknown> {
  const found = await findMessage(tx, id)
  if (!found) return undefined
  const body = box.open(found.body_encrypted, messagePlace(found.organization_id, id))
  try {
    return JSON.parse(body.toString('utf8')) as unknown
  } catch {
    return undefined
  }
}
