import type { List } from '@tendon/contracts'
import { type DB, type PlatformTx, readPage, type TenantTx } from '@tendon/db'
import { type SelectQueryBuilder, sql } from 'kysely'

const COLUMNS = [
  'id',
  'organization_id',
  'occurred_at',
  'actor_principal_id',
  'actor_type',
  'on_behalf_of',
  'action',
  'crud',
  'target_type',
  'target_id',
  'patient_profile_id',
  'outcome',
  'request_id',
  'key_id',
  'personal',
] as const

const UUID_FILTERS = new Set(['actor_principal_id', 'patient_profile_id', 'on_behalf_of'])

// Entries about appointments were once encrypted under the clinic's key, with notes. Sealed entries cannot be changed, so those
// of an erased patient are no longer decrypted.
const UNREADABLE = sql`case when audit_log.target_type = 'appointment' and audit_log.patient_profile_id is null
  then is_appointment_of_erased(audit_log.target_id) else false end`

// Subqueries rather than joins: they run for the rows of a page only, and the count does without them.
function selectEntries(tx: TenantTx | PlatformTx) {
  return tx
    .selectFrom('audit_log')
    .select(COLUMNS)
    .select([
      // Times reach JavaScript in milliseconds; a cursor needs all of it.
      sql<string>`audit_log.occurred_at::text`.as('occurred_exactly'),
      sql<Buffer | null>`(select k.wrapped_key from audit_keys k where k.id = audit_log.key_id and not ${UNREADABLE})`.as(
        'wrapped_key',
      ),
      sql<Buffer | null>`(select e.digest from audit_seal_entries e where e.entry_id = audit_log.id)`.as('digest'),
      sql<Buffer | null>`(select s.prev_hash from audit_seal_entries e join audit_seals s on s.id = e.seal_id
        where e.entry_id = audit_log.id)`.as('prev_hash'),
    ])
}

export type Entries = ReturnType<typeof selectEntries>
export type EntryRow = Entries extends SelectQueryBuilder<DB, 'audit_log', infer Row> ? Row : never

/** The entries of the organization in context. */
export const clinicEntries = (tx: TenantTx): Entries => selectEntries(tx)

/** The platform's own entries: those of no organization. */
export const platformEntries = (tx: PlatformTx): Entries => selectEntries(tx).where('organization_id', 'is', null)

export function listEntries(entries: Entries, list: List) {
  const paging: List = { ...list, filters: {}, ranges: [] }
  return readPage(matching(entries, list), paging, { newest: 'occurred_at' })
}

export function findEntry(entries: Entries, id: string): Promise<EntryRow | undefined> {
  return entries.where('id', '=', id).executeTakeFirst()
}

/** The next entries after (older than) the given one, newest first. */
export function listEntriesAfter(
  entries: Entries,
  list: List,
  after: { occurred_exactly: string; id: string } | undefined,
  limit: number,
): Promise<EntryRow[]> {
  let older = matching(entries, list)
  if (after) {
    const cursor = sql`(${after.occurred_exactly}::timestamptz, ${after.id}::uuid)`
    older = older.where(sql<boolean>`(audit_log.occurred_at, audit_log.id) < ${cursor}`)
  }
  return older.orderBy('occurred_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Compares ids as UUIDs (not as text, as the general list does), so that the indexes serve. */
function matching(entries: Entries, { filters, ranges }: List): Entries {
  let matched = entries
  for (const [name, values] of Object.entries(filters)) {
    const wanted = UUID_FILTERS.has(name) ? sql`${values}::uuid[]` : sql`${values}::text[]`
    matched = matched.where(sql<boolean>`${sql.ref(`audit_log.${name}`)} = any(${wanted})`)
  }
  for (const { from, to } of ranges) {
    if (from !== undefined) matched = matched.where(sql<boolean>`audit_log.occurred_at >= ${from}::timestamptz`)
    if (to !== undefined) matched = matched.where(sql<boolean>`audit_log.occurred_at <= ${to}::timestamptz`)
  }
  return matched
}
