import type { List } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import type { CheckedState } from './rules.ts'

const COLUMNS = [
  'id',
  'domain',
  'status',
  'challenge',
  'verified_at',
  'last_checked_at',
  'created_at',
  'updated_at',
] as const

export interface DomainRow {
  id: string
  domain: string
  status: 'pending' | 'verified' | 'failed'
  challenge: string
  verified_at: string | null
  last_checked_at: string | null
  created_at: string
  updated_at: string
}

export async function listDomains(tx: TenantTx, list: List) {
  const { rows, total } = await readPage(tx.selectFrom('organization_domains').select(COLUMNS), list, {
    search: ['domain'],
  })
  return { rows: rows, total }
}

export async function insertDomain(tx: TenantTx, values: { domain: string; challenge: string }): Promise<DomainRow> {
  const created = await tx
    .insertInto('organization_domains')
    .values(values)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return created
}

export async function findDomain(tx: TenantTx, id: string): Promise<DomainRow | undefined> {
  const found = await tx.selectFrom('organization_domains').select(COLUMNS).where('id', '=', id).executeTakeFirst()
  return found
}

/** Locks the row, if it still has the challenge that the DNS was asked for. */
export async function findDomainForUpdate(
  tx: TenantTx,
  { id, challenge }: { id: string; challenge: string },
): Promise<DomainRow | undefined> {
  const found = await tx
    .selectFrom('organization_domains')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('challenge', '=', challenge)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found
}

export async function updateDomain(tx: TenantTx, id: string, state: CheckedState): Promise<DomainRow> {
  const updated = await tx
    .updateTable('organization_domains')
    .set(state)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
  return updated
}

export async function deleteDomain(tx: TenantTx, id: string): Promise<DomainRow | undefined> {
  const deleted = await tx.deleteFrom('organization_domains').where('id', '=', id).returning(COLUMNS).executeTakeFirst()
  return deleted
}
