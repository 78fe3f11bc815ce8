import type { List } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import type { CheckedState } from './rules.ts'

const COLUMNS = [
  'id',
  'domain',
  'status',
  'challenge',
  'verified_at',
  'last_checked_at',
  'record_missing_since',
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
  record_missing_since: string | null
  created_at: string
  updated_at: string
}

export const listDomains = (tx: TenantTx, list: List) =>
  readPage(tx.selectFrom('organization_domains').select(COLUMNS), list, { search: ['domain'] })

export async function insertDomain(tx: TenantTx, values: { domain: string; challenge: string }): Promise<DomainRow> {
  return tx.insertInto('organization_domains').values(values).returning(COLUMNS).executeTakeFirstOrThrow()
}

export async function findDomain(tx: TenantTx, id: string): Promise<DomainRow | undefined> {
  return tx.selectFrom('organization_domains').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

/** Locks the row if it still has the challenge that was looked up in the DNS. */
export async function findDomainForUpdate(
  tx: TenantTx,
  { id, challenge }: { id: string; challenge: string },
): Promise<DomainRow | undefined> {
  return tx
    .selectFrom('organization_domains')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('challenge', '=', challenge)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateDomain(tx: TenantTx, id: string, state: CheckedState): Promise<DomainRow> {
  return tx
    .updateTable('organization_domains')
    .set(state)
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteDomain(tx: TenantTx, id: string): Promise<DomainRow | undefined> {
  return tx.deleteFrom('organization_domains').where('id', '=', id).returning(COLUMNS).executeTakeFirst()
}

/** A domain of this organization in any status, or a verified one of another. */
export async function isCustomDomain(tx: TenantTx, domain: string): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (select 1 from organization_domains where domain = ${domain})
      or exists (select 1 from resolve_organization(null, ${domain})) as found`.execute(tx)
  return rows[0]?.found === true
}

/** Domains of all organizations. Only for the worker's login. */
export async function listDomainsToCheck(tx: TenantTx, before: Date, limit: number) {
  const { rows } = await sql<{ organization_id: string; domain_id: string }>`
    select organization_id, domain_id from list_domains_to_check(${before.toISOString()}, ${limit})`.execute(tx)
  return rows
}

/** The verified addresses of members who manage domains. */
export async function listDomainManagers(tx: TenantTx) {
  const { rows } = await sql<{ to_address: string; preferred_language: string | null; language_code: string }>`
    select distinct h.email::text as to_address, h.preferred_language, o.language_code
    from organization_memberships m
    join organizations o on o.id = m.organization_id
    join humans h on h.id = m.principal_id and h.email_verified
    join role_permissions p on p.role_id = m.role_id and p.permission_code = 'organizations.manage_domains'`.execute(tx)
  return rows
}
