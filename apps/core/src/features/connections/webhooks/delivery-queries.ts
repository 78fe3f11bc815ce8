import type { TenantTx } from '@tendon/db'
import { sql } from 'kysely'

interface NewEvent {
  id: string
  event: string
  body: string
  occurred_at: string
  patientId: string | null
  patientProfileId: string | null
}

/**
 * Stores the body when the organization has subscriptions, and a delivery for each active one that wants the event. The
 * body is stored for inactive ones too: they can recover it.
 */
export async function insertEventAndDeliveries(tx: TenantTx, given: NewEvent): Promise<void> {
  const { id, event, body, occurred_at, patientId, patientProfileId } = given
  await sql`
    with wanted as (
      select s.id, s.is_active from webhook_subscriptions s
      where s.organization_id = (select current_app_org_id()) and s.events && ${[event, '*']}::text[]
    ),
    stored as (
      insert into webhook_events (id, event, body, occurred_at, patient_profile_id)
      select ${id}::uuid, ${event}::text, ${Buffer.from(body)}::bytea, ${occurred_at}::timestamptz,
        (select p.patient_profile_id from patients p where p.organization_id = (select current_app_org_id())
          and (p.id = ${patientId}::uuid or p.patient_profile_id = ${patientProfileId}::uuid) limit 1)
      where exists (select 1 from wanted)
      on conflict (id) do nothing
    )
    insert into webhook_deliveries (event_id, subscription_id, next_attempt_at)
    select ${id}::uuid, wanted.id, ${occurred_at}::timestamptz from wanted where wanted.is_active
    on conflict (event_id, subscription_id) do nothing`.execute(tx)
}

/** Sends an event to one subscription, even if it did not subscribe to it. False when it is deleted or inactive. */
export async function insertDirectDelivery(tx: TenantTx, uid: string, given: NewEvent): Promise<boolean> {
  const { id, event, body, occurred_at, patientProfileId } = given
  const { rows } = await sql`
    with wanted as (select s.id from webhook_subscriptions s
      where s.organization_id = (select current_app_org_id()) and s.id = ${uid} and s.is_active),
    stored as (
      insert into webhook_events (id, event, body, occurred_at, patient_profile_id)
      select ${id}::uuid, ${event}::text, ${Buffer.from(body)}::bytea, ${occurred_at}::timestamptz, ${patientProfileId}::uuid
      from wanted
    )
    insert into webhook_deliveries (event_id, subscription_id, next_attempt_at)
    select ${id}::uuid, wanted.id, ${occurred_at}::timestamptz from wanted returning id`.execute(tx)
  return rows.length > 0
}

export interface LeasedDelivery {
  id: string
  organization_id: string
  subscription_id: string
  event_id: string
  attempt: number
  retry_count: number
  url: string
  body: Buffer | null
  secret_encrypted: Buffer
  previous_secret_encrypted: Buffer | null
  discard_reason: DiscardReason | null
  automation_rule_ids: string[]
}

type DiscardReason = 'patient_restricted' | 'patient_erased' | 'subscription_inactive'

/** Must be longer than the timeout of a request. */
export const LEASE_SECONDS = 30

export interface Outcome {
  id: string
  subscription_id: string
  attempt: number
  status: 'delivered' | 'retrying' | 'failed' | 'discarded'
  next_attempt_at: string | null
  discard_reason: DiscardReason | null
  requested_at: string
  duration_ms: number
  response_status: number | null
  response_body: string | null
  error: string | null
}

/** One transaction, because marking frees slots of the endpoints for the lease. */
export async function markAndLease(
  tx: TenantTx,
  outcomes: readonly Outcome[],
  limit: number,
  now: Date,
): Promise<LeasedDelivery[]> {
  const { rows } = await sql<LeasedDelivery>`
    select * from mark_and_lease_webhook_deliveries(${JSON.stringify(outcomes)}::jsonb, ${limit}, ${now.toISOString()},
      ${`${LEASE_SECONDS} seconds`}::interval)`.execute(tx)
  return rows
}

export async function markAttempts(tx: TenantTx, outcomes: readonly Outcome[]): Promise<void> {
  await sql`select mark_webhook_attempts(${JSON.stringify(outcomes)}::jsonb)`.execute(tx)
}

export async function listDeadWebhooks(tx: TenantTx, days: number, limit: number) {
  const { rows } = await sql<{ id: string; organization_id: string }>`
    select * from list_dead_webhooks(${`${days} days`}::interval, ${limit})`.execute(tx)
  return rows
}

export async function deleteOldRows(tx: TenantTx, now: Date): Promise<void> {
  await sql`select delete_old_webhook_rows(${now.toISOString()})`.execute(tx)
}

/** Whether all attempts of a subscription failed for this many days. */
export async function isDead(tx: TenantTx, uid: string, days: number): Promise<boolean> {
  const { rows } = await sql<{ dead: boolean }>`
    select first_failure_at <= last_failure_at - ${`${days} days`}::interval as dead
    from webhook_subscriptions where id = ${uid} for no key update`.execute(tx)
  return rows[0]?.dead === true
}
