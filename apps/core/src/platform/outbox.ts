import { systemContext } from '@tendon/access'
import { isObject } from '@tendon/contracts'
import type { Database, JsonValue, TenantTx } from '@tendon/db'
import { sql } from 'kysely'
import { failureName } from './failure-name.ts'

// Events leave the outbox in the transaction that carries out their consequences: both are kept or neither, so each
// event takes effect once. Rows are locked with SKIP LOCKED: several workers share the work and never the same event.

export interface OutboxEvent {
  id: string
  organization_id: string | null
  type: string
  payload: JsonValue
  occurred_at: string
  attempts: number
  /** The automation rules that caused it, oldest first. */
  automation_rule_ids: string[]
}

/** Acts on events of one type, or of all ('*'), by writing rows: jobs and mails too are rows. Order is not promised. */
export interface Subscriber {
  type: string
  /** Works in part as the service of the clinic, with these permissions (`asService`), and why. */
  service?: { codes: readonly string[]; why: string }
  handle(tx: TenantTx, event: OutboxEvent): Promise<void>
}

/** A member of the payload that is a text: an id, above all. */
export function payloadText(payload: JsonValue, name: string): string | undefined {
  const value = isObject(payload) ? payload[name] : undefined
  return typeof value === 'string' ? value : undefined
}

export interface OutboxOptions {
  onFailure: (event: OutboxEvent, error: unknown) => void
}

const MAX_BATCH_EVENTS = 100
const PLATFORM = systemContext(null)

/** Dispatches one batch of waiting events. */
export async function dispatchOutbox(
  db: Database,
  subscribers: readonly Subscriber[],
  { onFailure }: OutboxOptions,
): Promise<{ taken: number; more: boolean }> {
  const serviceCodes = [...new Set(subscribers.flatMap(({ service }) => service?.codes ?? []))]
  return db.tenant({ ...PLATFORM, serviceCodes }, async (tx) => {
    const { rows } = await sql<OutboxEvent>`select * from claim_outbox_events(${MAX_BATCH_EVENTS})`.execute(tx)
    // Subscribers lock things of an organization until the batch ends: workers that take the organizations in one order do
    // not wait for each other in a circle.
    const events = rows.toSorted((a, b) =>
      (a.organization_id ?? 'platform').localeCompare(b.organization_id ?? 'platform'),
    )
    const done: string[] = []
    const failed: { id: string; error: string }[] = []
    for (const event of events) {
      const interested = subscribers.filter(({ type }) => type === '*' || type === event.type)
      const error = await deliver(tx, event, interested)
      if (error === undefined) done.push(event.id)
      else {
        onFailure(event, error)
        failed.push({ id: event.id, error: failureName(error) })
      }
    }
    if (done.length > 0) await sql`select finish_outbox_events(${done})`.execute(tx)
    for (const { id, error } of failed) await sql`select fail_outbox_event(${id}, ${error})`.execute(tx)
    return { taken: events.length, more: events.length === MAX_BATCH_EVENTS }
  })
}

/** All subscribers of an event or none: a failure rolls back what earlier ones wrote. */
async function deliver(tx: TenantTx, event: OutboxEvent, interested: Subscriber[]): Promise<unknown> {
  if (interested.length === 0) return undefined
  await sql`savepoint event`.execute(tx)
  try {
    const { organizationId } = systemContext(event.organization_id)
    const ruleIds = `{${event.automation_rule_ids.join(',')}}`
    await sql`select set_config('app.org_id', ${organizationId}, true),
      set_config('app.automation_rule_ids', ${ruleIds}, true)`.execute(tx)
    for (const subscriber of interested) await subscriber.handle(tx, event)
    await sql`release savepoint event`.execute(tx)
    return undefined
  } catch (error) {
    await sql`rollback to savepoint event`.execute(tx)
    return error ?? new Error('nothing thrown')
  }
}
