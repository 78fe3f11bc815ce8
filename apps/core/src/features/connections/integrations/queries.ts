import type { Integration, IntegrationService, List } from '@tendon/contracts'
import { existing, type PublicTx, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'organization_integrations.id',
  'organization_integrations.organization_id',
  'service_slug',
  'integration_services.auth_type',
  'status',
  'title',
  'config',
  sql<Integration['external_account']>`case when external_account_id is not null
    then jsonb_build_object('id', external_account_id, 'label', external_account_label) end`.as('external_account'),
  'organization_integrations.scopes',
  sql<boolean>`credentials_encrypted is not null`.as('has_credentials'),
  'token_expires_at',
  'connected_at',
  'last_health_check_at',
  'last_error_code',
  'last_error_at',
  'failure_count',
  'created_by_principal_id',
  'created_at',
  'updated_at',
  'organization_integrations.version',
] as const

const integrationsOf = (tx: TenantTx) =>
  tx
    .selectFrom('organization_integrations')
    .innerJoin('integration_services', 'integration_services.slug', 'organization_integrations.service_slug')

const LIST = { id: 'organization_integrations.id', newest: 'created_at' }

export async function listServices(tx: PublicTx | TenantTx): Promise<Omit<IntegrationService, 'is_available'>[]> {
  return tx.selectFrom('integration_services').selectAll().orderBy('name').execute()
}

export async function findService(tx: TenantTx, slug: string) {
  return (await listServices(tx)).find((service) => service.slug === slug)
}

/** An explicit offset overrides the page of the list. */
export async function listIntegrations(tx: TenantTx, list: List, offset: number) {
  const rows = integrationsOf(tx).select(COLUMNS)
  const read = await readPage(rows, { ...list, page: 1, limit: offset + list.limit }, LIST)
  return { rows: read.rows.slice(offset), total: read.total }
}

export async function findIntegration(tx: TenantTx, id: string): Promise<Integration | undefined> {
  return integrationsOf(tx).select(COLUMNS).where('organization_integrations.id', '=', id).executeTakeFirst()
}

export async function findIntegrationForUpdate(tx: TenantTx, id: string): Promise<Integration | undefined> {
  await tx.selectFrom('organization_integrations').select('id').where('id', '=', id).forNoKeyUpdate().execute()
  return findIntegration(tx, id)
}

export interface StoredConnection {
  id: string
  organization_id: string
  service_slug: string
  status: string
  config: Record<string, unknown>
  credentials_encrypted: Buffer | null
  token_expires_at: string | null
  version: number
}

export async function findConnection(tx: TenantTx, id: string): Promise<StoredConnection | undefined> {
  return tx
    .selectFrom('organization_integrations')
    .select(['id', 'organization_id', 'service_slug', 'status', 'config', 'credentials_encrypted'])
    .select(['token_expires_at', 'version'])
    .where('id', '=', id)
    .executeTakeFirst()
}

interface NewRow {
  id: string
  service_slug: string
  status: 'pending' | 'connected'
  title: string
  config: object
  credentials_encrypted?: Buffer
  inbound_token_hash?: Buffer
}

export async function insertIntegration(tx: TenantTx, row: NewRow): Promise<Integration> {
  const connected = row.status === 'connected'
  await tx
    .insertInto('organization_integrations')
    .values({
      ...row,
      title: row.title.normalize().trim(),
      config: JSON.stringify(row.config),
      ...(connected ? { connected_at: sql<string>`now()`, last_health_check_at: sql<string>`now()` } : {}),
    })
    .execute()
  await insertStatusChange(tx, row.id, null, row.status, connected ? 'created' : 'authorization_started')
  return existing(await findIntegration(tx, row.id))
}

interface RowChanges {
  title?: string
  config?: object
  status?: Integration['status']
  credentials_encrypted?: Buffer | null
  inbound_token_hash?: Buffer | null
  external_account_id?: string | null
  external_account_label?: string | null
  scopes?: string[]
  token_expires_at?: string | null
  token_locked_until?: string | null
  connected_at?: string
  last_health_check_at?: string
  last_error_code?: string
  last_error_at?: string
  failure_count?: number
}

export async function updateIntegration(tx: TenantTx, id: string, changes: RowChanges): Promise<void> {
  const { config, title, ...rest } = changes
  const renews = title !== undefined || config !== undefined || changes.credentials_encrypted !== undefined
  await tx
    .updateTable('organization_integrations')
    .set({
      ...rest,
      ...(title === undefined ? {} : { title: title.normalize().trim() }),
      ...(config === undefined ? {} : { config: JSON.stringify(config) }),
      ...(renews ? { version: sql<number>`version + 1` } : {}),
    })
    .where('id', '=', id)
    .execute()
}

export async function insertStatusChange(
  tx: TenantTx,
  integrationId: string,
  from: Integration['status'] | null,
  to: Integration['status'],
  reason: string,
): Promise<void> {
  await tx
    .insertInto('integration_events')
    .values({ integration_id: integrationId, from_status: from, to_status: to, reason })
    .execute()
}

export async function listStatusChanges(tx: TenantTx, integrationId: string, list: List) {
  const rows = tx
    .selectFrom('integration_events')
    .select(['id', 'from_status', 'to_status', 'reason', 'actor_principal_id', 'occurred_at'])
    .where('integration_id', '=', integrationId)
  return readPage(rows, list, { newest: 'occurred_at' })
}

export async function hasSpecialist(tx: TenantTx, id: string): Promise<boolean> {
  const found = tx.selectFrom('specialists').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await found.executeTakeFirst()) !== undefined
}
