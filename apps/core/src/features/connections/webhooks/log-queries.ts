import type { List, WebhookAttempt, WebhookDelivery, WebhookRecovered, WebhookStats } from '@tendon/contracts'
import { readPage, type TenantTx } from '@tendon/db'
import { type RawBuilder, sql } from 'kysely'
import { AUTOMATION_TRIGGERED, WEBHOOK_TEST } from './webhook-events.ts'

const LISTED_BODY_LENGTH = 1_000
const STATS_DAYS = 7

function attemptsOf(body: RawBuilder<unknown>) {
  return sql<WebhookAttempt[]>`coalesce((
    select jsonb_agg(jsonb_build_object('attempt_number', a.attempt_number, 'trigger', a.trigger,
      'requested_at', to_char(a.requested_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
      'duration_ms', a.duration_ms, 'response_status', a.response_status, 'response_body', ${body}, 'error', a.error)
      order by a.attempt_number)
    from webhook_attempts a
    where a.organization_id = webhook_deliveries.organization_id and a.delivery_id = webhook_deliveries.id), '[]')`
}

const deliveriesOf = (tx: TenantTx, uid: string, body: RawBuilder<unknown>) =>
  tx
    .selectFrom('webhook_deliveries')
    .innerJoin('webhook_events', (join) =>
      join
        .onRef('webhook_events.id', '=', 'webhook_deliveries.event_id')
        .onRef('webhook_events.organization_id', '=', 'webhook_deliveries.organization_id'),
    )
    .select([
      'webhook_deliveries.id',
      'webhook_deliveries.event_id',
      'webhook_events.event',
      'webhook_deliveries.status',
      'webhook_deliveries.attempt_count',
      'webhook_deliveries.next_attempt_at',
      'webhook_deliveries.created_at',
      'webhook_deliveries.delivered_at',
      'webhook_deliveries.discard_reason',
      attemptsOf(body).as('attempts'),
    ])
    .where('webhook_deliveries.subscription_id', '=', uid)

export function listDeliveries(tx: TenantTx, uid: string, list: List) {
  const shown = sql`left(a.response_body, ${LISTED_BODY_LENGTH})`
  const columns = { created_at: 'webhook_deliveries.created_at', status: 'webhook_deliveries.status' }
  return readPage(deliveriesOf(tx, uid, shown), list, {
    columns,
    id: 'webhook_deliveries.id',
    newest: 'webhook_deliveries.created_at',
  })
}

export function findDelivery(tx: TenantTx, uid: string, id: string): Promise<WebhookDelivery | undefined> {
  return deliveriesOf(tx, uid, sql`a.response_body`).where('webhook_deliveries.id', '=', id).executeTakeFirst()
}

const REQUEUED = { status: 'pending', discard_reason: null, retry_count: 0, trigger: 'manual' } as const

/** Makes a delivery due and restarts its retry schedule. Does not change a delivery that is being sent. */
export async function replayDelivery(tx: TenantTx, id: string, now: Date): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ ...REQUEUED, next_attempt_at: now.toISOString() })
    .where('id', '=', id)
    .where('status', '<>', 'delivering')
    .execute()
}

export interface Interval {
  since: string
  until: string
  now: Date
}

/**
 * Requeues deliveries that failed or were discarded, and events that occurred while the subscription was inactive. Leaves
 * out events from before it was created: nobody subscribed to them here.
 */
export async function recoverDeliveries(
  tx: TenantTx,
  uid: string,
  { since, until, now }: Interval,
): Promise<WebhookRecovered> {
  const again = await tx
    .updateTable('webhook_deliveries')
    .set({ ...REQUEUED, next_attempt_at: now.toISOString() })
    .where('subscription_id', '=', uid)
    .where(sql<boolean>`(status = 'failed' or discard_reason = 'subscription_inactive')`)
    .where((where) =>
      where.exists(
        where
          .selectFrom('webhook_events')
          .select('webhook_events.id')
          .whereRef('webhook_events.id', '=', 'webhook_deliveries.event_id')
          .where('occurred_at', '>=', since)
          .where('occurred_at', '<=', until),
      ),
    )
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ missed: number; left_out: number }>`
    with found as (
      select e.id as event_id, s.id as subscription_id, e.occurred_at < s.created_at as is_older
      from webhook_subscriptions s join webhook_events e on e.organization_id = s.organization_id
        and (e.event = any (s.events) or '*' = any (s.events)) and e.event <> all (${[WEBHOOK_TEST.event, AUTOMATION_TRIGGERED.event]})
      where s.id = ${uid} and e.occurred_at between ${since}::timestamptz and ${until}::timestamptz and e.body is not null
        and not exists (select 1 from webhook_deliveries d where d.organization_id = s.organization_id
          and d.event_id = e.id and d.subscription_id = s.id)),
    added as (
      insert into webhook_deliveries (event_id, subscription_id, trigger, next_attempt_at)
      select event_id, subscription_id, 'manual', ${now.toISOString()}::timestamptz from found where not is_older
      on conflict (event_id, subscription_id) do nothing returning 1)
    select (select count(*) from added)::integer as missed,
      (select count(*) from found where is_older)::integer as left_out`.execute(tx)
  const { missed = 0, left_out = 0 } = rows[0] ?? {}
  return { deliveries: Number(again.numUpdatedRows) + missed, left_out }
}

export async function readStats(tx: TenantTx, uid: string, now: Date): Promise<WebhookStats> {
  const since = new Date(now.getTime() - STATS_DAYS * 86_400_000).toISOString()
  const { rows } = await sql<Omit<WebhookStats, 'since' | 'deliveries'> & { deliveries: Record<string, number> }>`
    with d as (select * from webhook_deliveries where subscription_id = ${uid} and created_at >= ${since}::timestamptz),
    a as (select a.* from webhook_attempts a join d on d.organization_id = a.organization_id and d.id = a.delivery_id)
    select coalesce((select jsonb_object_agg(status, n) from (select status, count(*) as n from d group by 1) s), '{}') as deliveries,
      (select jsonb_build_object('total', count(*), 'failed', count(*) filter (where error is not null)) from a) as attempts,
      (select jsonb_build_object('p50', percentile_disc(0.5) within group (order by duration_ms),
        'p95', percentile_disc(0.95) within group (order by duration_ms)) from a) as duration_ms,
      (select min(created_at) from d where status in ('pending', 'delivering', 'retrying')) as oldest_waiting_at`.execute(
    tx,
  )
  const [found] = rows
  if (!found) throw new Error('no statistics')
  const none = { pending: 0, delivering: 0, retrying: 0, delivered: 0, failed: 0, discarded: 0 }
  return { ...found, since, deliveries: { ...none, ...found.deliveries } }
}

const TESTS_PER_MINUTE = 10

/** Seconds until the next test is allowed; undefined when it is allowed now. */
export async function findTestWait(tx: TenantTx, uid: string, now: Date): Promise<number | undefined> {
  const { rows } = await sql<{ tests: number; oldest: string | null }>`
    select count(*)::integer as tests, min(e.created_at) as oldest
    from webhook_deliveries d join webhook_events e on e.organization_id = d.organization_id and e.id = d.event_id
    where d.subscription_id = ${uid} and e.event = 'webhook.test'
      and e.created_at > ${new Date(now.getTime() - 60_000).toISOString()}::timestamptz`.execute(tx)
  const [found] = rows
  if (!found?.oldest || found.tests < TESTS_PER_MINUTE) return undefined
  return Math.max(1, Math.ceil((Date.parse(found.oldest) + 60_000 - now.getTime()) / 1_000))
}

interface TestDelivery {
  eventId: string
  event: string
  body: string
  now: Date
  leaseSeconds: number
}

/** Inserts a delivery with a lease, because the caller sends it. */
export async function insertTestDelivery(tx: TenantTx, uid: string, given: TestDelivery): Promise<string> {
  const { eventId, event, body, now, leaseSeconds } = given
  const at = now.toISOString()
  await tx
    .insertInto('webhook_events')
    .values({ id: eventId, event, body: Buffer.from(body), occurred_at: at, created_at: at })
    .execute()
  const { id } = await tx
    .insertInto('webhook_deliveries')
    .values({
      event_id: eventId,
      subscription_id: uid,
      status: 'delivering',
      attempt_count: 1,
      trigger: 'manual',
      next_attempt_at: new Date(now.getTime() + leaseSeconds * 1_000).toISOString(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
