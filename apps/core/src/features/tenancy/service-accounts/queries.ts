import type { ApiKey, List, NewServiceAccount, ServiceAccount, ServiceAccountChanges } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const LIST = {
  columns: {
    name: 'service_accounts.name',
    created_at: 'service_accounts.created_at',
    updated_at: 'service_accounts.updated_at',
    role_id: 'roles.id',
  },
  search: ['service_accounts.name', 'service_accounts.description'],
  id: 'service_accounts.id',
  newest: 'service_accounts.created_at',
}

const accountsOf = (tx: TenantTx) =>
  tx
    .selectFrom('service_accounts')
    .innerJoin('organization_memberships', 'organization_memberships.principal_id', 'service_accounts.id')
    .innerJoin('roles', 'roles.id', 'organization_memberships.role_id')
    .select([
      'service_accounts.id',
      'service_accounts.name',
      'service_accounts.description',
      'service_accounts.created_by_principal_id',
      'service_accounts.created_at',
      'service_accounts.updated_at',
      'service_accounts.version',
      sql<ServiceAccount['role']>`jsonb_build_object('id', roles.id, 'code', roles.code, 'name', roles.name)`.as(
        'role',
      ),
    ])

export async function listServiceAccounts(tx: TenantTx, list: List) {
  return readPage(accountsOf(tx), list, LIST)
}

export async function findServiceAccount(tx: TenantTx, id: string): Promise<ServiceAccount | undefined> {
  return accountsOf(tx).where('service_accounts.id', '=', id).executeTakeFirst()
}

/** Two statements: what the one that waits for the lock reads would be older than the lock. */
export async function findServiceAccountForUpdate(tx: TenantTx, id: string): Promise<ServiceAccount | undefined> {
  await tx.selectFrom('service_accounts').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return findServiceAccount(tx, id)
}

/** The principal and its account; the role comes with a membership. */
export async function insertServiceAccount(
  tx: TenantTx,
  { name, description = null }: Omit<NewServiceAccount, 'role_id'>,
): Promise<string> {
  const { id } = await tx
    .insertInto('principals')
    .values({ kind: 'service', organization_id: sql<string>`current_app_scope()` })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('service_accounts')
    .values({ id, name, description, created_by_principal_id: sql<string>`current_app_principal_id()` })
    .execute()
  return id
}

/** Writes also when only the role changed, so that `updated_at` tells of it. */
export async function updateServiceAccount(
  tx: TenantTx,
  before: ServiceAccount,
  { name = before.name, description = before.description }: Omit<ServiceAccountChanges, 'role_id'>,
): Promise<void> {
  await tx.updateTable('service_accounts').set({ name, description }).where('id', '=', before.id).execute()
}

/** Its keys go with it; the principal stays, because the audit log names it. */
export async function deleteServiceAccount(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('service_accounts').where('id', '=', id).execute()
}

const KEY_COLUMNS = ['id', 'name', 'prefix', 'created_at', 'expires_at', 'last_used_at', 'revoked_at'] as const

export async function listApiKeys(tx: TenantTx, serviceAccountId: string, list: List) {
  const keys = tx.selectFrom('api_keys').select(KEY_COLUMNS).where('service_account_id', '=', serviceAccountId)
  return readPage(keys, list, { search: ['name', 'prefix'] })
}

export async function countApiKeysInUse(tx: TenantTx, serviceAccountId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('api_keys')
    .select(sql<number>`count(*)`.as('count'))
    .where('service_account_id', '=', serviceAccountId)
    .where('revoked_at', 'is', null)
    .where(sql<boolean>`(expires_at is null or expires_at > now())`)
    .executeTakeFirstOrThrow()
  return count
}

export async function insertApiKey(
  tx: TenantTx,
  values: { service_account_id: string; name: string; prefix: string; hash: Buffer; expires_at: string | null },
): Promise<ApiKey> {
  return tx
    .insertInto('api_keys')
    .values({ ...values, created_by_principal_id: sql<string>`current_app_principal_id()` })
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function findApiKeyForUpdate(
  tx: TenantTx,
  serviceAccountId: string,
  id: string,
): Promise<ApiKey | undefined> {
  return tx
    .selectFrom('api_keys')
    .select(KEY_COLUMNS)
    .where('service_account_id', '=', serviceAccountId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateApiKeyRevoked(tx: TenantTx, id: string): Promise<ApiKey> {
  return tx
    .updateTable('api_keys')
    .set({ revoked_at: sql<string>`now()` })
    .where('id', '=', id)
    .returning(KEY_COLUMNS)
    .executeTakeFirstOrThrow()
}
