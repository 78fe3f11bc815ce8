import { createHmac } from 'node:crypto'

/**
 * A fingerprint by which equal values of one organization are found without being read. Without the key it tells nothing,
 * and the same value in two organizations gives two fingerprints that do not meet.
 */
export function blindIndex(key: string, of: { table: string; column: string; organization_id: string }, value: string) {
  return createHmac('sha256', key)
    .update(JSON.stringify([of.table, of.column, of.organization_id, value]))
    .digest()
}
