import type { List, NewWebhookSubscription, WebhookSubscription } from '@tendon/contracts'
import { type RowOf, readPage, type TenantTx } from '@tendon/db'
import { sql } from 'kysely'

const COLUMNS = [
  'id as uid',
  'url',
  'description',
  'events',
  'is_active',
  'disabled_reason',
  'first_failure_at',
  'last_success_at',
  'rate_limit_per_second',
  'secret_hint',
  'created_at',
  'updated_at',
  'version',
] as const

export function listSubscriptions(tx: TenantTx, list: List) {
  return readPage(tx.selectFrom('webhook_subscriptions').select(COLUMNS), list)
}

export function findSubscription(tx: TenantTx, uid: string): Promise<WebhookSubscription | undefined> {
  return tx.selectFrom('webhook_subscriptions').select(COLUMNS).where('id', '=', uid).executeTakeFirst()
}

export function findSubscriptionForUpdate(tx: TenantTx, uid: string): Promise<WebhookSubscription | undefined> {
  const found = tx.selectFrom('webhook_subscriptions').select(COLUMNS).where('id', '=', uid)
  return found.forNoKeyUpdate().executeTakeFirst()
}

/** Serializes creations in an organization, so that concurrent ones cannot exceed the limit. */
export async function countSubscriptions(tx: TenantTx): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('webhook_subscriptions:' || current_app_org_id()::text, 0))`.execute(
    tx,
  )
  const { count } = await tx
    .selectFrom('webhook_subscriptions')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

interface StoredSecret {
  secret_encrypted: Buffer
  secret_hint: string
}

export function insertSubscription(
  tx: TenantTx,
  row: NewWebhookSubscription & StoredSecret & { id: string },
): Promise<WebhookSubscription> {
  return tx.insertInto('webhook_subscriptions').values(row).returning(COLUMNS).executeTakeFirstOrThrow()
}

interface SubscriptionRow {
  url?: string
  description?: string
  events?: string[]
  rate_limit_per_second?: number | null
  is_active?: boolean
  disabled_reason?: WebhookSubscription['disabled_reason']
  first_failure_at?: null
  last_failure_at?: null
  consecutive_failures?: number
  secret_encrypted?: Buffer
  secret_hint?: string
  previous_secret_encrypted?: Buffer | null
  previous_secret_expires_at?: string | null
}

export function updateSubscription(tx: TenantTx, uid: string, changes: SubscriptionRow): Promise<WebhookSubscription> {
  return tx
    .updateTable('webhook_subscriptions')
    .set(changes)
    .where('id', '=', uid)
    .returning(COLUMNS)
    .executeTakeFirstOrThrow()
}

export async function deleteSubscription(tx: TenantTx, uid: string): Promise<void> {
  await tx.deleteFrom('webhook_subscriptions').where('id', '=', uid).execute()
}

interface SubscriptionSecrets {
  organization_id: string
  secret_encrypted: Buffer
  previous_secret_encrypted: Buffer | null
  previous_secret_expires_at: string | null
}

export function findSecrets(tx: TenantTx, uid: string): Promise<SubscriptionSecrets> {
  return tx
    .selectFrom('webhook_subscriptions')
    .select(['organization_id', 'secret_encrypted', 'previous_secret_encrypted', 'previous_secret_expires_at'])
    .where('id', '=', uid)
    .executeTakeFirstOrThrow()
}

/** Discards the pending deliveries of an inactive subscription. They can be recovered later. */
export async function discardWaiting(tx: TenantTx, uid: string): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'discarded', discard_reason: 'subscription_inactive', next_attempt_at: null })
    .where('subscription_id', '=', uid)
    .where('status', 'in', ['pending', 'delivering', 'retrying'])
    .execute()
}

export interface Recipient extends RowOf<'humans', 'preferred_language'>, RowOf<'organizations', 'language_code'> {
  to_address: string
}

export async function listWebhookManagers(tx: TenantTx): Promise<Recipient[]> {
  const { rows } = await sql<Recipient>`
    select distinct h.email::text as to_address, h.preferred_language, o.language_code
    from organization_memberships m
    join organizations o on o.id = m.organization_id
    join humans h on h.id = m.principal_id and h.email_verified
    join role_permissions p on p.role_id = m.role_id and p.permission_code = 'webhooks.manage'
    where m.organization_id = (select current_app_org_id())`.execute(tx)
  return rows
}

/** Which of these subscriptions exist, and whether they are active. */
export async function listSubscriptionStates(tx: TenantTx, uids: readonly string[]): Promise<Map<string, boolean>> {
  const rows = await tx
    .selectFrom('webhook_subscriptions')
    .select(['id', 'is_active'])
    .where('id', 'in', uids)
    .execute()
  return new Map(rows.map(({ id, is_active }) => [id, is_active]))
}
