import { type Database, NIL_UUID, NOBODY, type PlatformTx, type RowOf } from '@tendon/db'
import { sql } from 'kysely'

export interface Seal {
  id: number
  prev_hash: Buffer | null
  hash: Buffer
  entry_count: number
}

export interface SealedEntry extends RowOf<'audit_seal_entries', 'seal_id' | 'position' | 'entry_id'> {
  /** The digest when it was sealed. */
  digest: Buffer
  /** The digest of the current row; null when the row was deleted. */
  row_digest: Buffer | null
  occurred_at: string | null
}

export interface LoggedRow extends RowOf<'audit_log', 'id' | 'occurred_at'> {
  occurred_exactly: string
  sealed: boolean
}

const SEAL_COLUMNS = ['id', 'prev_hash', 'hash', 'entry_count'] as const

export const MAX_SEAL_ENTRIES = 1_000

/** Seals the oldest entries that are not sealed yet; gives their number. The worker's login only. */
export async function sealEntries(db: Database): Promise<number> {
  const seal = sql<{ count: number }>`select seal_audit_log(${MAX_SEAL_ENTRIES}) as count`
  const { rows } = await db.tenant(NOBODY, (tx) => seal.execute(tx), { long: true })
  return rows[0]?.count ?? 0
}

export function findNewestSeal(tx: PlatformTx): Promise<Seal | undefined> {
  return tx.selectFrom('audit_seals').select(SEAL_COLUMNS).orderBy('id', 'desc').limit(1).executeTakeFirst()
}

export function findSeal(tx: PlatformTx, id: number): Promise<Seal | undefined> {
  return tx.selectFrom('audit_seals').select(SEAL_COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** The seals after the given one, or from the very first. */
export function listSealsAfter(tx: PlatformTx, after: Seal | undefined, limit: number): Promise<Seal[]> {
  const seals = tx.selectFrom('audit_seals').select(SEAL_COLUMNS)
  const later = after === undefined ? seals : seals.where('id', '>', after.id)
  return later.orderBy('id').limit(limit).execute()
}

export async function listSealedEntries(tx: PlatformTx, sealIds: number[]): Promise<SealedEntry[]> {
  const { rows } = await sql<SealedEntry>`
    select e.seal_id, e.position, e.entry_id, e.digest, a.occurred_at,
      case when a.id is not null then audit_digest(a) end as row_digest
    from audit_seal_entries e left join audit_log a on a.id = e.entry_id
    where e.seal_id = any(${sealIds}::bigint[]) order by e.seal_id, e.position`.execute(tx)
  return rows
}

/** Rows of the log from the oldest on, up to the given time. */
export async function listRowsAfter(
  tx: PlatformTx,
  after: LoggedRow | undefined,
  until: Date,
  limit: number,
): Promise<LoggedRow[]> {
  const { rows } = await sql<LoggedRow>`
    select a.id, a.occurred_at, a.occurred_at::text as occurred_exactly,
      exists (select 1 from audit_seal_entries e where e.entry_id = a.id) as sealed
    from audit_log a
    where (a.occurred_at, a.id) > (${after?.occurred_exactly ?? '-infinity'}::timestamptz, ${after?.id ?? NIL_UUID}::uuid)
      and a.occurred_at < ${until.toISOString()}::timestamptz
    order by a.occurred_at, a.id limit ${limit}`.execute(tx)
  return rows
}
