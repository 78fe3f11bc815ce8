import { createHash } from 'node:crypto'
import type { Seal, SealedEntry } from './seal-queries.ts'

/** The same as audit_seal_hash in the database: a hash over the previous seal's hash and the digests in order. */
function sealHash(previous: Buffer | null, digests: Buffer[]): Buffer {
  const hash = createHash('sha256')
  if (previous) hash.update(previous)
  for (const digest of digests) hash.update(digest)
  return hash.digest()
}

/** What does not fit about a seal, given the one before it (which fits); undefined when all does. */
export function problemOfSeal(previous: Seal | undefined, seal: Seal, entries: SealedEntry[]): string | undefined {
  const expected = (previous?.id ?? 0) + 1
  if (seal.id !== expected) return `Seal ${expected} is missing; the next one is seal ${seal.id}.`
  if (!sameBytes(seal.prev_hash, previous?.hash ?? null)) {
    return previous
      ? `Seal ${seal.id} does not continue seal ${previous.id}: one of the two was changed.`
      : `Seal ${seal.id} was changed: it is the first and names one before it.`
  }
  const gap = entries.findIndex(({ position }, index) => position !== index + 1)
  const lost = gap === -1 ? entries.length : gap
  if (lost < seal.entry_count) return `The entry at position ${lost + 1} of seal ${seal.id} is missing.`
  if (entries.length > seal.entry_count) {
    return `Seal ${seal.id} was changed: it counts ${seal.entry_count} entries and holds ${entries.length}.`
  }
  const changed = entries.find(({ digest, row_digest }) => !sameBytes(digest, row_digest))
  const kept = entries.map(({ digest }) => digest)
  if (!sealHash(seal.prev_hash, kept).equals(seal.hash)) {
    return changed
      ? `The digest that seal ${seal.id} keeps of ${nameOf(changed)} was changed.`
      : `Seal ${seal.id} was changed: its hash does not fit its entries.`
  }
  if (changed?.row_digest === null) return `The row of ${nameOf(changed)} is missing; seal ${seal.id} holds it.`
  return changed && `The row of ${nameOf(changed)} was changed after seal ${seal.id} was made.`
}

const nameOf = ({ entry_id, position }: SealedEntry) => `entry ${entry_id} (position ${position})`

const sameBytes = (one: Buffer | null, other: Buffer | null) =>
  one === null || other === null ? one === other : one.equals(other)
