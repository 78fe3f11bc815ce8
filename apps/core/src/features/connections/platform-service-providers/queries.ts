import type { List, PlatformServiceProvider } from '@tendon/contracts'
import { type PlatformTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id',
  'capability',
  'provider',
  'config',
  sql<boolean>`credentials_encrypted is not null`.as('has_credentials'),
  'status',
  'last_error',
  'last_error_at',
  'last_health_check_at',
  'created_at',
  'updated_at',
  'version',
] as const

export async function listProviders(tx: PlatformTx, list: List) {
  return readPage(tx.selectFrom('platform_service_providers').select(COLUMNS), list)
}

export async function findProvider(tx: PlatformTx, id: string): Promise<PlatformServiceProvider | undefined> {
  return tx.selectFrom('platform_service_providers').select(COLUMNS).where('id', '=', id).executeTakeFirst()
}

export async function findProviderForUpdate(tx: PlatformTx, id: string): Promise<PlatformServiceProvider | undefined> {
  await tx.selectFrom('platform_service_providers').select('id').where('id', '=', id).forUpdate().execute()
  return findProvider(tx, id)
}

export async function insertProvider(
  tx: PlatformTx,
  values: { capability: string; provider: string; config: object },
): Promise<PlatformServiceProvider> {
  return tx
    .insertInto('platform_service_providers')
    .values({ ...values, config: JSON.stringify(values.config) })
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function updateProvider(
  tx: PlatformTx,
  id: string,
  changes: { config?: object; status?: PlatformServiceProvider['status']; credentials_encrypted?: Buffer },
): Promise<PlatformServiceProvider> {
  const { config, ...rest } = changes
  return tx
    .updateTable('platform_service_providers')
    .set({ ...rest, ...(config ? { config: JSON.stringify(config) } : {}), updated_at: sql`clock_timestamp()` })
    .where('id', '=', id)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

interface StoredProvider {
  id: string
  provider: string
  credentials_encrypted: Buffer | null
  config: Record<string, unknown>
  status: 'active' | 'error'
  updated_at: string
}

export async function findProviderOf(tx: TenantTx, capability: string): Promise<StoredProvider | undefined> {
  const { rows } = await sql<StoredProvider>`select * from find_platform_provider(${capability})`.execute(tx)
  return rows[0]
}

export async function listCapabilitiesToCheck(tx: TenantTx, before: Date): Promise<string[]> {
  const { rows } = await sql<{ capability: string }>`
    select * from list_platform_providers_to_check(${before.toISOString()})`.execute(tx)
  return rows.map(({ capability }) => capability)
}

export async function recordProviderCheck(tx: TenantTx, id: string, error: string | null, now: Date): Promise<void> {
  await sql`select record_platform_provider_check(${id}, ${error}, ${now.toISOString()})`.execute(tx)
}

export async function mirrorProvider(
  tx: TenantTx,
  capability: string,
  provider: string,
  config: object,
): Promise<void> {
  await sql`select mirror_platform_provider(${capability}, ${provider}, ${JSON.stringify(config)}::jsonb)`.execute(tx)
}
