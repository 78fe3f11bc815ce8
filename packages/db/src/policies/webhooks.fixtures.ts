import type { TestDatabase } from '@tendon/testing'

type Query = TestDatabase['query']
type Insert = (text: string, values: unknown[]) => Promise<string>

/** A webhook with a delivery, and an event without a delivery. */
export async function createWebhooks(query: Query, insert: Insert, id: string) {
  const webhook = await insert(
    `webhook_subscriptions (organization_id, url, events, secret_encrypted, secret_hint)
     values ($1, 'https://a.example', '{*}', '\\x00', '')`,
    [id],
  )
  const newEvent = () => insert(`webhook_events (organization_id, event) values ($1, 'webhook.test')`, [id])
  const [event, spareWebhookEvent] = [await newEvent(), await newEvent()]
  const webhookDelivery = await insert(
    `webhook_deliveries (organization_id, subscription_id, event_id, next_attempt_at) values ($1, $2, $3, now())`,
    [id, webhook, event],
  )
  await query(
    `insert into webhook_attempts (organization_id, delivery_id, attempt_number, trigger, requested_at, duration_ms)
     values ($1, $2, 1, 'manual', now(), 1)`,
    [id, webhookDelivery],
  )
  return { webhook, webhookDelivery, spareWebhookEvent }
}

/** An automation rule with an execution and a step. */
export async function createAutomations(query: Query, insert: Insert, id: string) {
  const rule = await insert(
    `automation_rules (organization_id, name, trigger_event, conditions, actions)
     values ($1, 'First', 'form.signed', '{"mode": "all", "rules": []}', '[]')`,
    [id],
  )
  await query(
    `insert into automation_rule_versions (organization_id, rule_id, version, definition) values ($1, $2, 1,
       '{"name": "First", "trigger": {"event": "form.signed"}, "conditions": {"mode": "all", "rules": []}, "actions": [], "delay_minutes": 0}')`,
    [id, rule],
  )
  const execution = await insert(
    `automation_executions (organization_id, rule_id, rule_version, event_id, event, data)
     values ($1, $2, 1, gen_random_uuid(), 'form.signed', '{}')`,
    [id, rule],
  )
  await query(
    `insert into automation_steps (organization_id, execution_id, index, type, status) values ($1, $2, 0, 'wait', 'waiting')`,
    [id, execution],
  )
  return { rule, execution }
}
