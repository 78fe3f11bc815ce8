import { createHmac } from 'node:crypto'

/**
 * A fingerprint to find equal values of one organization without decrypting them. It reveals nothing without the key,
 * and the same value has different fingerprints in two organizations.
 */
export function blindIndex(key: string, of: { table: string; column: string; organization_id: string }, value: string) {
  return createHmac('sha256', key)
    .update(JSON.stringify([of.table, of.column, of.organization_id, value]))
    .digest()
}
