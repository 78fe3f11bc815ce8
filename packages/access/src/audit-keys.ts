import { randomUUID } from 'node:crypto'
import { type DB, ofScope } from '@tendon/db'
import { newDataKey, type SecretBox } from '@tendon/secrets'
import { type Kysely, sql } from 'kysely'
import { LRUCache } from 'lru-cache'

/** Whose key it is: of a patient or an account in the log of a clinic or the platform; null: the log's own. */
export interface KeyPlace {
  organizationId: string | null
  keySubject: string | null
}

export interface AuditKey {
  id: string
  key: Buffer
}

const CACHED_KEYS = 2_000

const sealedAt = (keyId: string, organizationId: string | null) => ({
  table: 'audit_keys',
  column: 'wrapped_key',
  organization_id: organizationId,
  row: keyId,
})

export const wrapAuditKey = (box: SecretBox, { id, key }: AuditKey, organizationId: string | null): Buffer =>
  box.wrapKey(key, sealedAt(id, organizationId))

const nameOf = ({ organizationId, keySubject }: KeyPlace) => `${organizationId} ${keySubject ?? ''}`

/** Keys that encrypt the text of audit entries. One that is kept here may be destroyed meanwhile, or was never committed. */
export class AuditKeys {
  readonly #box: SecretBox
  readonly #kept = new LRUCache<string, AuditKey>({ max: CACHED_KEYS })

  constructor(box: SecretBox) {
    this.#box = box
  }

  kept(place: KeyPlace): AuditKey | undefined {
    return this.#kept.get(nameOf(place))
  }

  keep(place: KeyPlace, key: AuditKey): void {
    this.#kept.set(nameOf(place), key)
  }

  /** Forgets this key, unless another request has already cached a new one. */
  forget(place: KeyPlace, { id }: AuditKey): void {
    const name = nameOf(place)
    if (this.#kept.peek(name)?.id === id) this.#kept.delete(name)
  }

  async find(tx: Kysely<DB>, place: KeyPlace): Promise<AuditKey | undefined> {
    const { organizationId, keySubject } = place
    // "is not distinct from" would use no index.
    const ofSubject = keySubject === null ? sql`patient_profile_id is null` : sql`patient_profile_id = ${keySubject}`
    const { rows } = await sql<{ id: string; wrapped_key: Buffer }>`
      select id, wrapped_key from audit_keys
      where ${ofScope(organizationId)} and ${ofSubject} and destroyed_at is null`.execute(tx)
    const [row] = rows
    if (!row) return undefined
    const found = { id: row.id, key: this.unwrap(row.wrapped_key, row.id, organizationId) }
    this.keep(place, found)
    return found
  }

  create(): AuditKey {
    return { id: randomUUID(), key: newDataKey() }
  }

  /** Inserts nothing when there is a key already, or when the patient is erased. */
  async insert(tx: Kysely<DB>, { organizationId, keySubject }: KeyPlace, { id, key }: AuditKey): Promise<void> {
    const wrapped = wrapAuditKey(this.#box, { id, key }, organizationId)
    await sql`
      insert into audit_keys (id, organization_id, patient_profile_id, wrapped_key)
      values (${id}, ${organizationId}, ${keySubject}, ${wrapped})
      on conflict (organization_id, patient_profile_id) where destroyed_at is null do nothing`.execute(tx)
  }

  unwrap(wrapped: Buffer, keyId: string, organizationId: string | null): Buffer {
    return this.#box.unwrapKey(wrapped, sealedAt(keyId, organizationId))
  }
}
